"""The memory of joins over all rows of a corpus: how much of it there is, and how little may be."""

from __future__ import annotations

from typing import Final

from pipeline.core.errors import InputError

#: The memory of joins where nothing else is asked for, in MiB.
MEMORY: Final = 256
#: The least that they work in: tables of a shard are held beside; and the most.
LEAST, MOST = 32, 2**20


def check_memory(memory: int) -> int:
    """Return the memory of joins, in MiB. Raises InputError where it is out of range."""
    if not LEAST <= memory <= MOST:
        raise InputError(
            f"--memory {memory} is out of range; allowed: {LEAST} to {MOST:,} MiB, {MEMORY} if not"
            " given"
        )
    return memory
