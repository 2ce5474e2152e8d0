"""Stage `candidates` of inference: premises by source (Section 3.3.1).

Sentences are walked in keyed order and judged by `proposition` until the source's quota is full; of
near-duplicates one is drawn. An author writes three hypotheses for each premise in the first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import Refusal, fill_quota, source_shards
from pipeline.tasks.nli.candidates.proposition import judge

SAMPLER: Final = "premises"
#: About how many sentences are looked at for one premise; a walk goes on where that is too few.
_PER_PREMISE: Final = 4

Row = dict[str, Any]


def _run(call: Call, shard: Shard) -> Outcome:
    judged = partial(_judged, call, shard.payload)
    return fill_quota(call, shard, judge=judged, add=_add, ahead=_PER_PREMISE)


def _judged(call: Call, source: str, rows: list[Row]) -> Iterator[Refusal | Mapping[str, Any]]:
    style, sampling = call.params["sources"][source]["style"], call.params["sampling"]
    for row in rows:
        found = judge(row["text"], sampling, style)
        yield found if isinstance(found, Refusal) else {"style": style, **found}


def _add(draft: Draft, row: Row, evidence: Mapping[str, Any]) -> None:
    draft.add({"premise": row["text"]}, {"premise": row["id"]}, sampler=SAMPLER, meta=evidence)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=source_shards,
    run=_run,
    distributions=PACKAGES,
)
