"""How much hypotheses alone reveal about their labels (Section 3.3.1, "Final Dataset").

Authors leave traces: a negation for a contradiction, an added clause for a neutral pair. The paper
trains a classifier on hypotheses without premises. Ideally it can only give one third to each
label. The distance of a pair from that is the cross entropy between the uniform distribution and
the prediction, -1/3 * sum over the classes of log p(class | hypothesis). It is least, log 3 =
1.0986, where the prediction is one third each, and grows with the confidence of the classifier,
right or wrong. Distances are averaged over the three hypotheses of a premise; dev and test are
drawn from the fifth of the sets with the lowest.

Every pair is predicted by a classifier that saw neither the pair nor its premise: no set is in part
in the training data, or its own traces would enter its score. The paper does not say how its
predictions avoid that; cross-fitting is this project's choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError
from pipeline.core.ids import candidate_id, draw
from pipeline.core.jsontext import parsed
from pipeline.tasks.nli.hypothesis_only.classifier import Classifier, Floats, Labels

DECIMALS: Final = 6
#: One row a pair: its id, the id of its premise, source, hypothesis and label.
PAIRS: Final = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("pair", "premise", "source", "hypothesis", "label")
    ]
)
#: One row a set: the hypotheses of one premise in a source. `labels` counts different ones;
#: `distance` is the mean of its pairs; `lowest` is null for a set that cannot be chosen.
SETS: Final = pa.schema(
    [
        pa.field("premise", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("pairs", pa.int64(), nullable=False),
        pa.field("labels", pa.int64(), nullable=False),
        pa.field("distance", pa.float64(), nullable=False),
        pa.field("lowest", pa.bool_()),
    ]
)


def pairs_of(items: pa.Table, labels: Sequence[str], gold: Mapping[str, str] | None) -> pa.Table:
    """Return the pairs (PAIRS) of items (ITEMS) that have one of the `labels`, in their order.

    The label is that of `gold` by item id, if that is given, else the item's own. Hypotheses belong
    to one set if their `meta` names the same item as `origin`; in official files, which name none,
    if the text of the premise is the same.
    """
    rows = (_pair(item, gold) for item in items.to_pylist())
    return pa.Table.from_pylist([row for row in rows if row["label"] in labels], schema=PAIRS)


def _pair(item: Mapping[str, Any], gold: Mapping[str, str] | None) -> dict[str, Any]:
    fields = parsed(item["fields"])
    origin = parsed(item["meta"]).get("origin") if item["meta"] else None
    label = parsed(item["gold"]) if item["gold"] else None
    return {
        "pair": item["item"],
        "premise": origin or candidate_id("nli", "premise", fields["premise"]),
        "source": item["source"] or "unknown",
        "hypothesis": fields.get("hypothesis", ""),
        "label": label if gold is None else gold.get(item["item"]),
    }


def folds_of(premises: Sequence[str], *, folds: int, seed: int) -> Labels:
    """Return the fold of each pair, from 0: a keyed draw on the id of its premise."""
    known = {name: int(draw(seed, "hypothesis-only", name) * folds) for name in set(premises)}
    return np.array([known[name] for name in premises], dtype=np.int64)


def crossfit(
    hypotheses: Sequence[str],
    labels: Labels,
    fold: Labels,
    make: Callable[[], Classifier],
    *,
    classes: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return log p(class | hypothesis) of each pair, shape pairs x classes, rounded to 1e-6.

    Each fold is predicted by a classifier fitted on all others; `tell` is called with its number,
    as "fold 1 of 5" (empty folds do not count). Raises InputError when the other folds lack a
    class: there are too few pairs.
    """
    scores = np.zeros((len(hypotheses), classes))
    numbers = np.unique(fold)
    for place, number in enumerate(numbers, 1):
        name = f"fold {place} of {len(numbers)}"
        held = np.flatnonzero(fold == number).tolist()
        rest = np.flatnonzero(fold != number).tolist()
        if len(np.unique(labels[rest])) < classes:
            raise InputError(
                f"{len(hypotheses)} pairs are too few: without {name} a label is missing; give more"
                " pairs, of more premises and of all labels"
            )
        tell(name)
        model = make()
        model.fit([hypotheses[n] for n in rest], labels[rest])
        scores[held] = model.log_probabilities([hypotheses[n] for n in held])
    return np.round(scores, DECIMALS)


def distances(log_probabilities: Floats) -> Floats:
    """Return the distance of each pair from the ideal, rounded to 1e-6; at least log(classes)."""
    means: Floats = np.round(-log_probabilities.mean(axis=1), DECIMALS)
    return means


def sets(pairs: pa.Table, *, share: float = 0.2, size: int = 3) -> pa.Table:
    """Return the sets of pairs (SETS), by source and premise.

    `pairs` has the columns premise (an id), source, label and distance. Of the complete sets of a
    source, `size` pairs with as many different labels, those with the lowest mean distance are
    `lowest`: as many as the `share` of all sets of the source, rounded down, ties by premise. Sets
    of another shape are listed, and not chosen.
    """
    grouped = pairs.group_by(["source", "premise"]).aggregate(
        [("label", "count"), ("label", "count_distinct"), ("distance", "mean")]
    )
    table = pa.table(
        {
            "premise": grouped["premise"],
            "source": grouped["source"],
            "pairs": grouped["label_count"],
            "labels": grouped["label_count_distinct"],
            "distance": pc.round(grouped["distance_mean"], DECIMALS),
        }
    ).sort_by([("source", "ascending"), ("distance", "ascending"), ("premise", "ascending")])
    sources = table["source"].to_pylist()
    left = {name: int(count * share + 1e-9) for name, count in Counter(sources).items()}
    lowest: list[bool | None] = []
    columns = (sources, table["pairs"].to_pylist(), table["labels"].to_pylist())
    for name, count, kinds in zip(*columns, strict=True):
        if count == kinds == size:
            lowest.append(left[name] > 0)
            left[name] -= 1
        else:
            lowest.append(None)
    marked = table.append_column("lowest", pa.array(lowest, pa.bool_()))
    ordered = marked.sort_by([("source", "ascending"), ("premise", "ascending")])
    return ordered.select(SETS.names).cast(SETS)
