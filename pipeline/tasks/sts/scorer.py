"""Scoring of STS: Pearson's r and F1 of paraphrases (Section 3.2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant, f1_above_measure, pearson_measure
from pipeline.scoring.scorer import Scorer

_REAL: Final = "real-label"
_BINARY: Final = "binary-label"
#: A paraphrase is a pair with a score of 3 or more (Section 3.2.1).
THRESHOLD: Final = 3.0


class Similarity(NamedTuple):
    """The gold answer of a pair: its mean score (`real-label`) and its `binary-label`."""

    real: float
    paraphrase: bool


def _gold(example: Example) -> Similarity:
    if not isinstance(example.label, dict):
        raise rows.unanswered_error(f"its labels are {mask(example.label)}, not an object")
    for name in (_REAL, _BINARY):
        if type(example.label.get(name)) not in (int, float):
            raise rows.unanswered_error(f"its labels lack the number `{name}`")
    return Similarity(float(example.label[_REAL]), example.label[_BINARY] == 1)


def _read(row: Mapping[str, Any], example: Example, _spec: TaskSpec) -> Prediction:
    name, value = rows.first_field(row, ("label", "labels", "score"))
    if name == "labels":
        if not isinstance(value, dict):
            raise rows.wrong("form", f"`labels` is an object with `{_REAL}`, not {mask(value)}")
        name, value = f"labels.{_REAL}", value.get(_REAL)
    return Prediction(example.id, rows.number(name, value))


def _measures(
    golds: Sequence[Similarity],
    predictions: Sequence[Prediction],
    _spec: TaskSpec,
    variant: Variant,
) -> dict[str, Measure | str]:
    """Return both metrics; strict takes the paraphrases of the file, klue those by `real-label`."""
    scores, real = [prediction.label for prediction in predictions], [gold.real for gold in golds]
    same = [gold.paraphrase if variant == "strict" else gold.real >= THRESHOLD for gold in golds]
    return {
        "pearson": pearson_measure(real, scores),
        "f1": f1_above_measure(same, scores, threshold=THRESHOLD),
    }


SCORER = Scorer(
    task="sts",
    names=("pearson", "f1"),
    measures=_measures,
    length=rows.characters("sentence1", "sentence2"),
    gold=_gold,
    read=_read,
    labels=lambda example: ("paraphrase" if _gold(example).paraphrase else "no paraphrase",),
    columns=("labels", "score"),
    sample=lambda _spec: 3.2,
)
