"""Examples on their way into a split, and the groups that must stay together."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.contracts.splits import Split


@dataclass(frozen=True)
class Member:
    """One gold example: what a rule may look at.

    `fields` and `label` are plain data in the forms of the task; `style` is formal or colloquial
    (None where the source is not known); `date` is YYYY-MM-DD. `kept` is the split that an earlier
    version gave it. `distance` is a score of an earlier stage, by
    which the task's rule chooses.
    """

    id: str
    source: str
    fields: Mapping[str, Any]
    label: Any
    sampler: str | None = None
    style: str | None = None
    date: str | None = None
    documents: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    distance: float | None = None
    agreement: float | None = None
    simulated: bool = False
    kept: Split | None = None


@dataclass(frozen=True)
class Group:
    """Members that never part, by id: near-duplicates, and what shares a document.

    `id` is the smallest id of a member. All members that have a `kept` have the same one.
    """

    id: str
    members: tuple[Member, ...]

    @property
    def source(self) -> str:
        """Return the source that most of its members have, the first by name of several."""
        counts = Counter(member.source for member in self.members)
        return min(counts, key=lambda name: (-counts[name], name))

    @property
    def kept(self) -> Split | None:
        """Return the split that an earlier version gave it, if it is not new."""
        return next((member.kept for member in self.members if member.kept is not None), None)

    def __len__(self) -> int:
        """Return how many members it has."""
        return len(self.members)


def group(members: Sequence[Member]) -> Group:
    """Return the group of these members."""
    ordered = tuple(sorted(members, key=lambda member: member.id))
    return Group(ordered[0].id, ordered)


def entity_form(word: str) -> str:
    """Return a word as entities are compared: NFKC, casefolded, without blanks.

    `FC 서울` and `fc서울` are one form; so a promise about forms holds for words as written, too.
    """
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(unicodedata.normalize("NFKC", folded).split())
