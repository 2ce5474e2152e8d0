"""The notes of where the outputs of builds lie: of a finished one, and of one that has begun.

    WORK/builds/NAME.json        the outputs of the last run that ended
    WORK/builds/NAME.unfinished  those of a run that has begun and not ended

An output that neither names may be removed (`klue store gc`). A note also holds the folders of the
own tasks of its build, so that other commands about the work directory know them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pipeline.core.errors import StoreError
from pipeline.core.files import MOST_BYTES, regular_file

#: Where notes lie in a work directory, and how the names of their files end.
FOLDER: Final = "builds"
FINISHED: Final = ".json"
UNFINISHED: Final = ".unfinished"
#: Where batches lie in it, as pipeline/annotation/batches/batch.py has it, which is slow to import.
_BATCHES: Final = "annotation"


@dataclass(frozen=True)
class Note:
    """A build: folders of its outputs and own tasks, if its run ended, and when (in seconds)."""

    build: str
    finished: bool
    time: float
    folders: frozenset[Path]
    tasks: Mapping[str, Path]


def read_notes(work: Path) -> Iterator[Note]:
    """Yield the notes of all builds, by name; raises StoreError for a damaged one."""
    paths = sorted((work / FOLDER).glob("*"))
    for path in (path for path in paths if path.suffix in (FINISHED, UNFINISHED)):
        try:
            time = path.stat().st_mtime
            note = json.loads(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
            folders = frozenset(work / call["folder"] for call in note["calls"])
            tasks = {task: Path(folder) for task, folder in note.get("tasks", {}).items()}
            yield Note(str(note["name"]), path.suffix == FINISHED, time, folders, tasks)
        except FileNotFoundError:  # its run has just ended
            continue
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            raise StoreError(
                f"{path}: damaged; run the build again, or remove it if nothing needs that build"
            ) from None


def own_tasks(place: Path) -> dict[str, tuple[Path, str]]:
    """Return folder and build of the own tasks of a work directory; the newest build decides.

    `place` may also be the folder of a batch there, or of the batches of a task. Raises StoreError
    for a damaged note of a build.
    """
    parents = [parent for parent in place.absolute().parents[:2] if parent.name == _BATCHES]
    work = parents[0].parent if parents else place
    folders: dict[str, tuple[Path, str]] = {}
    for note in sorted(read_notes(work), key=lambda note: note.time, reverse=True):
        for task, folder in note.tasks.items():
            folders.setdefault(task, (folder, f"the build {note.build} of {work}"))
    return folders


def know_own_tasks(place: Path) -> None:
    """Make the own tasks of a work directory known, which is found as by `own_tasks`."""
    for task, (folder, build) in own_tasks(place).items():
        from pipeline.contracts.own_task import register_noted

        register_noted(task, folder, build)
