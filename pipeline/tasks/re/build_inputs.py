"""What a build gives RE: whole documents, a tagger, and knowledge of relations."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.candidates_config import Candidates
from pipeline.sampling.tagging.registry import resources_of
from pipeline.tasks.re.knowledge.properties import PROPERTIES


def _resources(settings: Candidates, spec: TaskSpec) -> Resources:
    paths = [
        existing(base.path, f"candidates.knowledge.{n}.path")
        for n, base in enumerate(settings.knowledge)
    ]
    properties = PROPERTIES
    if settings.properties is not None:
        properties = existing(settings.properties, "candidates.properties")
    bases = [
        {"name": path.name, "format": base.format}
        for path, base in zip(paths, settings.knowledge, strict=True)
    ]
    labels = [
        label.model_dump(mode="json", include={"id", "subject", "objects"}) for label in spec.labels
    ]
    return resources_of(settings.tagger) + Resources(
        {"detectors": list(settings.detectors), "labels": labels, "knowledge": bases},
        {"knowledge": [str(path) for path in paths], "properties": str(properties)},
        (
            *(content(path, f"candidates.knowledge.{n}.path") for n, path in enumerate(paths)),
            content(properties, "candidates.properties"),
        ),
    )


INPUTS: Final = BuildInputs(stages=("read",), resources=_resources)
