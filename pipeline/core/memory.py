"""Memory that is free in this process, given back to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def give_back() -> None:
    """Give free memory back to the system, between pieces of work that take much of it.

    The allocator of glibc keeps what was freed before something that is still there, so that a
    process takes the sum of what its work took at different times. Others are left alone.
    """
    if (trim := _trim()) is not None:
        trim(0)


@cache
def _trim() -> Any:
    try:
        return getattr(ctypes.CDLL(None), "malloc_trim", None)
    except (OSError, TypeError):  # Windows has no such handle
        return None
