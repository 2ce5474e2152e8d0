"""Stage `candidates` of own tasks: units of the named sources, by quota and length.

Units are walked in keyed order until the quota of a source is full; of near-duplicates one is
drawn.
A pair is two units that follow each other in that order. params: as every sampling stage, and
`fields`, the texts that an item has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import (
    STAGE_NAME,
    Draft,
    Refusal,
    fill_quota,
    one_by_one,
    source_shards,
)
from pipeline.sampling.inputs import Row

SAMPLER: Final = "quotas"
#: About how many units are looked at for one that is drawn.
_AHEAD: Final = 2


def _run(call: Call, shard: Shard) -> Outcome:
    section, fields = call.params["sampling"], call.params["fields"]
    item: list[Row] = []

    def judge(row: Row) -> Refusal | Mapping[str, Any]:
        length = len(row["text"])
        if section["shortest"] <= length <= section["longest"]:
            return {}
        return Refusal(f"{call.source}.length@1", f"{length} characters", float(length))

    def add(draft: Draft, row: Row, _evidence: Mapping[str, Any]) -> None:
        item.append(row)
        if len(item) == len(fields):
            draft.add(
                {name: row["text"] for name, row in zip(fields, item, strict=True)},
                {name: row["id"] for name, row in zip(fields, item, strict=True)},
                sampler=SAMPLER,
            )
            item.clear()

    return fill_quota(
        call, shard, judge=one_by_one(judge), add=add, ahead=_AHEAD, units=len(fields)
    )


STAGE = Stage(name=STAGE_NAME, main="items", invariant="sampling", shards=source_shards, run=_run)
