"""Fill a quota from a walk: judge unit by unit, draw what is accepted, stop when it is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from pipeline.sampling.draft import Draft

Row = dict[str, Any]
#: Units that a judge is given at a time.
BATCH: Final = 256


class Refusal(NamedTuple):
    """Why a unit is no candidate: rule id, reason without its text, and a score where one spoke."""

    rule: str
    reason: str
    score: float | None = None


@dataclass(frozen=True)
class Clusters:
    """The clusters of near-duplicates of which a unit is drawn: no other of them may be.

    `task` is in the id of the rule.
    """

    task: str
    used: set[str] = field(default_factory=set)

    def refusal(self, row: Row) -> Refusal | None:
        """Return why a unit may not be drawn, or None."""
        if row["cluster"] not in self.used:
            return None
        reason = f"another of cluster {row['cluster']} is drawn"
        return Refusal(f"{self.task}.near_duplicate@1", reason)

    def add(self, row: Row) -> None:
        """Take a unit that is drawn."""
        self.used.add(row["cluster"])


#: A judge says of each unit of a batch, in order, why not, or gives the evidence for it.
Judge = Callable[[list[Row]], Iterable[Refusal | Mapping[str, Any]]]


def accepted(
    draft: Draft,
    walk: Iterator[Row],
    *,
    quota: int,
    judge: Judge,
    clusters: Clusters | None = None,
) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Yield up to `quota` accepted units with their evidence; refusals go into the draft.

    Only the first unit of a cluster of near-duplicates is accepted, and none of `clusters`, to
    which the accepted ones are added. Units after the one that fills the quota are neither drawn
    nor refused, whatever the size of a batch.
    """
    clusters = Clusters(draft.task) if clusters is None else clusters
    taken = 0
    while taken < quota and (batch := list(islice(walk, BATCH))):
        for row, found in zip(batch, judge(batch), strict=True):
            if taken == quota:
                break
            refusal = found if isinstance(found, Refusal) else clusters.refusal(row)
            if refusal is not None:
                draft.refuse(row["id"], refusal.rule, refusal.reason, score=refusal.score)
                continue
            assert not isinstance(found, Refusal)
            clusters.add(row)
            taken += 1
            yield row, found
