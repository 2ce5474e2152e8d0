"""Examples on their way into a split, and the groups that must stay together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.contracts.splits import Split


@dataclass(frozen=True)
class Member:
    """One gold example: what a rule may look at.

    `fields` and `label` are plain data in the forms of the task; `style` is formal or colloquial
    (None where the source is not known); `date` is YYYY-MM-DD. `kept` is the split that an earlier
    version gave it. `distance` is that of hypothesis-only scoring (NLI).
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
    def kept(self) -> Split | None:
        """Return the split that an earlier version gave it, if it is not new."""
        return next((one.kept for one in self.members if one.kept is not None), None)

    def __len__(self) -> int:
        """Return how many members it has."""
        return len(self.members)


def group(members: Sequence[Member]) -> Group:
    """Return the group of these members."""
    ordered = tuple(sorted(members, key=lambda one: one.id))
    return Group(ordered[0].id, ordered)
