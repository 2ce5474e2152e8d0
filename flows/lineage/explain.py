"""The life of a document, section, unit, record or candidate: its origin, and every decision."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from flows.lineage.corpus import document, section, unit
from flows.lineage.outputs import Outputs, Row, Step
from flows.lineage.tasks import candidate
from pipeline.core.errors import InputError, StoreError
from pipeline.core.ids import source_of

#: The letter after the source in an id, and the kind it stands for.
KINDS = {
    "d": "document",
    "p": "section",
    "s": "sentence",
    "w": "whole",
    "q": "record",
    "c": "candidate",
}


@dataclass(frozen=True)
class Life:
    """All that is known of an id, in order of time."""

    id: str
    kind: str
    build: str
    steps: list[Step]

    def record(self) -> Row:
        """Return the same as a JSON value."""
        return {
            "id": self.id,
            "kind": self.kind,
            "build": self.build,
            "steps": [asdict(step) for step in self.steps],
        }


def explain(name: str, work: Path, build: str | None = None) -> Life:
    """Tell the life of an id, looked up in the builds of a work directory.

    Raises InputError when the id has no form that this project gives, or no build knows it.
    """
    kind = KINDS.get(name.rpartition("-")[2][:1])
    if not source_of(name) or kind is None:
        raise InputError(
            f"{name!r} is not an id; ids look like nsmc-s4f0c... (source, kind, digest) and stand"
            " in the columns `id` and `unit` of the tables"
        )
    pointers = _pointers(work, build)
    for pointer in pointers:
        steps = _steps(Outputs(work, pointer), name, kind)
        if steps:
            return Life(name, kind, pointer["name"], steps)
    raise InputError(
        f"{name}: unknown in the builds {', '.join(p['name'] for p in pointers)} of {work}; check"
        " the id, or give the --work directory of the build that it belongs to"
    )


def _pointers(work: Path, build: str | None) -> list[Row]:
    names = sorted(path.stem for path in (work / "builds").glob("*.json"))
    found = [name for name in names if build in {None, name}]
    if not found:
        known = f"it has {', '.join(names)}" if names else "run `klue build BUILD.yaml` first"
        what = f"no build {build!r}" if build else "no build"
        raise InputError(f"{work}: holds {what}; {known}")
    return [_pointer(work / "builds" / f"{name}.json") for name in found]


def _pointer(path: Path) -> Row:
    try:
        pointer = json.loads(path.read_text("utf-8"))
        told = {"name": pointer["name"], "calls": list(pointer["calls"])}
        return {**told, "release": pointer.get("release")}
    except (ValueError, TypeError, KeyError):
        raise StoreError(f"{path}: damaged; run the build again") from None


def _steps(outputs: Outputs, name: str, kind: str) -> list[Step]:
    source = source_of(name)
    if kind == "candidate":
        return candidate(outputs, name, source)
    if ("read", source) not in outputs.folders:
        return []
    if kind == "document":
        return document(outputs, name, source)
    if kind == "section":
        return section(outputs, name, source)
    if kind == "record":
        return outputs.ledger("read", source, name)
    return unit(outputs, name, source, kind)
