"""The note of where a build's outputs lie."""

from __future__ import annotations

from pathlib import Path

from flows.plan.build import BuildPlan
from pipeline.core import store


def write_pointer(plan: BuildPlan, work: Path, tasks: frozenset[str], fingerprint: str) -> None:
    """Note where a build's outputs lie; a part of a build is noted apart."""
    calls = [
        {
            "stage": call.stage,
            "source": call.source,
            "folder": call.folder.relative_to(work).as_posix(),
        }
        for call in plan.calls
    ]
    whole = ("annotate",) if plan.corpus.build.annotation is None else ("release", "train")
    name = ".".join([plan.name, *sorted(tasks), *([] if plan.until in whole else [plan.until])])
    release = str(plan.release.folder) if plan.release is not None else None
    pointer = {"name": name, "fingerprint": fingerprint, "calls": calls, "release": release}
    (work / "builds").mkdir(exist_ok=True)
    store.write_json(work / "builds" / f"{name}.json", pointer)
