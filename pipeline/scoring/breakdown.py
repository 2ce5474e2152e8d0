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
from pipeline.scoring.scorer import Gold, Measures, scores_over

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
        said = [one.label for one in predictions]
        of_label["accuracy"] = accuracy_measure(gold.answers, said)
    return {
        kind: of_parts(found, of_label if kind == "label" else measures)
        for kind, found in parts(gold).items()
    }


def of_parts(found: Mapping[str, Marks], measures: Measures) -> dict[str, dict[str, Any]]:
    """Return each part's ``{"n", metric: number or None}``."""
    return {
        name: {"n": int(marks.sum()), **scores_over(measures, marks[None].astype(float))[0]}
        for name, marks in found.items()
    }


def parts(gold: Gold) -> dict[str, dict[str, Marks]]:
    """Return which examples belong to a source, to a class (in the spec's order), to a length."""
    classes = [*(label.id for label in gold.spec.labels), *gold.scorer.classes]
    order = {name: place for place, name in enumerate(classes)}
    sources = [(one.source,) for one in gold.examples]
    labels = [gold.scorer.labels(one) for one in gold.examples]
    return {
        "source": {name: _marked(name, sources) for name in sorted(_names(sources))},
        "label": {
            name: _marked(name, labels)
            for name in sorted(_names(labels), key=lambda name: (order.get(name, len(order)), name))
        },
        "length": by_length([gold.scorer.length(one) for one in gold.examples]),
    }


def by_length(lengths: Sequence[int]) -> dict[str, Marks]:
    """Part examples at the quartiles of their lengths in characters.

    A part is named by its ends, both included: ``12-20``. The parts cover the range without gaps.
    Quartiles are lengths that occur; where they are equal (few examples, or many of one length)
    there are fewer parts.
    """
    given = np.asarray(lengths)
    ends = np.unique(np.quantile(given, _PARTS, method="inverted_cdf")).astype(int)
    starts = [int(given.min()), *(ends[:-1] + 1).tolist()]
    place = np.searchsorted(ends, given)
    return {
        f"{low}-{high}" if low < high else f"{high}": place == number
        for number, (low, high) in enumerate(zip(starts, ends.tolist(), strict=True))
    }


def _names(given: Sequence[tuple[str, ...]]) -> set[str]:
    return {name for names in given for name in names}


def _marked(name: str, given: Sequence[tuple[str, ...]]) -> Marks:
    return np.array([name in names for names in given], np.bool_)
