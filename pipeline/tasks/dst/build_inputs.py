"""What a build gives DST: real places and metro lines, and the data of its ground; no sources."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.paths import FilePath
from pipeline.core.specs import Spec
from pipeline.tasks.dst.schema import DATA


class Keys(Spec):
    """The keys of DST in a build file: files of real places and metro lines for dialogues."""

    places: FilePath | None = None
    metro: FilePath | None = None


def _resources(settings: Keys, spec: TaskSpec) -> Resources:
    files = {"places": settings.places, "metro": settings.metro}
    known = {
        name: existing(path, f"candidates.{name}")
        for name, path in files.items()
        if path is not None
    }
    return Resources(
        {
            "slots": [slot.model_dump(mode="json") for slot in spec.slots],
            "given": {name: path.suffixes for name, path in known.items()},
        },
        {name: str(known[name]) if name in known else None for name in files},
        (
            content(DATA, "dialogue"),
            *(content(path, f"candidates.{name}") for name, path in known.items()),
        ),
    )


INPUTS: Final = BuildInputs(keys=Keys, has_sources=False, resources=_resources)
