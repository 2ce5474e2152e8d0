"""What the manifest of a version made by errata says otherwise than that of the one before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pipeline.core.files import refuse
from pipeline.release.checks.subject import ERRATA
from pipeline.release.errata.rows import Patched, sizes
from pipeline.release.manifest import Manifest, StageEntry, WithdrawnEntry

_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")


def next_version(base: str, out: Path) -> str:
    """Return the version that a folder names, or the next; raises InputError for a lower one."""
    first, second, third = (int(part) for part in base.split(".")[:3])
    if not _VERSION.fullmatch(out.name):
        return f"{first}.{second}.{third + 1}"
    higher = tuple(map(int, out.name.split("."))) > (first, second, third)
    refuse(f"--out {out}", (not higher, f"must be a version above {base}, that of the release"))
    return out.name


def next_manifest(
    base: Manifest, number: str, changed: Mapping[str, Patched], digest: str
) -> Manifest:
    """Return the manifest of a version, but for its files: `digest` is that of the errata file.

    Errata are a stage of each changed task: examples in are examples out and removed ones, over
    all versions that were made so. Removed examples are withdrawn, so that a build of a later
    version leaves them out.
    """
    mine = {
        "sha256": digest,
        "patches": sum(len(patched.patches) for patched in changed.values()),
        "of": base.version,
        "release_hash": base.release_hash,
    }
    stages = {(stage.stage, stage.source): stage for stage in base.stages}
    withdrawn = {entry.id: entry for entry in base.withdrawn}
    tasks = dict(base.tasks)
    for config, patched in changed.items():
        entry, out = base.tasks[config], len(patched.removed)
        before = stages.get((ERRATA, entry.task))
        stages[ERRATA, entry.task] = StageEntry(
            stage=ERRATA,
            source=entry.task,
            rows_in=before.rows_in if before else sum(entry.splits.values()),
            rows_out=sum(sizes(patched).values()),
            dropped=out + (before.dropped if before else 0),
            quarantined=0,
            edited=len(patched.edited) + (before.edited if before else 0),
        )
        update = {"splits": sizes(patched), "left_out": entry.left_out + out}
        tasks[config] = entry.model_copy(update=update)
        for guid in patched.removed:
            withdrawn.setdefault(guid, WithdrawnEntry(id=guid, reason="wrong"))
    return base.model_copy(
        update={
            "version": number,
            "build": {**base.build, ERRATA: [*base.build.get(ERRATA, ()), mine]},
            "tasks": tasks,
            "stages": list(stages.values()),
            "withdrawn": sorted(withdrawn.values(), key=lambda entry: entry.id),
            "release_hash": "",
        }
    )
