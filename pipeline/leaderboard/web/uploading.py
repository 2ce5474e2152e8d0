"""How many files are being received at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from pipeline.leaderboard.records import RefusedError, Submitter

#: Uploads at the same time: of one submitter, of all.
_OF_ONE: Final = 2
_OF_ALL: Final = 100


@dataclass
class Uploading:
    """How many uploads there are now, of all and by submitter."""

    by_submitter: dict[int, int] = field(default_factory=dict)

    @contextmanager
    def one(self, submitter: Submitter) -> Iterator[None]:
        """Count an upload while it lasts; raises RefusedError (503) if there are too many."""
        own = self.by_submitter.get(submitter.id, 0)
        if own >= _OF_ONE or sum(self.by_submitter.values()) >= _OF_ALL:
            who = "from you " if own >= _OF_ONE else ""
            raise RefusedError(
                503, f"too many uploads {who}at once; wait for one to end", retry_after=5
            )
        self.by_submitter[submitter.id] = own + 1
        try:
            yield
        finally:
            left = self.by_submitter.pop(submitter.id) - 1
            if left:
                self.by_submitter[submitter.id] = left
