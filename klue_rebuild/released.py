"""The tables of a release, as pandas frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from klue_rebuild.records import Release
from klue_rebuild.tables import frame_of
from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import SPLITS, Split
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.files import refuse
from pipeline.release.reading import read_parquet, read_split

if TYPE_CHECKING:
    import pandas as pd


def examples(release: Release, task: str, split: str, *, labels: bool) -> pd.DataFrame:
    """Return a split of a task; with `labels` that of test comes from the private folder."""
    known = _task(release, task)
    refuse(f"`split` {split!r}", (split not in SPLITS, f"allowed: {', '.join(SPLITS)}"))
    return frame_of(read_split(release.folder, known.id, cast(Split, split), labels=labels))


def votes(release: Release, task: str) -> pd.DataFrame:
    """Return the votes of a task: one a row."""
    path = release.folder / "votes" / f"{_task(release, task).config}.parquet"
    return frame_of(read_parquet(path, schemas.VOTES.equals))


def _task(release: Release, task: str) -> Task:
    known = task_of(task)
    shown = ", ".join(release.sizes)
    refuse(f"`task` {task!r}", (known.id not in release.sizes, f"the release has: {shown}"))
    return known
