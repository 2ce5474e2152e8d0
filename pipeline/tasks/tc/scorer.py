"""Scoring of TC: macro F1 of the first topic (Section 3.1.2), the same in both variants."""

from __future__ import annotations

from typing import Final

from pipeline.contracts.example import Example
from pipeline.contracts.task import mask
from pipeline.scoring import rows
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.kinds.scorer import category_measures


def _gold(example: Example) -> str:
    topics = example.label
    if not isinstance(topics, list) or not topics or not isinstance(topics[0], str):
        raise rows.unanswered_error(f"its label is {mask(topics)}, not a list of topics")
    return topics[0]


SCORER: Final = Scorer(
    task="tc",
    names=("macro_f1",),
    measures=category_measures("macro_f1"),
    length=rows.characters("title"),
    gold=_gold,
    labels=lambda example: (_gold(example),),
    answer=lambda vote: vote[0] if isinstance(vote, list) and vote else vote,
)
