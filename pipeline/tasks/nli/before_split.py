"""The distance of each pair, computed before the split (Section 3.3.1).

The stage `distances` scores the gold pairs of a build. params: seed, classifier, folds, labels;
arguments: the classifier with its model, where it has one.
Inputs: a folder with items, one with gold. Tables: distances (one row a gold pair), ledger (empty:
other items are not scored).

`SCORING` scores pairs of files with the same classifier and number of folds, but not with the same
numbers: the stage draws the fold of a pair by the id of its premise, files have only its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.build_inputs import Resources
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SplitScoring
from pipeline.core import schemas, store
from pipeline.core.checkpoint import require_training
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import PACKAGES
from pipeline.core.pool import Workers, active
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count
from pipeline.tasks.nli.build_inputs import HypothesisKeys
from pipeline.tasks.nli.hypothesis_only import (
    classifier_factory,
    crossfit,
    distances,
    folds_of,
    maker_of,
    pairs_of,
)
from pipeline.tasks.nli.linear import Floats
from pipeline.training.recipe import shipped_recipe

#: The classifier, and the number of folds of cross-fitting.
CLASSIFIER: Final = "linear"
FOLDS: Final = 5


def _run(call: Call, shard: Shard) -> Outcome:
    params, labels = call.params, list(call.params["labels"])
    items, gold = (
        store.read_all(f, n) for f, n in zip(call.inputs, ("items", "gold"), strict=True)
    )
    gold_rows = gold.filter(pc.equal(gold["status"], "gold")).select(["item", "label"]).to_pylist()
    gold_labels = {row["item"]: parsed(row["label"]) for row in gold_rows}
    pairs = pairs_of(items, labels, gold_labels).sort_by("pair")
    scores = scores_of(
        pairs["hypothesis"].to_pylist(),
        pairs["premise"].to_pylist(),
        pairs["label"].to_pylist(),
        labels,
        seed=params["seed"],
        classifier=call.arguments.get("classifier", params["classifier"]),
        folds=params["folds"],
        only=shard.payload,
    )
    if shard.payload is not None:
        fold = folds_of(pairs["premise"].to_pylist(), folds=params["folds"], seed=params["seed"])
        pairs, scores = pairs.filter(fold == shard.payload), scores[fold == shard.payload]
    columns = (pairs["pair"], pa.array(distances(scores)), pa.array(scores.tolist()))
    table = pa.table(dict(zip(schemas.DISTANCES.names, columns, strict=True)), schemas.DISTANCES)
    return Outcome(pairs.num_rows, {"distances": table, "ledger": schemas.empty("ledger")})


def _shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for each fold of the linear model; others need the whole machine at once."""
    if call.params["classifier"] != CLASSIFIER:
        yield Shard("all", None)
        return
    for number in range(call.params["folds"]):
        yield Shard(f"fold{number}", number)


STAGE: Final = Stage(
    name="distances",
    main="distances",
    invariant="mark",
    shards=_shards,
    run=_run,
    distributions=("scikit-learn", "scipy", "numpy", *PACKAGES),
)


def scores_of(
    hypotheses: Sequence[str],
    premise_keys: Sequence[str],
    labels: Sequence[Any],
    classes: Sequence[str],
    *,
    seed: int,
    classifier: str = CLASSIFIER,
    folds: int = FOLDS,
    only: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return the log probability of every class for every pair, by its hypothesis alone.

    With `only` a number they are those of that fold, and those of others are 0.

    `premise_keys` are the ids or the texts of the premises; they decide the folds (`folds_of`).
    Raises InputError for a label that is none of the classes.
    """
    class_numbers = {name: number for number, name in enumerate(classes)}
    unknown = sum(label not in class_numbers for label in labels)
    if unknown:
        raise InputError(f"{count(unknown, 'item')} with a label other than {', '.join(classes)}")
    workers = active() if classifier == CLASSIFIER else Workers(1)
    return crossfit(
        hypotheses,
        np.array([class_numbers[label] for label in labels], dtype=np.int64),
        folds_of(premise_keys, folds=folds, seed=seed),
        classifier_factory(classifier, hypotheses, seed),
        classes=len(classes),
        only=only,
        tell=lambda name: tell(f"scoring hypotheses without {name}"),
        workers=workers,
    )


def _distances(
    fields: Sequence[Mapping[str, Any]], labels: Sequence[Any], spec: TaskSpec, **options: Any
) -> list[float]:
    hypotheses, premises = ([pair[name] for pair in fields] for name in ("hypothesis", "premise"))
    scores = scores_of(hypotheses, premises, labels, spec.ids(), **options)
    return [float(distance) for distance in distances(scores)]


def _resources(settings: HypothesisKeys, spec: TaskSpec) -> Resources:
    """Return what the classifier of a build needs; that of a checkpoint is in the fingerprint."""
    name = settings.hypothesis_classifier
    kind, _, model = name.partition(":")
    params = {"labels": list(spec.ids()), "classifier": kind, "folds": FOLDS}
    try:
        maker_of(name)
        if not model:
            return Resources(params)
        require_training()
        from pipeline.training.source import source

        digests = source(model).digest, of_file(shipped_recipe("nli", model))
    except InputError as error:
        raise InputError(f"candidates.hypothesis_classifier: {error}") from None
    code = ("pipeline.training.textclassifier",)
    return Resources(params, {"classifier": name}, digests, code)


SCORING: Final = SplitScoring(module=__name__, resources=_resources, distances=_distances)
