"""The command `klue`: hears signals before it imports the command line."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

from flows.view import interrupts

#: When garbage is collected: imports make 200,000 objects and hardly any garbage.
COLLECTIONS = (300_000, 20, 100)


def main() -> None:
    """Run the command line."""
    gc.set_threshold(*COLLECTIONS)
    code: list[int] = []
    atexit.register(_end, code)  # the first one registered runs last
    try:
        interrupts.listen()
        from flows.cli import app

        app()
    except SystemExit as end:
        if interrupts.is_interrupted():
            interrupts.end()
        code.append(int(end.code or 0))
        raise
    except KeyboardInterrupt:
        interrupts.end()
    except Exception as error:
        if interrupts.is_interrupted():
            interrupts.end()
        from flows.view.console import report_uncaught

        code.append(report_uncaught(error))
        raise SystemExit(code[0]) from None


def _end(code: list[int]) -> None:
    """End the process at once: to free all objects one by one takes up to half a second."""
    if code:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # none where it was closed
            with suppress(OSError):  # what could not be written was reported
                stream.flush()
        os._exit(code[0])
