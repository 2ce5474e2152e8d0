"""Classes against classes: accuracy (NLI), macro F1 (TC), micro F1 of some classes (RE).

Each is the same in both variants. Golds and predictions are n class names each, aligned; lists of
two lengths are an InputError. A metric of no example is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import HUNDRED, Measure
from pipeline.scoring.metrics.counts import Events, Ints, MacroF1, Ratio
from pipeline.scoring.metrics.numbers import check_aligned

Names = Sequence[str]


def accuracy(golds: Names, predictions: Names) -> float:
    """Return the share of examples whose class is the gold one, 0 to 100 (Section 3.3.2).

    Computed by scikit-learn.
    """
    check_aligned(golds, predictions)
    if not len(golds):
        return float("nan")
    from sklearn.metrics import accuracy_score

    return HUNDRED * float(accuracy_score(golds, predictions))


def accuracy_measure(golds: Names, predictions: Names) -> Measure:
    """Return `accuracy` as a Measure."""
    left, right, _ = _codes(golds, predictions)
    return Ratio(left == right, np.ones(len(left)))


def macro_f1(golds: Names, predictions: Names) -> float:
    """Return the mean of the F1 of the classes in gold or prediction, 0 to 100 (Section 3.1.2).

    A class that is predicted and never gold has the F1 0; a class that is neither is left out, as
    the published computation does. Computed by scikit-learn.
    """
    check_aligned(golds, predictions)
    if not len(golds):
        return float("nan")
    from sklearn.metrics import f1_score

    return HUNDRED * float(f1_score(golds, predictions, average="macro"))


def macro_f1_measure(golds: Names, predictions: Names) -> Measure:
    """Return `macro_f1` as a Measure: from the counts of each class."""
    left, right, names = _codes(golds, predictions)
    examples = np.arange(len(left))
    gold, predicted = Events(examples, left), Events(examples, right)
    equal = gold.only(left == right)
    return MacroF1(len(left), len(names), right=equal, gold=gold, predicted=predicted)


def micro_f1(golds: Names, predictions: Names, labels: Names) -> float:
    """Return the F1 over the examples of some classes together, 0 to 100 (Section 3.5.2).

    `labels` are the classes that count: in RE the 29 real relations. A gold `no_relation` that is
    predicted as one of them is a false positive, one of them predicted as `no_relation` a false
    negative, and one predicted as another both. NaN where none of them is gold or predicted
    (scikit-learn warns, and gives 0). Computed by scikit-learn.
    """
    check_aligned(golds, predictions)
    if not {*golds, *predictions} & {*labels}:
        return float("nan")
    from sklearn.metrics import f1_score

    return HUNDRED * float(f1_score(golds, predictions, average="micro", labels=list(labels)))


def micro_f1_measure(golds: Names, predictions: Names, labels: Names) -> Measure:
    """Return `micro_f1` as a Measure: from the counts of hits, of golds and of predictions."""
    left, right, names = _codes(golds, predictions)
    counts = np.isin(names, list(labels))
    hits = 2 * (counts[left] & (left == right))
    return Ratio(hits, counts[left].astype(int) + counts[right])


def _codes(golds: Names, predictions: Names) -> tuple[Ints, Ints, npt.NDArray[np.str_]]:
    """Return golds and predictions as places in the list of their names, and that list."""
    check_aligned(golds, predictions)
    both = np.array([*golds, *predictions], dtype=np.str_)
    names, codes = np.unique(both, return_inverse=True)
    return codes[: len(golds)], codes[len(golds) :], names
