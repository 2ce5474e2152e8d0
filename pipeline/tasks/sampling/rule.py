"""The section `sampling` of a spec: one model a rule, told apart by `rule`."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from pipeline.tasks.sampling.dependency import DependencySampling
from pipeline.tasks.sampling.dialogue import DialogueSampling
from pipeline.tasks.sampling.entities import EntitySampling
from pipeline.tasks.sampling.inference import InferenceSampling
from pipeline.tasks.sampling.reading import ReadingSampling
from pipeline.tasks.sampling.relation import RelationSampling
from pipeline.tasks.sampling.similarity import SimilaritySampling
from pipeline.tasks.sampling.topic import TopicSampling

SamplingRule = Annotated[
    TopicSampling
    | SimilaritySampling
    | InferenceSampling
    | EntitySampling
    | RelationSampling
    | DependencySampling
    | ReadingSampling
    | DialogueSampling,
    Field(discriminator="rule"),
]
#: The rule by which each task draws its candidates.
SAMPLING_RULES: Final[dict[str, str]] = {
    "tc": "headlines",
    "sts": "sentence_pairs",
    "nli": "premises",
    "ner": "tagged",
    "re": "entity_pairs",
    "dp": "equal_styles",
    "mrc": "passages",
    "dst": "goals",
}
