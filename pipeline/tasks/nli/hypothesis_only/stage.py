"""The stage `distances`: how much each hypothesis gives away (Section 3.3.1).

params: seed, classifier, folds, labels. Inputs: a folder with items, one with gold. Tables:
distances (one row a gold pair), ledger (empty: what is no gold pair is not scored).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.tasks.nli.hypothesis_only.classifier import maker_of
from pipeline.tasks.nli.hypothesis_only.crossfit import crossfit, folds_of
from pipeline.tasks.nli.hypothesis_only.pairs import pairs_of
from pipeline.tasks.nli.hypothesis_only.sets import distances


def _shards(_call: Call) -> Iterator[Shard]:
    yield Shard("all", None)


def _run(call: Call, _shard: Shard) -> Outcome:
    params, labels = call.params, list(call.params["labels"])
    items, gold = (
        store.read_all(f, n) for f, n in zip(call.inputs, ("items", "gold"), strict=True)
    )
    known = gold.filter(pc.equal(gold["status"], "gold"))
    names, found = known["item"].to_pylist(), known["label"].to_pylist()
    right = {name: parsed(label) for name, label in zip(names, found, strict=True)}
    pairs = pairs_of(items, labels, right).sort_by("pair")
    scores = crossfit(
        pairs["hypothesis"].to_pylist(),
        np.array([labels.index(one) for one in pairs["label"].to_pylist()], dtype=np.int64),
        folds_of(pairs["premise"].to_pylist(), folds=params["folds"], seed=params["seed"]),
        maker_of(params["classifier"]),
        classes=len(labels),
    )
    columns = (pairs["pair"], pa.array(distances(scores)), pa.array(scores.tolist()))
    table = pa.table(dict(zip(schemas.DISTANCES.names, columns, strict=True)), schemas.DISTANCES)
    return Outcome(pairs.num_rows, {"distances": table, "ledger": schemas.empty("ledger")})


STAGE = Stage(
    name="distances",
    main="distances",
    law="mark",
    shards=_shards,
    run=_run,
    distributions=("scikit-learn", "scipy", "numpy", *PACKAGES),
)
