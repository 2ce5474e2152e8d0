"""What the processes of a board share: its folder, settings and database, and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from flows.leaderboard.limited_process import Limits
from flows.leaderboard.releases import tasks_of
from flows.leaderboard.scorer_version import scorer_version
from pipeline.core.errors import InputError
from pipeline.leaderboard.database import open_engine
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Version
from pipeline.leaderboard.settings import Settings, load_settings
from pipeline.release.manifest import read_manifest

#: The most bytes that the scorer writes into a file: a sample.
_SAMPLE_BYTES = 64 * 1024**2
#: A job may take so many times longer by the clock than on a processor, for the machine is shared.
_PATIENCE = 4


@dataclass(frozen=True)
class Board:
    """A board in one process. `clock` tells seconds since 1970."""

    folder: Path
    settings: Settings
    engine: Engine
    clock: Callable[[], int]

    @property
    def layout(self) -> Layout:
        return Layout(self.folder)

    @property
    def limits(self) -> Limits:
        """Return what a job may use."""
        upload = self.settings.upload
        return Limits(
            memory=upload.memory, cpu=upload.seconds, wall=float(_PATIENCE * upload.seconds)
        )

    @property
    def scoring_limits(self) -> Limits:
        """Return what a job of the scorer may use: it writes samples too."""
        limits = self.limits
        return Limits(limits.memory, limits.cpu, limits.wall, file_bytes=_SAMPLE_BYTES)

    @property
    def lease(self) -> int:
        """Return for how many seconds a worker takes a submission: longer than its job may take."""
        return int(self.limits.wall) + 60

    def arguments(self, version: Version, task: str) -> dict[str, Any]:
        """Return what all jobs are told."""
        return {
            "folder": str(self.folder),
            "version": version.number,
            "task": task,
            "most": self.settings.upload.decoded_bytes,
            "variant": self.settings.variant,
            "release": version.release_hash,
            "scorer": version.scorer_version,
        }

    def scorer_version(self, number: int) -> str:
        """Return the version of the code that would score under a version of the board now."""
        manifest = read_manifest(self.layout.public_release(number))
        return scorer_version(tasks_of(manifest, self.settings.tasks))

    def require_scorer(self, version: Version) -> None:
        """Raise InputError where the code that runs is not that of a version of the board."""
        if self.scorer_version(version.number) != version.scorer_version:
            raise InputError(
                f"{self.folder}: version {version.number} of the board was scored by other code or"
                " other libraries than run here; score all again by `klue leaderboard rescore"
                f" {self.folder} --reason REASON`, then start the server anew"
            )


@contextmanager
def open_board(
    folder: Path, *, clock: Callable[[], int] = lambda: int(time.time())
) -> Iterator[Board]:
    """Open a board; raises SpecError and InputError for a folder that holds none."""
    folder = folder.resolve()
    settings = load_settings(folder)
    engine = open_engine(folder, settings)
    try:
        yield Board(folder, settings, engine, clock)
    finally:
        engine.dispose()
