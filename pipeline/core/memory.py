"""Memory that is free in this process, given back to the system."""

from __future__ import annotations

import ctypes
from functools import cache, lru_cache
from typing import Any, Final

#: What mallopt of glibc calls the size from which memory is a piece of its own (malloc.h).
_MMAP_THRESHOLD: Final = -3
#: Bytes of such a piece.
_PIECE: Final = 1 << 20


def give_back() -> None:
    """Give free memory back to the system, between pieces of work that take much of it.

    The allocator of glibc keeps what was freed before something that is still there, so that a
    process takes the sum of what its work took at different times. Others are left alone.
    """
    if (trim := _of_glibc("malloc_trim")) is not None:
        trim(0)


@lru_cache(maxsize=1)
def give_back_before(_work: str) -> None:
    """Give free memory back, unless the last call was before work of this name too (cached).

    Pieces of one work need much the same, and taking it anew for each costs a tenth of their time.
    """
    give_back()


def keep_little() -> None:
    """Have this process give back large pieces of memory as soon as they are free, from now on.

    By itself glibc keeps ever larger ones for the next time, which is faster by a few percent.
    """
    if (option := _of_glibc("mallopt")) is not None:
        option(_MMAP_THRESHOLD, _PIECE)


@cache
def _of_glibc(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name, None)
    except (OSError, TypeError):  # Windows has no such handle
        return None
