"""What a build gives RE: whole documents, a tagger, and knowledge of relations."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.paths import FilePath
from pipeline.core.specs import Many, Spec
from pipeline.sampling.tagging.registry import TaggerKeys, resources_of
from pipeline.tasks.re.knowledge.properties import PROPERTIES


class Knowledge(Spec):
    """A file of triples; `wikidata` is a JSON dump of Wikidata."""

    path: FilePath
    format: Literal["tsv", "jsonl", "wikidata"]


class Keys(TaggerKeys):
    """The keys of RE in a build file; `properties` maps infobox properties to relations."""

    detectors: Annotated[Many[Literal["tagger", "gazetteer"]], Field(min_length=1)] = (
        "tagger",
        "gazetteer",
    )
    knowledge: Many[Knowledge] = ()
    properties: FilePath | None = None


def _resources(settings: Keys, spec: TaskSpec) -> Resources:
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
        params={"detectors": list(settings.detectors), "labels": labels, "knowledge": bases},
        arguments={"knowledge": [str(path) for path in paths], "properties": str(properties)},
        raw=(
            *(content(path, f"candidates.knowledge.{n}.path") for n, path in enumerate(paths)),
            content(properties, "candidates.properties"),
        ),
    )


INPUTS: Final = BuildInputs(keys=Keys, stages=("read",), resources=_resources)
