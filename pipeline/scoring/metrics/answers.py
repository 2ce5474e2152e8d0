"""Answers in words against gold answers: exact match and ROUGE-W (MRC, Section 3.7.2).

Golds are n lists of texts, predictions n texts; a question without a gold answer has the answer "",
and so has a prediction that says there is none. Lists of two lengths are an InputError. A metric of
no question is NaN.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Final

import numpy as np

from pipeline.scoring.measure import HUNDRED, Measure, Variant
from pipeline.scoring.metrics.counts import Ratio
from pipeline.scoring.metrics.numbers import check_aligned

Golds = Sequence[Sequence[str]]
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
#: From this length of an answer on, `difflib` leaves out characters that are frequent in it.
_LONG: Final = 200


def normalised(text: str) -> str:
    """Return a text in lower case, without ASCII punctuation, its blanks collapsed.

    `3.5%` becomes `35`; `《`, `》`, `‘` and `’` stay. The paper says nothing of it, so both
    variants do as the published computation does. (That one has a pattern besides, which was to
    blank out quotation marks and brackets; as written it only matches such a mark right before
    `()‘’`. No answer has that, and it is left out here.)
    """
    return " ".join(text.lower().translate(_PUNCTUATION).split())


def exact_match(golds: Golds, predictions: Sequence[str]) -> float:
    """Return the share of questions whose answer equals a gold one when normalised, 0 to 100.

    The same in both variants.
    """
    return _mean(_best(golds, predictions, _equal))


def exact_match_measure(golds: Golds, predictions: Sequence[str]) -> Measure:
    """Return `exact_match` as a Measure."""
    return _mean_measure(_best(golds, predictions, _equal))


def rouge_w(golds: Golds, predictions: Sequence[str], *, variant: Variant) -> float:
    """Return the mean over questions of the best F1 of the longest common substring, 0 to 100.

    Precision is the length of the longest run of characters (blanks included) that a prediction
    shares with a gold answer, over the length of the prediction; recall is that over the length of
    the answer; both normalised. Two empty texts score 100, one empty text 0. The paper's example:
    한국의 위인들 against 국한된 범위 has one character in common of 7 and of 6: 15.38.

    strict: just so. klue: the published computation looks for the run with `difflib`, which passes
    over the frequent characters of an answer of 200 characters or more and so can find a shorter
    one; there the same is done. The longest answer of the official dev questions at hand has 90.

    Source: Lin, 2004, ROUGE: a package for automatic evaluation of summaries, for the name alone:
    the ROUGE-W there weighs subsequences.
    """
    return _mean(_best(golds, predictions, _F1[variant]))


def rouge_w_measure(golds: Golds, predictions: Sequence[str], *, variant: Variant) -> Measure:
    """Return `rouge_w` as a Measure."""
    return _mean_measure(_best(golds, predictions, _F1[variant]))


def common_run(left: str, right: str) -> int:
    """Return the length of the longest text that stands in both.

    At most twice as many searches as the shorter text has characters, each a plain search in the
    longer one.
    """
    short, long = sorted((left, right), key=len)
    found = 0
    for start in range(len(short)):
        while start + found < len(short) and short[start : start + found + 1] in long:
            found += 1
    return found


def _best(
    golds: Golds, predictions: Sequence[str], score: Callable[[str, str], float]
) -> list[float]:
    """Return the best score of each prediction against its gold answers."""
    check_aligned(golds, predictions)
    return [
        max(score(said, normalised(answer)) for answer in answers or ("",))
        for said, answers in zip(map(normalised, predictions), golds, strict=True)
    ]


def _mean(scores: list[float]) -> float:
    return HUNDRED * float(np.mean(scores)) if scores else float("nan")


def _mean_measure(scores: list[float]) -> Measure:
    return Ratio(scores, np.ones(len(scores)))


def _equal(prediction: str, answer: str) -> float:
    return float(prediction == answer)


def _f1(prediction: str, answer: str) -> float:
    if prediction == answer:
        return 1.0
    return 2 * common_run(prediction, answer) / (len(prediction) + len(answer))


def _published_f1(prediction: str, answer: str) -> float:
    if len(answer) < _LONG:
        return _f1(prediction, answer)
    run = SequenceMatcher(None, prediction, answer).find_longest_match().size
    return 2 * run / (len(prediction) + len(answer))


_F1: Final[dict[Variant, Callable[[str, str], float]]] = {"klue": _published_f1, "strict": _f1}
