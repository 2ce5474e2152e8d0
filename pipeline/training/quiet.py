"""The one place where the libraries' talk is silenced.

While they load and save, transformers and the client of the hub draw progress bars, list weights
that a new head does not find, and warn of things that this project decides itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import transformers

_LOGGING: Final[Any] = transformers.logging


@contextmanager
def quiet() -> Iterator[None]:
    """Let transformers and the client of the hub say nothing but errors, and then as before."""
    level, bars = _LOGGING.get_verbosity(), _LOGGING.is_progress_bar_enabled()
    _LOGGING.set_verbosity_error()
    _LOGGING.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _LOGGING.set_verbosity(level)
        if bars:
            _LOGGING.enable_progress_bar()
