"""Stage `candidates` of own tasks: units of the named sources, by quota and length.

Units are walked in keyed order until the quota of a source is full; of near-duplicates one is
drawn.
A pair is two units that follow each other in that order. params: as every sampling stage, and
`fields`, the texts that an item has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft, Refusal, accept_units, source_shards
from pipeline.sampling.inputs import keyed_walk

SAMPLER: Final = "quotas"
#: About how many units are looked at for one that is drawn.
_AHEAD: Final = 2

Row = dict[str, Any]


def _run(call: Call, shard: Shard) -> Outcome:
    source, section = str(shard.payload), call.params["sampling"]
    fields, quota = call.params["fields"], section["quotas"][source]
    draft = Draft(call.source, source)
    if source not in call.params["sources"]:
        draft.short("not in this build", wanted=quota, drawn=0)
        return draft.outcome()

    def judge(rows: list[Row]) -> Iterator[Refusal | Mapping[str, Any]]:
        for row in rows:
            length = len(row["text"])
            if section["shortest"] <= length <= section["longest"]:
                yield {}
            else:
                yield Refusal(f"{call.source}.length@1", f"{length} characters", float(length))

    units = quota * len(fields)
    walk = keyed_walk(call, source, purpose=call.source, first=_AHEAD * units)
    rows = (row for row, _ in accept_units(draft, walk, quota=units, judge=judge))
    while len(item := list(islice(rows, len(fields)))) == len(fields):
        draft.add(
            {name: row["text"] for name, row in zip(fields, item, strict=True)},
            {name: row["id"] for name, row in zip(fields, item, strict=True)},
            sampler=SAMPLER,
        )
    draft.short(source, wanted=quota, drawn=len(draft.items))
    return draft.outcome(inputs.ids(call, source))


STAGE = Stage(name=STAGE_NAME, main="items", invariant="sampling", shards=source_shards, run=_run)
