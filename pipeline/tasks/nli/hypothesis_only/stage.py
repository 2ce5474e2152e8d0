"""The stage `distances`: how much each hypothesis reveals about its label (Section 3.3.1).

params: seed, classifier, folds, labels. Inputs: a folder with items, one with gold. Tables:
distances (one row a gold pair), ledger (empty: other items are not scored).
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.tasks.nli.hypothesis_only.classifier import maker_of
from pipeline.tasks.nli.hypothesis_only.crossfit import crossfit, distances, folds_of, pairs_of


def _run(call: Call, _shard: Shard) -> Outcome:
    params, labels = call.params, list(call.params["labels"])
    items, gold = (
        store.read_all(f, n) for f, n in zip(call.inputs, ("items", "gold"), strict=True)
    )
    known = gold.filter(pc.equal(gold["status"], "gold")).select(["item", "label"]).to_pylist()
    gold_labels = {row["item"]: parsed(row["label"]) for row in known}
    pairs = pairs_of(items, labels, gold_labels).sort_by("pair")
    scores = crossfit(
        pairs["hypothesis"].to_pylist(),
        np.array([labels.index(label) for label in pairs["label"].to_pylist()], dtype=np.int64),
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
    invariant="mark",
    shards=lambda _call: iter([Shard("all", None)]),
    run=_run,
    distributions=("scikit-learn", "scipy", "numpy", *PACKAGES),
)
