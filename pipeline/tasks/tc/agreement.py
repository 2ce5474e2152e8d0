"""Facts about the votes of tc: how many annotators name a second topic (Section 3.1.1)."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from pipeline.agreement.items import TaskFacts, share
from pipeline.agreement.votes.selection import Selection
from pipeline.core.jsontext import parsed


def _share_of_items(selection: Selection, *, second_topic: bool) -> float | None:
    """Return the share of items for which everybody names a second topic, or nobody."""
    ratings = selection.ratings
    labels = selection.column("label")
    several = {text: len(parsed(text)) > 1 for text in set(labels)}
    more = ratings.unit[np.array([several[text] for text in labels], bool)]
    votes, second = (
        np.bincount(unit, minlength=len(ratings.units)) for unit in (ratings.unit, more)
    )
    return share((second == (votes if second_topic else 0)) & (votes > 0), votes > 0)


FACTS: Final[TaskFacts] = {
    "one_topic_only": (
        "items for which nobody named a second topic",
        partial(_share_of_items, second_topic=False),
    ),
    "second_topic_by_all": (
        "items for which everybody named a second topic",
        partial(_share_of_items, second_topic=True),
    ),
}
