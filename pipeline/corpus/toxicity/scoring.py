"""Stage `score`: gender bias and hate scores beside the units, kept apart from any threshold.

`call.params` hold the kind and the digest of the detector, and `call.arguments` its spec, as
`detector`: where its files lie decides no score.
"""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from pipeline.core import schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.corpus.toxicity.registry import Detector, load


@lru_cache(maxsize=1)
def _detector(spec: str) -> Detector:
    return load(spec)


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    spec, digest = call.arguments["detector"], call.params["digest"]
    detector = _detector(spec)
    if detector.digest != digest:
        raise StoreError(
            f"detector {spec}: this process finds weights with the digest {detector.digest[:12]},"
            f" the plan was made with {digest[:12]}; give all workers the same files and run again"
        )
    scores = detector.score(units.column("text").combine_chunks())
    columns = {
        "unit": units.column("id"),
        "source": units.column("source"),
        "gender_bias": scores.column("gender_bias"),
        "hate": scores.column("hate"),
    }
    table = pa.table(columns, schema=schemas.SCORES)
    return Outcome(units.num_rows, {"scores": table, "ledger": schemas.empty("ledger")})


STAGE = Stage(
    name="score",
    main="scores",
    invariant="mark",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
    distributions=("numpy",),
)
