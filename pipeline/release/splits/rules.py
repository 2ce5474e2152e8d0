"""The split rule of every task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pipeline.release.splits import (
    by_date,
    by_question_type,
    by_source,
    counterfactual,
    unbiased_sets,
    uniform_pairs,
    uniform_scores,
    unseen_entities,
)
from pipeline.release.splits.chosen import Chosen

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
