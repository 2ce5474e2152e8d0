"""What the server that workers are forked from imports first: it ends without a word when it must.

A process that has no descriptor left to ask for a worker leaves the server with half a request, on
which it ends with EOFError, told on the terminal beside the error that says what to do.
"""

from __future__ import annotations

import sys
from types import TracebackType


def _tell(kind: type[BaseException], error: BaseException, tb: TracebackType | None) -> None:
    if not issubclass(kind, EOFError):
        sys.__excepthook__(kind, error, tb)


sys.excepthook = _tell
