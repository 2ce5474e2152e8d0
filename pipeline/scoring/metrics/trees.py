"""The metrics of dependency parsing: attachment scores, as macro F1 and as plain accuracy.

`uas` takes the index of the head (0 is the root) as the class of a word. That is no accuracy: the
many words whose head is the third weigh as much as the few whose head is the thirtieth.

`las` takes the relation as the class, the rare ones as one class OTHERS. A word with a wrong head
is predicted to be of a further class, whatever relation was given:

    klue    that class is averaged too. No gold word has it, so its F1 is 0 (a phantom class): one
            wrong head costs 1/17 of the score where all 16 others occur
    strict  the mean is over the 16 real classes; a wrong head costs recall of its gold relation

Source: Section 3.6.2 and Table 14; the computation of the public baseline (the variant klue).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.scoring.measure import Measure, Variant, value
from pipeline.scoring.metrics.counts import Events, Ints, MacroF1, Ratio

#: The relations that are a class of their own: the first 15 rows of Table 14. All others, from
#: VP_CMP on, together make up at most 1 % of train and are OTHERS.
KEPT: Final = (
    "NP",
    "NP_AJT",
    "VP",
    "NP_SBJ",
    "VP_MOD",
    "NP_OBJ",
    "AP",
    "NP_CNJ",
    "NP_MOD",
    "VNP",
    "DP",
    "VP_AJT",
    "VNP_MOD",
    "NP_CMP",
    "VP_SBJ",
)
OTHERS: Final = "OTHERS"
_CODES: Final = {name: code for code, name in enumerate(KEPT)}
#: The code of a word with a wrong head, after those of KEPT and OTHERS.
_WRONG_HEAD: Final = len(KEPT) + 1
_COLUMNS: Final = ("gold relations", "predicted heads", "predicted relations")
Bools = npt.NDArray[np.bool_]


class Trees(NamedTuple):
    """Parsed sentences: of each one the heads (0 or the place of a word, from 1) and relations."""

    heads: Sequence[Sequence[int]]
    relations: Sequence[Sequence[str]]


def merged(relation: str) -> str:
    """Return the class of a relation in `las`: itself, or OTHERS."""
    return relation if relation in _CODES else OTHERS


def uas(gold: Trees, predicted: Trees) -> float:
    """Return the macro F1 of heads, 0 to 100, over the indices in gold or predictions.

    The same in both variants. Raises InputError for sentences of unequal lengths, NaN without any
    word; so do the others.
    """
    return value(uas_measure(gold, predicted), len(gold.heads))


def las(gold: Trees, predicted: Trees, *, variant: Variant = "klue") -> float:
    """Return the macro F1 of relations with right heads, 0 to 100, over classes that occur."""
    return value(las_measure(gold, predicted, variant=variant), len(gold.heads))


def uas_accuracy(gold: Trees, predicted: Trees) -> float:
    """Return the share of words with the right head, 0 to 100."""
    return value(uas_accuracy_measure(gold, predicted), len(gold.heads))


def las_accuracy(gold: Trees, predicted: Trees) -> float:
    """Return the share of words with the right head and relation (none merged), 0 to 100."""
    return value(las_accuracy_measure(gold, predicted), len(gold.heads))


def uas_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return `uas` as a Measure over sentences."""
    sentences = _sentences(gold, predicted)
    return _macro(sentences, len(gold.heads), _heads(gold), _heads(predicted))


def las_measure(gold: Trees, predicted: Trees, *, variant: Variant) -> Measure:
    """Return `las` as a Measure over sentences."""
    sentences = _sentences(gold, predicted)
    given = np.where(_attached(gold, predicted), _relations(predicted), _WRONG_HEAD)
    classes = _WRONG_HEAD + 1 if variant == "klue" else _WRONG_HEAD
    return _macro(sentences, len(gold.heads), _relations(gold), given, classes)


def uas_accuracy_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return `uas_accuracy` as a Measure over sentences."""
    sentences = _sentences(gold, predicted)
    return _share(sentences, len(gold.heads), _attached(gold, predicted))


def las_accuracy_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return `las_accuracy` as a Measure over sentences."""
    sentences = _sentences(gold, predicted)
    ours, theirs = chain(*gold.relations), chain(*predicted.relations)
    same = np.array([a == b for a, b in zip(ours, theirs, strict=True)], np.bool_)
    return _share(sentences, len(gold.heads), same & _attached(gold, predicted))


def _sentences(gold: Trees, predicted: Trees) -> Ints:
    """Return the sentence of each word; raises InputError unless all columns have its words."""
    lengths = [len(heads) for heads in gold.heads]
    for name, column in zip(_COLUMNS, (gold.relations, *predicted), strict=True):
        if [len(one) for one in column] != lengths:
            raise InputError(
                f"the {name} are not of the sentences and words of the gold heads"
                f" ({len(lengths):,} sentences, {sum(lengths):,} words); give one for each word"
            )
    return np.repeat(np.arange(len(lengths)), lengths)


def _heads(trees: Trees) -> Ints:
    return np.array([*chain(*trees.heads)], np.int64)


def _attached(gold: Trees, predicted: Trees) -> Bools:
    same: Bools = _heads(gold) == _heads(predicted)
    return same


def _relations(trees: Trees) -> Ints:
    others = len(KEPT)
    return np.array([_CODES.get(one, others) for one in chain(*trees.relations)], np.int64)


def _macro(
    sentences: Ints, n: int, gold: Ints, predicted: Ints, classes: int | None = None
) -> MacroF1:
    """Return the macro F1 of words, of the first `classes` classes or of all."""
    if classes is None:
        classes = 1 + int(max(gold.max(initial=0), predicted.max(initial=0)))
    ours, theirs = Events(sentences, gold), Events(sentences, predicted)
    right = ours.only(gold == predicted)
    theirs = theirs.only(predicted < classes)
    return MacroF1(n, classes, right=right, gold=ours, predicted=theirs)


def _share(sentences: Ints, n: int, right: Bools) -> Ratio:
    return Ratio(np.bincount(sentences[right], minlength=n), np.bincount(sentences, minlength=n))
