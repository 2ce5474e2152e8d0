"""Before the split, hypotheses are scored for how much they give away (Section 3.3.1).

The stage `distances` scores the gold pairs of a build. params: seed, classifier, folds, labels.
Inputs: a folder with items, one with gold. Tables: distances (one row a gold pair), ledger (empty:
other items are not scored). `SCORING` gives the same numbers for pairs of files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SplitScoring
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.tasks.nli.hypothesis_only import (
    Floats,
    crossfit,
    distances,
    folds_of,
    maker_of,
    pairs_of,
)

#: The classifier, and the folds of cross-fitting.
CLASSIFIER: Final = "linear"
FOLDS: Final = 5


def _run(call: Call, _shard: Shard) -> Outcome:
    params, labels = call.params, list(call.params["labels"])
    items, gold = (
        store.read_all(f, n) for f, n in zip(call.inputs, ("items", "gold"), strict=True)
    )
    known = gold.filter(pc.equal(gold["status"], "gold")).select(["item", "label"]).to_pylist()
    gold_labels = {row["item"]: parsed(row["label"]) for row in known}
    pairs = pairs_of(items, labels, gold_labels).sort_by("pair")
    scores = scores_of(
        pairs["hypothesis"].to_pylist(),
        pairs["premise"].to_pylist(),
        pairs["label"].to_pylist(),
        labels,
        seed=params["seed"],
        classifier=params["classifier"],
        folds=params["folds"],
    )
    columns = (pairs["pair"], pa.array(distances(scores)), pa.array(scores.tolist()))
    table = pa.table(dict(zip(schemas.DISTANCES.names, columns, strict=True)), schemas.DISTANCES)
    return Outcome(pairs.num_rows, {"distances": table, "ledger": schemas.empty("ledger")})


STAGE: Final = Stage(
    name="distances",
    main="distances",
    invariant="mark",
    shards=lambda _call: iter([Shard("all", None)]),
    run=_run,
    distributions=("scikit-learn", "scipy", "numpy", *PACKAGES),
)


def scores_of(
    hypotheses: Sequence[str],
    premises: Sequence[str],
    labels: Sequence[Any],
    classes: Sequence[str],
    *,
    seed: int,
    classifier: str = CLASSIFIER,
    folds: int = FOLDS,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return the log probability of every class for every pair, by its hypothesis alone.

    Raises InputError for a label that is none of the classes.
    """
    numbers = {name: number for number, name in enumerate(classes)}
    strangers = sum(label not in numbers for label in labels)
    if strangers:
        raise InputError(f"{strangers:,} items have a label other than {', '.join(classes)}")
    return crossfit(
        hypotheses,
        np.array([numbers[label] for label in labels], dtype=np.int64),
        folds_of(premises, folds=folds, seed=seed),
        maker_of(classifier),
        classes=len(classes),
        tell=lambda name: tell(f"scoring hypotheses without {name}"),
    )


def _distances(
    fields: Sequence[Mapping[str, Any]], labels: Sequence[Any], spec: TaskSpec, **more: Any
) -> list[float]:
    hypotheses, premises = ([pair[name] for pair in fields] for name in ("hypothesis", "premise"))
    scores = scores_of(hypotheses, premises, labels, spec.ids(), **more)
    return [float(distance) for distance in distances(scores)]


SCORING: Final = SplitScoring(
    module=__name__,
    params=lambda spec: {
        "labels": list(spec.ids()),
        "classifier": CLASSIFIER,
        "folds": FOLDS,
    },
    distances=_distances,
)
