"""Stage `candidates` of inference: premises by source (Section 3.3.1).

Sentences are walked in keyed order and judged by `proposition` until the source's quota is full; of
near-duplicates one is drawn. An author writes three hypotheses for each premise in the first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import Refusal, accepted
from pipeline.sampling.inference.proposition import judge
from pipeline.sampling.morphology import PACKAGES
from pipeline.sampling.walk import keyed

SAMPLER: Final = "premises"
#: About how many sentences are looked at for one premise; a walk goes on where that is too few.
_PER_PREMISE: Final = 4


def _shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for every source, and for every quota without one: it is noted as not met."""
    sources, quotas = call.params["sources"], call.params["sampling"]["quotas"]
    without = sorted(set(sources) - set(quotas))
    if without:
        raise InputError(
            f"source {without[0]} feeds nli but has no quota; give it one in"
            " annotation_specs/nli/spec.yaml under sampling.quotas"
        )
    yield from (Shard(source, source) for source in sorted(quotas))


def _run(call: Call, shard: Shard) -> Outcome:
    source: str = shard.payload
    draft = Draft("nli", source)
    quota = call.params["sampling"]["quotas"][source]
    drawn = _draw(call, draft, quota) if source in call.params["sources"] else 0
    draft.short(source, wanted=quota, drawn=drawn)
    return draft.outcome(inputs.ids(call, source))


def _draw(call: Call, draft: Draft, quota: int) -> int:
    source = draft.source
    style = call.params["sources"][source]["style"]
    walk = keyed(call, source, purpose="nli", first=_PER_PREMISE * quota)
    judged = partial(_judged, sampling=call.params["sampling"], style=style)
    for row, evidence in accepted(draft, walk, quota=quota, judge=judged):
        fields, units = {"premise": row["text"]}, {"premise": row["id"]}
        draft.add(fields, units, sampler=SAMPLER, meta={"style": style, **evidence})
    return len(draft.items)


def _judged(
    rows: list[dict[str, Any]], *, sampling: Mapping[str, Any], style: str
) -> Iterator[Refusal | Mapping[str, Any]]:
    return (judge(row["text"], sampling, style) for row in rows)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=_shards,
    run=_run,
    distributions=PACKAGES,
)
