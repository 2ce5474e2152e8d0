"""What the cards of a release say of one task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS

#: The hub's categories of tasks, by the kind in which answers are compared.
_CATEGORIES: Final = {
    "spans": "token-classification",
    "tree": "token-classification",
    "states": "text-generation",
}


@dataclass(frozen=True)
class Card:
    """What cards say of a task: the hub's words for it, and what its split rule promises.

    `written` says that annotators write texts; `redrawn` is what anybody with the raw corpora and
    the build file knows of test examples. `split` is how examples are divided, `promises` what
    holds because of it; what a version does not meet is listed beside it.
    """

    category: str
    subtask: str | None = None
    written: bool = False
    redrawn: str | None = None
    split: str = "By keyed draws: every split has the labels or sources in the shares of the whole."
    promises: tuple[str, ...] = ()


CARDS: Final = Parts[Card]("columns", "CARD")
#: What holds for every task.
COMMON: Final = (
    "Near-duplicates, texts that contain one another, and what was cut out of one document are in"
    " one split.",
    "An example keeps its split from version to version; no test example ever moves to train.",
    "No example is in two splits; a check apart from the code that splits looks for what they share"
    " (exact and near duplicates, documents, entities), and a leak stops the release.",
)


def card_of(task: str) -> Card:
    """Return the card of a task; without one, that of its kind of answers."""
    kind = TASKS[task].kind
    card: Card = CARDS.get(task, Card(_CATEGORIES.get(kind, "text-classification")))
    return card
