"""Scoring of RE: micro F1 of the real relations and AUPRC of all (Section 3.5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import shown
from pipeline.scoring import rows
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.classes import auprc_measure, micro_f1_measure
from pipeline.scoring.scorer import Scorer

#: The relation that micro F1 leaves out.
NO_RELATION: Final = "no_relation"
#: How far from 1 probabilities may sum: those of half-precision models are not exact.
_SLACK: Final = 1e-3


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    found = rows.label(*rows.given(row, ("label",)), spec)
    told = row.get("probabilities")
    return Prediction(example.id, found, None if told is None else _probabilities(told, spec))


def _probabilities(told: object, spec: TaskSpec) -> tuple[float, ...]:
    """Return probabilities in the order of the spec; raises RecordError."""
    names = spec.ids()
    values = _ordered(told, spec) if isinstance(told, dict) else told
    if not isinstance(values, list | tuple) or len(values) != len(names):
        reason = f"is {shown(told)}; give {len(names)} numbers in the order of {spec.name}"
        raise rows.wrong("form", f"`probabilities` {reason}, or an object of them by relation")
    found = tuple(
        rows.number(f"probabilities.{name}", value)
        for name, value in zip(names, values, strict=True)
    )
    if min(found) < 0:
        reason = f"`probabilities.{names[found.index(min(found))]}` is negative"
        raise rows.wrong("number", f"{reason}; give the softmax of the scores, not the scores")
    if abs(sum(found) - 1) > _SLACK:
        reason = f"`probabilities` sum to {sum(found):.6g}, not to 1 within {_SLACK}"
        raise rows.wrong("number", f"{reason}; give those of all {len(names)} relations")
    return found


def _ordered(told: dict[Any, Any], spec: TaskSpec) -> list[Any]:
    for name in told:
        rows.label("probabilities", name, spec)
    absent = [name for name in spec.ids() if name not in told]
    if absent:
        reason = f"`probabilities` lacks {len(absent)} relations, the first is {absent[0]}"
        raise rows.wrong("form", f"{reason}; give all {len(spec.ids())}")
    return [told[name] for name in spec.ids()]


def _measures(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, variant: Variant
) -> dict[str, Measure | str]:
    rows.check_golds(golds, spec)
    real = [name for name in spec.ids() if name != NO_RELATION]
    return {
        "micro_f1": micro_f1_measure(golds, [one.label for one in predictions], real),
        "auprc": _auprc(golds, predictions, spec, variant),
    }


def _auprc(
    golds: Sequence[str], predictions: Sequence[Prediction], spec: TaskSpec, variant: Variant
) -> Measure | str:
    found = [one.probabilities for one in predictions if one.probabilities is not None]
    if len(found) < len(predictions):
        lack = f"{len(predictions) - len(found):,} of {len(predictions):,} predictions have none"
        return f"needs `probabilities`, one number a relation, in every row; {lack}"
    places = {name: place for place, name in enumerate(spec.ids())}
    return auprc_measure([places[gold] for gold in golds], found, variant=variant)


SCORER = Scorer(
    task="re",
    names=("micro_f1", "auprc"),
    measures=_measures,
    length=rows.characters("sentence"),
    read=_read,
)
