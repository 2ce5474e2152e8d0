"""The split rule of every task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pipeline.release.splits.chosen import Chosen
from pipeline.release.splits.dependency import by_source
from pipeline.release.splits.dialogue import counterfactual
from pipeline.release.splits.entities import unseen_entities
from pipeline.release.splits.inference import unbiased_sets
from pipeline.release.splits.reading import by_question_type
from pipeline.release.splits.relation import uniform_pairs
from pipeline.release.splits.similarity import uniform_scores
from pipeline.release.splits.topic import by_date

#: By the name that a spec gives; each is called with groups, the rule's numbers, and the seed.
RULES: Final[dict[str, Callable[..., Chosen]]] = {
    "by_date": by_date.split,
    "uniform_scores": uniform_scores.split,
    "unbiased_sets": unbiased_sets.split,
    "unseen_entities": unseen_entities.split,
    "uniform_pairs": uniform_pairs.split,
    "by_source": by_source.split,
    "by_question_type": by_question_type.split,
    "counterfactual": counterfactual.split,
}
