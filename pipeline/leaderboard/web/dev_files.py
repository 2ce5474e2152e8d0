"""Predictions on dev that were sent before their submission; they wait in memory by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from pipeline.leaderboard.records import RefusedError, Submitter, Upload

#: Seconds that a file waits.
LASTS: Final = 3_600


@dataclass(frozen=True)
class _Waiting:
    key: str
    upload: Upload
    until: int


class DevFiles:
    """One file a submitter; a newer one takes its place.

    After a restart none is known: the start of a board removes files that no submission names.
    """

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        self._folder = folder
        self._clock = clock
        self._waiting: dict[int, _Waiting] = {}
        self._lock = Lock()

    def add(self, submitter: Submitter, key: str, upload: Upload) -> None:
        """Let a file wait; the one before it, and those that waited too long, are removed."""
        now = self._clock()
        with self._lock:
            for owner in [o for o, one in self._waiting.items() if one.until <= now]:
                self._remove(owner)
            self._remove(submitter.id)
            self._waiting[submitter.id] = _Waiting(key, upload, now + LASTS)

    def take(self, submitter: Submitter, key: str) -> Upload:
        """Return a file that waits, which then waits no more; raises RefusedError (422)."""
        with self._lock:
            found = self._waiting.get(submitter.id)
            if found is None or found.key != key or found.until <= self._clock():
                raise RefusedError(
                    422, "`dev_file` is not known, or too old; send the predictions on dev again"
                )
            del self._waiting[submitter.id]
            return found.upload

    def give_back(self, submitter: Submitter, key: str, upload: Upload) -> None:
        """Let a file wait again whose submission was refused."""
        with self._lock:
            if submitter.id not in self._waiting:
                self._waiting[submitter.id] = _Waiting(key, upload, self._clock() + LASTS)

    def _remove(self, owner: int) -> None:
        found = self._waiting.pop(owner, None)
        if found is not None:
            (self._folder / found.upload.file).unlink(missing_ok=True)
