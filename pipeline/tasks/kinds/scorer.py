"""The scoring of a task without the part `scorer`, by its kind of answer.

    category   accuracy, and the mean F1 of the classes
    labels     micro and macro F1 of the labels, and the share of examples with all labels right
    number     Pearson's r
    spans      F1 of entities and of characters, in the first field of the task

A predicted category is its name; other predictions have the form of an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError, RecordError
from pipeline.scoring import rows
from pipeline.scoring.measure import Events, MacroF1, Measure, Ratio, Variant
from pipeline.scoring.metrics.classes import accuracy_measure, macro_f1_measure
from pipeline.scoring.metrics.entities import bio_tags, char_measure, entity_measure
from pipeline.scoring.metrics.numbers import pearson_measure
from pipeline.scoring.scorer import Scorer

Predictions = Sequence[Prediction]
Metrics = dict[str, Measure | str]


def scorer(task: Task) -> Scorer:
    """Return the scoring of a task; raises InputError for a kind of answer without a default."""
    if task.kind not in _MEASURES:
        raise InputError(
            f"task {task.id} has no part `scorer`, and answers of the kind {task.kind} have no"
            f" default; give the task one (kinds with a default: {', '.join(_MEASURES)})"
        )
    names, measures = _MEASURES[task.kind]
    return Scorer(
        task=task.id,
        names=names,
        measures=partial(measures, task),
        length=partial(_length, task.fields),
        gold=partial(_gold, task),
        read=partial(_read, task),
        labels=partial(_labels, task),
    )


def _gold(task: Task, example: Example) -> Any:
    if example.label is None:
        raise rows.unanswered("it has no `label`")
    gold = task.view(example.label)
    if task.kind != "spans":
        return gold
    return bio_tags(len(example.fields[task.fields[0]]), gold)


def _read(task: Task, row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name, value = rows.given(row, ("label",))
    if task.kind == "number":
        return Prediction(example.id, rows.number(name, value))
    round_ = [one for one in spec.rounds if one.answer != "verdict"][-1]
    try:
        answer = task.parse(value, example.fields, spec, round_)
    except RecordError as error:
        raise rows.wrong(error.rule.split(".")[-1].split("@")[0], error.reason) from None
    return Prediction(example.id, task.view(answer) if task.kind == "category" else answer)


def _labels(task: Task, example: Example) -> tuple[str, ...]:
    gold, kind = task.view(example.label), str(task.kind)
    if kind == "category":
        return (gold,)
    if kind == "labels":
        return tuple(sorted(gold))
    return tuple(sorted({label for _, _, label in gold})) if kind == "spans" else ()


def _length(fields: Sequence[str], example: Example) -> int:
    texts = [example.fields[name] for name in fields]
    return sum(len(text) for text in texts if isinstance(text, str))


def _category(
    _task: Task, golds: Sequence[str], predictions: Predictions, spec: TaskSpec, _variant: Variant
) -> Metrics:
    rows.check_golds(golds, spec)
    labels = [one.label for one in predictions]
    return {
        "accuracy": accuracy_measure(golds, labels),
        "macro_f1": macro_f1_measure(golds, labels),
    }


def _label_sets(
    task: Task,
    golds: Sequence[frozenset[str]],
    predictions: Predictions,
    spec: TaskSpec,
    _variant: Variant,
) -> Metrics:
    pairs = [(set(a), set(task.view(b.label))) for a, b in zip(golds, predictions, strict=True)]
    codes = {label: code for code, label in enumerate(spec.ids())}

    def events(sets: Iterable[set[str]]) -> Events:
        rows = [(row, codes[label]) for row, labels in enumerate(sets) for label in labels]
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        return Events(table[:, 0], table[:, 1])

    return {
        "micro_f1": Ratio([2 * len(a & b) for a, b in pairs], [len(a) + len(b) for a, b in pairs]),
        "macro_f1": MacroF1(
            len(pairs),
            len(codes),
            right=events(a & b for a, b in pairs),
            gold=events(a for a, _ in pairs),
            predicted=events(b for _, b in pairs),
        ),
        "exact_match": Ratio([a == b for a, b in pairs], [1] * len(pairs)),
    }


def _number(
    _task: Task,
    golds: Sequence[float],
    predictions: Predictions,
    _spec: TaskSpec,
    _variant: Variant,
) -> Metrics:
    return {"pearson": pearson_measure(golds, [one.label for one in predictions])}


def _spans(
    task: Task,
    golds: Sequence[list[str]],
    predictions: Predictions,
    spec: TaskSpec,
    variant: Variant,
) -> Metrics:
    pairs = zip(golds, predictions, strict=True)
    tags = [bio_tags(len(gold), task.view(one.label)) for gold, one in pairs]
    return {
        "entity_f1": entity_measure(golds, tags, variant=variant, types=spec.ids()),
        "char_f1": char_measure(golds, tags, variant=variant, types=spec.ids()),
    }


_MEASURES: Final[dict[str, tuple[tuple[str, ...], Callable[..., Metrics]]]] = {
    "category": (("accuracy", "macro_f1"), _category),
    "labels": (("micro_f1", "macro_f1", "exact_match"), _label_sets),
    "number": (("pearson",), _number),
    "spans": (("entity_f1", "char_f1"), _spans),
}
