"""Scoring of MRC: exact match and ROUGE-W of answers in words (Section 3.7.2)."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Final

import numpy as np

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask, nfc
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Ratio, Variant, check_aligned
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.mrc.task import UNANSWERABLE

#: The types of questions, as the columns of Table 21 call them.
TYPES: Final = {1: "paraphrase", 2: "multi-sentence", UNANSWERABLE: "unanswerable"}
Answers = Sequence[Sequence[str]]
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
#: From this length of an answer on, `difflib` leaves out characters that are frequent in it.
_LONG: Final = 200


def _gold(example: Example) -> tuple[str, ...]:
    """Return the gold answers in NFC; none says that the passage has none. Never plausible ones."""
    held = example.label.get("answers") if isinstance(example.label, dict) else None
    if not isinstance(held, list):
        raise rows.unanswered_error(f"its `answers` are {mask(held)}, not a list")
    return tuple(nfc(answer["text"]) for answer in held)


def _read(row: Mapping[str, Any], example: Example, _spec: TaskSpec) -> Prediction:
    name, value = rows.first_field(row, ("label", "answer", "answers"))
    if name == "answers":
        name, value = "answers.text", _first(value)
    return Prediction(example.id, rows.text(name, value))


def _first(answers: object) -> object:
    held = answers.get("text") if isinstance(answers, dict) else None
    if not isinstance(held, list):
        raise rows.wrong("form", f"`answers` is an object with a list `text`, not {mask(answers)}")
    return held[0] if held else ""


def _measures(
    golds: Sequence[tuple[str, ...]],
    predictions: Sequence[Prediction],
    _spec: TaskSpec,
    variant: Variant,
) -> dict[str, Measure | str]:
    texts = [prediction.label for prediction in predictions]
    return {
        "em": exact_match_measure(golds, texts),
        "rouge_w": rouge_w_measure(golds, texts, variant=variant),
    }


def _labels(example: Example) -> tuple[str, ...]:
    kind = example.label.get("type") if _gold(example) else UNANSWERABLE
    return (TYPES[kind],) if kind in TYPES else ()


def _answer(vote: Any) -> Any:
    if isinstance(vote, dict) and isinstance(vote.get("answers"), list):
        return vote["answers"][0]["text"] if vote["answers"] else ""
    return vote


def normalise(text: str) -> str:
    """Return a text in lower case, without ASCII punctuation, its blanks collapsed.

    `3.5%` becomes `35`; `《`, `》`, `‘` and `’` stay. The paper says nothing of it, so both
    variants do as the published computation does. (That one has a pattern besides, which was to
    blank out quotation marks and brackets; as written it only matches such a mark right before
    `()‘’`. No answer has that, and it is left out here.)
    """
    return " ".join(text.lower().translate(_PUNCTUATION).split())


def exact_match_measure(golds: Answers, predictions: Sequence[str]) -> Measure:
    """Return the share of questions whose answer equals a gold one when normalised, 0 to 100.

    The same in both variants. `golds`: n lists of texts, empty where the passage has no answer; a
    prediction that there is none is "". NaN without a question; raises InputError for lists of two
    lengths.
    """
    return _mean(golds, predictions, lambda prediction, answer: float(prediction == answer))


def rouge_w_measure(golds: Answers, predictions: Sequence[str], *, variant: Variant) -> Measure:
    """Return the mean over questions of the best F1 of the longest common substring, 0 to 100.

    Precision is the length of the longest run of characters (blanks included) that a prediction
    shares with a gold answer, over the length of the prediction; recall is that over the length of
    the answer; both normalised. Two empty texts score 100, one empty text 0. The paper's example:
    한국의 위인들 against 국한된 범위 has one character in common of 7 and of 6: 15.38.

    strict: exactly that. klue: the published computation looks for the run with `difflib`, which
    passes over the frequent characters of an answer of 200 characters or more and so can find a
    shorter one; the same is done here. The longest answer of the official dev questions has 90.

    Source: Lin, 2004, ROUGE: a package for automatic evaluation of summaries, for the name alone:
    the ROUGE-W there weighs subsequences.
    """
    return _mean(golds, predictions, partial(_f1, variant=variant))


def common_run(left: str, right: str) -> int:
    """Return the length of the longest text that stands in both.

    At most twice as many searches as the shorter text has characters, each a plain search in the
    longer one.
    """
    short, long = sorted((left, right), key=len)
    length = 0
    for start in range(len(short)):
        while start + length < len(short) and short[start : start + length + 1] in long:
            length += 1
    return length


def _mean(
    golds: Answers, predictions: Sequence[str], score: Callable[[str, str], float]
) -> Measure:
    check_aligned(golds, predictions)
    best = [
        max(score(text, normalise(answer)) for answer in answers or ("",))
        for text, answers in zip(map(normalise, predictions), golds, strict=True)
    ]
    return Ratio(best, np.ones(len(best)))


def _f1(prediction: str, answer: str, *, variant: Variant) -> float:
    if variant == "klue" and len(answer) >= _LONG:
        run = SequenceMatcher(None, prediction, answer).find_longest_match().size
    elif prediction == answer:
        return 1.0
    else:
        run = common_run(prediction, answer)
    return 2 * run / (len(prediction) + len(answer))


SCORER = Scorer(
    task="mrc",
    names=("em", "rouge_w"),
    measures=_measures,
    length=rows.characters("context"),
    gold=_gold,
    read=_read,
    labels=_labels,
    classes=tuple(TYPES.values()),
    columns=("answer", "answers"),
    answer=_answer,
    sample=lambda _spec: "1919년",
)
