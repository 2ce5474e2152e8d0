"""The notes of where the outputs of builds lie: of a finished one, and of one that has begun.

    WORK/builds/NAME.json        the outputs of the last run that ended
    WORK/builds/NAME.unfinished  those of a run that has begun and not ended

An output that neither names may be removed (`klue store gc`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.plan.build import BuildPlan
from pipeline.core import store
from pipeline.core.errors import StoreError
from pipeline.core.files import MOST_BYTES, regular_file

_FOLDER: Final = "builds"
_FINISHED: Final = ".json"
_UNFINISHED: Final = ".unfinished"


@dataclass(frozen=True)
class Note:
    """A build, the folders of its outputs, and whether its run ended; `time` in seconds."""

    build: str
    finished: bool
    time: float
    folders: frozenset[Path]


def write_beginning(plan: BuildPlan, work: Path, tasks: frozenset[str]) -> None:
    """Note which outputs a run that begins needs, until `write_pointer` tells that it ended."""
    name = _name(plan, tasks)
    _write(work, name, _UNFINISHED, {"name": name, "calls": _calls(plan, work)})


def write_pointer(plan: BuildPlan, work: Path, tasks: frozenset[str], fingerprint: str) -> None:
    """Note where a build's outputs lie; a part of a build is noted apart."""
    name = _name(plan, tasks)
    release = str(plan.release.folder) if plan.release is not None else None
    pointer = {"name": name, "fingerprint": fingerprint, "calls": _calls(plan, work)}
    _write(work, name, _FINISHED, pointer | {"release": release, "inputs": _inputs(plan)})
    (work / _FOLDER / f"{name}{_UNFINISHED}").unlink(missing_ok=True)


def read_notes(work: Path) -> Iterator[Note]:
    """Yield the notes of all builds, by name; raises StoreError for a damaged one."""
    paths = sorted((work / _FOLDER).glob("*"))
    for path in (path for path in paths if path.suffix in (_FINISHED, _UNFINISHED)):
        try:
            time = path.stat().st_mtime
            note = json.loads(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
            folders = frozenset(work / call["folder"] for call in note["calls"])
            yield Note(str(note["name"]), path.suffix == _FINISHED, time, folders)
        except FileNotFoundError:  # its run has just ended
            continue
        except (OSError, ValueError, TypeError, KeyError):
            raise StoreError(
                f"{path}: damaged; run the build again, or remove it if nothing needs that build"
            ) from None


def _name(plan: BuildPlan, tasks: frozenset[str]) -> str:
    whole = ("annotate",) if plan.corpus.build.annotation is None else ("release", "train")
    return ".".join([plan.name, *sorted(tasks), *([] if plan.until in whole else [plan.until])])


def _calls(plan: BuildPlan, work: Path) -> list[dict[str, str]]:
    return [
        {
            "stage": call.stage,
            "source": call.source,
            "folder": call.folder.relative_to(work).as_posix(),
        }
        for call in plan.calls
    ]


def _inputs(plan: BuildPlan) -> dict[str, list[dict[str, Any]]]:
    """Return the inputs of each source: name, path as the build file has it, if it is a folder."""
    build = plan.corpus.build
    return {
        source: [
            {
                "name": written.name or written.path.name,
                "path": str(written.path),
                "folder": read.path.is_dir(),
            }
            for written, read in zip(entry.inputs, build.sources[source].inputs, strict=True)
        ]
        for source, entry in build.written.sources.items()
    }


def _write(work: Path, name: str, ending: str, note: dict[str, Any]) -> None:
    (work / _FOLDER).mkdir(exist_ok=True)
    store.write_json(work / _FOLDER / f"{name}{ending}", note)
