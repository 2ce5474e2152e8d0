"""Facts about the votes of tc: how many annotators name a second topic (Section 3.1.1)."""

from __future__ import annotations

from typing import Final

import numpy as np

from pipeline.agreement.record.facts import TaskFacts, share
from pipeline.agreement.votes.selection import Selection
from pipeline.core.jsontext import parsed


def _one_topic(selection: Selection) -> float | None:
    votes, more = _counts(selection)
    return share((more == 0) & (votes > 0), votes > 0)


def _two_topics(selection: Selection) -> float | None:
    votes, more = _counts(selection)
    return share((more == votes) & (votes > 0), votes > 0)


def _counts(selection: Selection) -> tuple[np.ndarray, np.ndarray]:
    """Return the votes on each item, and those with a second topic, (units,)."""
    ratings = selection.ratings
    labels = selection.column("label")
    several = {text: len(parsed(text)) > 1 for text in set(labels)}
    more = ratings.unit[np.array([several[text] for text in labels], bool)]
    votes, second = (
        np.bincount(unit, minlength=len(ratings.units)) for unit in (ratings.unit, more)
    )
    return votes, second


FACTS: Final[TaskFacts] = {
    "one_topic_only": ("items for which nobody named a second topic", _one_topic),
    "second_topic_by_all": ("items for which everybody named a second topic", _two_topics),
}
