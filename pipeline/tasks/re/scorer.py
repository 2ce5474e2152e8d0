"""Scoring of RE: micro F1 of the real relations and AUPRC of all (Section 3.5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.core.wording import count, verb
from pipeline.scoring import rows
from pipeline.scoring.harness.prompts import NO_CLASS
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.classes import auprc_measure, micro_f1_measure
from pipeline.scoring.scorer import Scorer

#: The relation that micro F1 leaves out.
NO_RELATION: Final = "no_relation"
#: How far from 1 probabilities may sum: those of half-precision models are not exact.
_SLACK: Final = 1e-3


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    label, given = rows.label(*rows.first_field(row, ("label",)), spec), row.get("probabilities")
    return Prediction(example.id, label, None if given is None else _probabilities(given, spec))


def _probabilities(probabilities: object, spec: TaskSpec) -> tuple[float, ...]:
    names = spec.ids()
    values = _in_order(probabilities, spec) if isinstance(probabilities, dict) else probabilities
    if not isinstance(values, list | tuple) or len(values) != len(names):
        reason = f"is {mask(probabilities)}; give {len(names)} numbers in the order of {spec.name}"
        raise rows.wrong("form", f"`probabilities` {reason}, or an object of them by relation")
    numbers = tuple(
        rows.number(f"probabilities.{name}", value)
        for name, value in zip(names, values, strict=True)
    )
    if min(numbers) < 0:
        reason = f"`probabilities.{names[numbers.index(min(numbers))]}` is negative"
        raise rows.wrong("number", f"{reason}; give the softmax of the scores, not the scores")
    if abs(sum(numbers) - 1) > _SLACK:
        reason = f"`probabilities` sum to {sum(numbers):.6g}, not to 1 within {_SLACK}"
        raise rows.wrong("number", f"{reason}; give those of all {len(names)} relations")
    return numbers


def _in_order(probabilities: dict[Any, Any], spec: TaskSpec) -> list[Any]:
    for name in probabilities:
        rows.label("probabilities", name, spec)
    if absent := [name for name in spec.ids() if name not in probabilities]:
        reason = f"`probabilities` lacks {count(len(absent), 'relation')}, the first is {absent[0]}"
        raise rows.wrong("form", f"{reason}; give all {len(spec.ids())}")
    return [probabilities[name] for name in spec.ids()]


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    names = spec.ids()
    real = [*(name for name in names if name != NO_RELATION), NO_CLASS]
    measures: dict[str, Measure | str] = {
        "micro_f1": micro_f1_measure(golds, [prediction.label for prediction in predictions], real)
    }
    numbers = [
        prediction.probabilities
        for prediction in predictions
        if prediction.probabilities is not None
    ]
    if len(numbers) == len(predictions):
        places = [names.index(gold) for gold in golds]
        measures["auprc"] = auprc_measure(places, numbers, variant=variant)
    else:
        without = len(predictions) - len(numbers)
        lack = f"{without:,} of {count(len(predictions), 'prediction')}"
        lack += f" {verb(without, 'has', 'have')} none"
        measures["auprc"] = f"needs `probabilities`, one number a relation, in every row; {lack}"
    return measures


SCORER = Scorer(
    task="re",
    names=("micro_f1", "auprc"),
    measures=_measures,
    length=rows.characters("sentence"),
    read=_read,
)
