"""Scores by source, by class of the gold answer and by length: parts are weights of 0 and 1.

A score of a part is the metric of the task over the part's examples alone. Over the examples of one
class a macro average is no F1 of that class: it has a 0 for each class that was predicted wrongly.
Where an answer is one class, `accuracy` stands beside it there: the recall of the
class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Prediction
from pipeline.contracts.registry import TASKS
from pipeline.scoring.metrics.classes import accuracy_measure
from pipeline.scoring.scorer import Gold, Measures, weighted_scores

Marks = npt.NDArray[np.bool_]
#: The quartiles at which lengths are parted.
_PARTS: Final = (0.25, 0.5, 0.75, 1.0)


def breakdown(
    gold: Gold, predictions: Sequence[Prediction], measures: Measures
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return, for source, label and length, each part's ``{"n", metric: number or None}``.

    An example with several classes (the entity types of a sentence) is in the part of each, one
    without any in none.
    """
    of_label = dict(measures)
    if TASKS[gold.scorer.task].kind == "category":
        labels = [prediction.label for prediction in predictions]
        of_label["accuracy"] = accuracy_measure(gold.answers, labels)
    return {
        kind: of_parts(marks_of, of_label if kind == "label" else measures)
        for kind, marks_of in parts(gold).items()
    }


def of_parts(marks_of: Mapping[str, Marks], measures: Measures) -> dict[str, dict[str, Any]]:
    """Return each part's ``{"n", metric: number or None}``."""
    return {
        name: {"n": int(marks.sum()), **weighted_scores(measures, marks.astype(float))}
        for name, marks in marks_of.items()
    }


def parts(gold: Gold) -> dict[str, dict[str, Marks]]:
    """Return which examples belong to a source, to a class (in the spec's order), to a length."""
    classes = [*(label.id for label in gold.spec.labels), *gold.scorer.classes]
    order = {name: place for place, name in enumerate(classes)}
    sources = [(example.source,) for example in gold.examples]
    labels = [gold.scorer.labels(example) for example in gold.examples]
    return {
        "source": {name: _marks(name, sources) for name in sorted(_names(sources))},
        "label": {
            name: _marks(name, labels)
            for name in sorted(_names(labels), key=lambda name: (order.get(name, len(order)), name))
        },
        "length": by_length([gold.scorer.length(example) for example in gold.examples]),
    }


def by_length(lengths: Sequence[int]) -> dict[str, Marks]:
    """Part examples at the quartiles of their lengths in characters.

    A part is named by its ends, both included: ``12-20``. The parts cover the range without gaps.
    Quartiles are lengths that occur; where they are equal (few examples, or many of one length)
    there are fewer parts.
    """
    sizes = np.asarray(lengths)
    ends = np.unique(np.quantile(sizes, _PARTS, method="inverted_cdf")).astype(int)
    starts = [int(sizes.min()), *(ends[:-1] + 1).tolist()]
    place = np.searchsorted(ends, sizes)
    return {
        f"{low}-{high}" if low < high else f"{high}": place == number
        for number, (low, high) in enumerate(zip(starts, ends.tolist(), strict=True))
    }


def _names(name_sets: Sequence[tuple[str, ...]]) -> set[str]:
    return {name for names in name_sets for name in names}


def _marks(name: str, name_sets: Sequence[tuple[str, ...]]) -> Marks:
    return np.array([name in names for names in name_sets], np.bool_)
