"""Tasks whose sources have a quota each: one shard a source, filled in keyed order by a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pipeline.core.stage import Call, Outcome, Shard
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Judge, accepted
from pipeline.sampling.sources import planned
from pipeline.sampling.walk import keyed

Row = dict[str, Any]
#: Adds an accepted unit, with the evidence for it, to the draft of its source.
Add = Callable[[Draft, Row, Mapping[str, Any]], None]


def shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for every source that has a quota, whether it is in the build or not.

    Raises SpecError for a source of the build without a quota.
    """
    return (Shard(name, name) for name in planned(call, call.params["sampling"]["quotas"]))


def filled(call: Call, shard: Shard, *, judge: Judge, add: Add, ahead: int) -> Outcome:
    """Walk through the units of a shard's source until its quota is full; return its candidates.

    `ahead` is about how many units are looked at for one that is drawn. `judge` and `add` are asked
    only if the source is in the build; if it is not, its quota is noted as not met.
    """
    source: str = shard.payload
    quota = call.params["sampling"]["quotas"][source]
    draft = Draft(call.source, source)
    if source not in call.params["sources"]:
        draft.short("not in this build", wanted=quota, drawn=0)
        return draft.outcome()
    walk = keyed(call, source, purpose=call.source, first=ahead * quota)
    for row, evidence in accepted(draft, walk, quota=quota, judge=judge):
        add(draft, row, evidence)
    draft.short(source, wanted=quota, drawn=len(draft.items))
    return draft.outcome(inputs.ids(call, source))
