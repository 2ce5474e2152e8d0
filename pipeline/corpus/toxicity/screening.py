"""Stage `toxicity`: units whose scores reach a threshold leave, whatever detector made the scores.

`call.inputs` are the folder of units and the folder of their scores. A score at the threshold is
over it; a unit without a score, since it is not Korean, stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count

#: Rule ids by score, in order: a unit over both thresholds leaves under the first.
RULES: Final = {"gender_bias": "toxicity.gender_bias@1", "hate": "toxicity.hate@1"}
LABELS: Final = {"gender_bias": "gender bias", "hate": "hate"}


def _shards(call: Call) -> Iterator[Shard]:
    units, scores = call.inputs
    digests = [store.digests(folder) for folder in call.inputs]
    for path in store.tables(units, "units"):
        label = path.stem.removeprefix("units-")
        pair = path, scores / f"scores-{label}.parquet"
        read = [digest.get(file.name) for digest, file in zip(digests, pair, strict=True)]
        yield Shard(label, pair, reads=[call.params, *read] if all(read) else None)


def _run(call: Call, shard: Shard) -> Outcome:
    units_path, scores_path = shard.payload
    units = store.read_table(units_path, "units")
    scores = store.read_table(scores_path, "scores")
    if not units.column("id").equals(scores.column("unit")):
        raise StoreError(
            f"{scores_path}: the scores are not those of {units_path}: {scores.num_rows} scores,"
            f" {units.num_rows} units, and the ids differ; remove its folder and run again"
        )
    kept, rows = screen(units, scores, call.params)
    return Outcome(
        units.num_rows, {"units": kept, "ledger": rows}, units.column("id").combine_chunks()
    )


def screen(
    units: pa.Table, scores: pa.Table, thresholds: dict[str, Any]
) -> tuple[pa.Table, pa.Table]:
    """Drop units at or above a threshold: (kept units, ledger rows), both in the order of units.

    Raises StoreError for a score that is no number: it reaches no threshold, and its unit would
    stay unjudged.
    """
    _check_numbers(scores)
    bias, hate = (
        pc.fill_null(pc.greater_equal(scores.column(name), thresholds[name]), False)
        for name in RULES
    )
    dropped = pc.or_(bias, hate)
    bias, scores = bias.filter(dropped), scores.filter(dropped)
    reasons = [_reason(pair, thresholds) for pair in schemas.rows(scores, *RULES)]
    rows = ledger.rows(
        units.filter(dropped),
        stage="toxicity",
        rule=pc.if_else(bias, *RULES.values()),
        action="drop",
        reason=pa.array(reasons, pa.string()),
        score=pc.if_else(bias, *(scores.column(name) for name in RULES)),
    )
    return units.filter(pc.invert(dropped)), rows


def _check_numbers(scores: pa.Table) -> None:
    unscored = pc.and_(*(pc.is_null(scores.column(name)) for name in RULES))
    for name in RULES:
        finite = pc.fill_null(pc.is_finite(scores.column(name)), False)
        strange = pc.invert(pc.or_(finite, unscored))
        if n := pc.sum(strange).as_py():
            first = scores.column("unit").filter(strange)[0].as_py()
            raise StoreError(
                f"{name}: the scores of {count(n, 'unit')}, such as {first}, are no numbers: the"
                " detector"
                " is broken; mend its weights or name another, remove the folder of scores and run"
                " again"
            )


def _reason(pair: tuple[float, ...], thresholds: dict[str, Any]) -> str:
    reached = [
        f"{LABELS[name]} {value:g} is at or above {thresholds[name]:g}"
        for name, value in zip(RULES, pair, strict=True)
        if value >= thresholds[name]
    ]
    return "; ".join(reached)


STAGE = Stage(name="toxicity", main="units", invariant="filter", shards=_shards, run=_run)
