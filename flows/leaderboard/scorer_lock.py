"""Who may score: one process at a time, be it the server's scorer, a rescore or a close.

The kernel frees the lock when its process ends, however it does.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pipeline.core.errors import RetryError
from pipeline.core.files import input_errors
from pipeline.leaderboard.layout import Layout

_NAME: Final = "scorer.lock"
_PAUSE: Final = 0.1


@contextmanager
def try_scorer_lock(layout: Layout) -> Iterator[bool]:
    """Take the lock for the length of a ``with`` block; yields False if another process has it."""
    path = layout.private / _NAME
    with input_errors(path, "opened", "only the scorer's user may score; run as that user"):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.getuid() == 0:  # it belongs to the scorer's user, as all of the folder
            owner = layout.private.stat()
            os.fchown(handle, owner.st_uid, owner.st_gid)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


@contextmanager
def scorer_lock(layout: Layout, *, patience: float) -> Iterator[None]:
    """Take the lock once it is free; raises RetryError if it is not within so many seconds.

    A scorer of a running server gives it back after each submission, and waits while it is taken.
    """
    deadline = time.monotonic() + patience
    while True:
        with try_scorer_lock(layout) as is_ours:
            if is_ours:
                yield
                return
        if time.monotonic() > deadline:
            raise RetryError(
                f"{layout.folder}: another process scores, and has for {patience:.0f} s; wait"
                " until it is done, and run the same command again"
            )
        time.sleep(_PAUSE)
