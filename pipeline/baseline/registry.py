"""The approach of each task, by its id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pipeline.baseline.approach import Approach
from pipeline.baseline.approaches import (
    dependency,
    dialogue,
    entities,
    inference,
    reading,
    relation,
    similarity,
    topic,
)
from pipeline.baseline.recipe import Recipe
from pipeline.tasks.example import Example
from pipeline.tasks.spec import TaskSpec

Maker = Callable[[TaskSpec, Recipe, Sequence[Example]], Approach]
#: What makes the approach of a task, of its spec, a recipe and the examples to learn from.
APPROACHES: Final[dict[str, Maker]] = {
    "tc": topic.approach,
    "sts": similarity.approach,
    "nli": inference.approach,
    "ner": entities.approach,
    "re": relation.approach,
    "dp": dependency.approach,
    "mrc": reading.approach,
    "dst": dialogue.approach,
}
