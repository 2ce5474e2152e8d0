"""The folder of a board: who may read which part of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SETTINGS: Final = "board.yaml"


@dataclass(frozen=True)
class Layout:
    """The paths of a board.

    - `settings`: board.yaml, written by `klue leaderboard init`.
    - `database`: SQLite in a folder of its own, unless the settings name another database.
    - `incoming`: uploads that are not complete; what is there at a start is removed.
    - `submissions`: files that were received as a whole, by the key of their submission.
    - `public`: one release folder for each version of the board, without test labels.
    - `private`: the same releases with the test labels, the key of the hidden half, and cached
      bootstrap samples; only the scorer reads it.
    """

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / SETTINGS

    @property
    def database(self) -> Path:
        """Return the file of SQLite; its folder is its own, for it makes other files beside it."""
        return self.folder / "database" / "board.db"

    @property
    def incoming(self) -> Path:
        return self.folder / "incoming"

    @property
    def submissions(self) -> Path:
        return self.folder / "submissions"

    def public_release(self, version: int) -> Path:
        """Return the folder of the release of a version of the board, without test labels."""
        return self.folder / "public" / str(version)

    @property
    def private(self) -> Path:
        return self.folder / "private"

    def private_release(self, version: int) -> Path:
        """Return the release of a version; its test labels are in NUMBER.private beside it."""
        return self.private / "releases" / str(version)

    @property
    def half_key(self) -> Path:
        """Return the file of the key that decides which half of test a guid belongs to."""
        return self.private / "half.key"

    @property
    def cache(self) -> Path:
        return self.private / "cache"
