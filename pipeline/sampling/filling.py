"""Fill a quota from a walk: judge unit by unit, draw what is accepted, stop when it is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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


#: A judge says of each unit of a batch, in order, why not, or gives the evidence for it.
Judge = Callable[[list[Row]], Iterable[Refusal | Mapping[str, Any]]]


def accepted(
    draft: Draft, walk: Iterator[Row], *, quota: int, judge: Judge, apart: bool = True
) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Yield up to `quota` accepted units with their evidence; refusals go into the draft.

    With `apart` only the first unit of a cluster of near-duplicates is accepted. Units after the
    one that fills the quota are neither drawn nor refused, whatever the size of a batch.
    """
    clusters: set[str] = set()
    taken = 0
    while taken < quota and (batch := list(islice(walk, BATCH))):
        for row, found in zip(batch, judge(batch), strict=True):
            if taken == quota:
                break
            refusal = found if isinstance(found, Refusal) else _again(draft, row, clusters, apart)
            if refusal is not None:
                draft.refuse(row["id"], refusal.rule, refusal.reason, score=refusal.score)
                continue
            assert not isinstance(found, Refusal)
            clusters.add(row["cluster"])
            taken += 1
            yield row, found


def _again(draft: Draft, row: Row, clusters: set[str], apart: bool) -> Refusal | None:
    if apart and row["cluster"] in clusters:
        return Refusal(
            f"{draft.task}.near_duplicate@1", f"another of cluster {row['cluster']} is drawn"
        )
    return None
