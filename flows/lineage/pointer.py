"""Writes the notes of where the outputs and the own tasks of a build lie (notes.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.lineage.notes import FINISHED, FOLDER, UNFINISHED
from flows.plan.build import BuildPlan
from pipeline.contracts.parts import own_folder
from pipeline.core import store


def write_beginning(plan: BuildPlan, work: Path, tasks: frozenset[str]) -> None:
    """Note which outputs a run that begins needs, until `write_pointer` tells that it ended."""
    name = _name(plan, tasks)
    _write(work, name, UNFINISHED, {"name": name, **_references(plan, work)})


def write_pointer(plan: BuildPlan, work: Path, tasks: frozenset[str], fingerprint: str) -> None:
    """Note where a build's outputs lie; a part of a build is noted apart."""
    name = _name(plan, tasks)
    release = str(plan.release.folder) if plan.release is not None else None
    pointer = {"name": name, "fingerprint": fingerprint, **_references(plan, work)}
    _write(work, name, FINISHED, pointer | {"release": release, "inputs": _inputs(plan)})
    (work / FOLDER / f"{name}{UNFINISHED}").unlink(missing_ok=True)


def _name(plan: BuildPlan, tasks: frozenset[str]) -> str:
    whole = ("annotate",) if plan.corpus.build.annotation is None else ("release", "train")
    return ".".join([plan.name, *sorted(tasks), *([] if plan.until in whole else [plan.until])])


def _references(plan: BuildPlan, work: Path) -> dict[str, Any]:
    """Return the folders of the outputs of a build, and those of its own tasks."""
    calls = [
        {
            "stage": call.stage,
            "source": call.source,
            "folder": call.folder.relative_to(work).as_posix(),
        }
        for call in plan.calls
    ]
    folders = {part.task: own_folder(part.task) for part in plan.tasks}
    return {"calls": calls, "tasks": {task: str(path) for task, path in folders.items() if path}}


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
    (work / FOLDER).mkdir(exist_ok=True)
    store.write_json(work / FOLDER / f"{name}{ending}", note)
