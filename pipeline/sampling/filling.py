"""Fill the quotas of sources: walk through units, judge each, draw those that are accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from pipeline.core.errors import SpecError
from pipeline.core.stage import Call, Outcome, Shard
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.walk import Row, keyed_walk

#: Units that a judge gets at a time.
BATCH: Final = 256


class Refusal(NamedTuple):
    """Why a unit is no candidate: rule id, reason without its text, and a score if there is one."""

    rule: str
    reason: str
    score: float | None = None


@dataclass(frozen=True)
class Clusters:
    """The clusters of near-duplicates of which a unit is drawn; no second unit of them may be.

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
        """Note a unit that is drawn."""
        self.used.add(row["cluster"])


#: A judge returns for each unit of a batch, in order, a refusal or the evidence for the unit.
Judge = Callable[[list[Row]], Iterable[Refusal | Mapping[str, Any]]]


def accept_units(
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
        for row, verdict in zip(batch, judge(batch), strict=True):
            if taken == quota:
                break
            refusal = verdict if isinstance(verdict, Refusal) else clusters.refusal(row)
            if refusal is not None:
                draft.refuse(row["id"], refusal.rule, refusal.reason, score=refusal.score)
                continue
            assert not isinstance(verdict, Refusal)
            clusters.add(row)
            taken += 1
            yield row, verdict


def planned_sources(call: Call, quotas: Iterable[str]) -> list[str]:
    """Return the sources of a call and those that have quotas, sorted.

    A source with a quota that is not in the build has no units; its quota is noted as short.
    Raises SpecError for a source of the build that feeds the task and has no quota.
    """
    known = set(quotas)
    unknown = sorted(set(call.params["sources"]) - known)
    if unknown:
        raise SpecError(
            f"{call.source}: {', '.join(unknown)} feeds it and has no quota in the section"
            f" `sampling` of its spec, which has {', '.join(sorted(known))}; add one, or take"
            f" {call.source} from the units of that source in the catalogue"
        )
    return sorted(known)


def source_shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for every source that has a quota, whether it is in the build or not.

    Raises SpecError for a source of the build without a quota.
    """
    return (Shard(name, name) for name in planned_sources(call, call.params["sampling"]["quotas"]))


def fill_quota(
    call: Call,
    shard: Shard,
    *,
    judge: Judge,
    add: Callable[[Draft, Row, Mapping[str, Any]], None],
    ahead: int,
) -> Outcome:
    """Walk through the units of a shard's source until its quota is full; return its candidates.

    `add` adds an accepted unit, with the evidence for it, to the draft of its source. About `ahead`
    units are looked at for one that is drawn. If the source is not in the build, its quota is noted
    as not met.
    """
    source: str = shard.payload
    quota = call.params["sampling"]["quotas"][source]
    draft = Draft(call.source, source)
    if source not in call.params["sources"]:
        draft.short("not in this build", wanted=quota, drawn=0)
        return draft.outcome()
    walk = keyed_walk(call, source, purpose=call.source, first=ahead * quota)
    for row, evidence in accept_units(draft, walk, quota=quota, judge=judge):
        add(draft, row, evidence)
    draft.short(source, wanted=quota, drawn=len(draft.items))
    return draft.outcome(inputs.ids(call, source))
