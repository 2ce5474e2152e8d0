"""Distances from the ideal, and the sets of a premise that are hardest to guess (Section 3.3.1).

distance = -1/3 * sum over the classes of log p(class | hypothesis): the cross entropy between the
uniform distribution and the prediction. It is least, log 3 = 1.0986, where the prediction is one
third each, and grows with how far the classifier dares to guess, rightly or wrongly. The lowest
distances are those of the pairs that give nothing away; the paper keeps them for dev and test.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.tasks.nli.hypothesis_only.classifier import Floats

DECIMALS: Final = 6
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


def distances(log_probabilities: Floats) -> Floats:
    """Return the distance of each pair from the ideal, rounded to 1e-6; at least log(classes)."""
    found: Floats = np.round(-log_probabilities.mean(axis=1), DECIMALS)
    return found


def sets(pairs: pa.Table, *, share: float = 0.2, size: int = 3) -> pa.Table:
    """Return the sets of pairs (SETS), by source and premise.

    `pairs` has the columns premise (an id), source, label and distance. Of the complete sets of a
    source, `size` pairs with as many different labels, those with the lowest mean distance are
    `lowest`: as many as the `share` of all sets of the source, rounded down, ties by premise. Sets
    of another shape are told, and not chosen.
    """
    grouped = pairs.group_by(["source", "premise"]).aggregate(
        [("label", "count"), ("label", "count_distinct"), ("distance", "mean")]
    )
    found = pa.table(
        {
            "premise": grouped["premise"],
            "source": grouped["source"],
            "pairs": grouped["label_count"],
            "labels": grouped["label_count_distinct"],
            "distance": pc.round(grouped["distance_mean"], DECIMALS),
        }
    ).sort_by([("source", "ascending"), ("distance", "ascending"), ("premise", "ascending")])
    marked = found.append_column("lowest", pa.array(_lowest(found, share, size), pa.bool_()))
    ordered = marked.sort_by([("source", "ascending"), ("premise", "ascending")])
    return ordered.select(SETS.names).cast(SETS)


def _lowest(found: pa.Table, share: float, size: int) -> list[bool | None]:
    """Mark sets that stand by source and distance."""
    columns = (found.column(name).to_pylist() for name in ("source", "pairs", "labels"))
    complete = [
        source if n == kinds == size else None for source, n, kinds in zip(*columns, strict=True)
    ]
    every = Counter(found.column("source").to_pylist())
    left = {name: int(count * share + 1e-9) for name, count in every.items()}
    marks: list[bool | None] = []
    for name in complete:
        marks.append(None if name is None else left[name] > 0)
        if name is not None:
            left[name] -= 1
    return marks
