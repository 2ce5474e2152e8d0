"""What a build gives RE: whole documents, a tagger, and knowledge of relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from pydantic import Field

from pipeline.contracts.build_inputs import BuildInputs, Resources, content, existing
from pipeline.contracts.spec import TaskSpec
from pipeline.core.fingerprint import of_file
from pipeline.core.io import streams
from pipeline.core.paths import FilePath
from pipeline.core.specs import Many, Spec
from pipeline.sampling.tagging.registry import TaggerKeys, resources_of
from pipeline.tasks.re.knowledge import open_base
from pipeline.tasks.re.knowledge.properties import PROPERTIES
from pipeline.tasks.re.knowledge.triples import LINE
from pipeline.tasks.re.ranking import RANKING
from pipeline.tasks.re.spec import ReSampling

#: How often a sentence holds a pair that a base links, for each pair in the base
#: (docs/results/candidates.md), and from how many sentences for a candidate on a base is called
#: small.
_RATE: Final = 6e-8
_SCARCE: Final = 10


class Knowledge(Spec):
    """A file of triples, a JSON dump of Wikidata, or a base of `klue knowledge build`."""

    path: FilePath
    format: Literal["tsv", "jsonl", "wikidata", "base"]


class Keys(TaggerKeys):
    """The keys of RE in a build file; `properties` maps infobox properties to relations."""

    detectors: Annotated[Many[Literal["tagger", "gazetteer", "forms"]], Field(min_length=1)] = (
        "tagger",
        "gazetteer",
        "forms",
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
    return resources_of(settings.tagger or "crf-re") + Resources(
        params={
            "detectors": list(settings.detectors),
            "labels": labels,
            "knowledge": bases,
            "ranking": of_file(RANKING),
        },
        arguments={"knowledge": [str(path) for path in paths], "properties": str(properties)},
        raw=(
            *(content(path, f"candidates.knowledge.{n}.path") for n, path in enumerate(paths)),
            content(properties, "candidates.properties"),
        ),
    )


def _notes(settings: Keys, section: ReSampling) -> Iterator[str]:
    """Yield how far the knowledge bases are too small for the pairs that they should give.

    Infoboxes and dumps of Wikidata are not counted: they would have to be read.
    """
    wanted = sum(quota - round(quota * section.uniform_share) for quota in section.quotas.values())
    if not wanted or any(base.format == "wikidata" for base in settings.knowledge):
        return
    pairs = sum(_count_pairs(base) for base in settings.knowledge)
    most = pairs * section.pair_cap * len(section.quotas)
    sentences = round(wanted / max(pairs * _RATE, 1e-9))
    advice = (
        "make a larger one (klue knowledge build), want fewer candidates (candidates.sizes), or"
        " give RE a higher uniform_share; else only the pairs by knowledge are fewer"
    )
    if wanted > most:
        yield (
            f"{wanted:,} pairs are wanted by knowledge; the bases link {pairs:,} pairs of names,"
            f" each drawn {section.pair_cap} times of a source at most: {most:,}; {advice}"
        )
    elif sentences > _SCARCE * section.total:
        yield (
            f"{wanted:,} pairs are wanted by knowledge; to find them with bases that link"
            f" {pairs:,} pairs of names takes about {sentences:,} sentences; {advice}"
        )


def _count_pairs(base: Knowledge) -> int:
    if base.format == "base":
        with open_base(base.path) as opened:
            return opened.pairs
    with streams.open_stream(base.path) as stream:
        return sum(1 for _, line in streams.read_lines(stream, LINE) if line and line.strip())


INPUTS: Final = BuildInputs(keys=Keys, stages=("read",), resources=_resources, notes=_notes)
