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
from pipeline.core.errors import InputError
from pipeline.scoring import rows
from pipeline.scoring.measure import Events, MacroF1, Measure, Ratio, Variant, pearson_measure
from pipeline.scoring.metrics.classes import accuracy_measure, macro_f1_measure
from pipeline.scoring.metrics.entities import (
    Tagged,
    bio_tags,
    char_measure,
    entity_measure,
    published_tags,
)
from pipeline.scoring.scorer import Scorer

Predictions = Sequence[Prediction]
Metrics = dict[str, Measure | str]
#: A text and the BIO tag of each of its characters.
TaggedText = tuple[str, list[str]]
#: The column of a release that holds the answer, where it is not `label`.
_COLUMNS: Final = {"labels": ("labels",), "spans": ("spans",)}
_CATEGORY: Final = {"accuracy": accuracy_measure, "macro_f1": macro_f1_measure}
#: The metrics of each kind of answer.
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "category": tuple(_CATEGORY),
    "labels": ("micro_f1", "macro_f1", "exact_match"),
    "number": ("pearson",),
    "spans": ("entity_f1", "char_f1"),
}
_SAMPLES: Final[Mapping[str, Callable[[TaskSpec], Any]]] = {
    "category": lambda spec: spec.ids()[0],
    "labels": lambda spec: [spec.ids()[0]],
    "number": lambda spec: spec.scale.low if spec.scale else 0,
    "spans": lambda spec: [{"start": 0, "end": 2, "label": spec.ids()[0]}],
}


def scorer(task: Task) -> Scorer:
    """Return the scoring of a task; raises InputError for a kind of answer without a default."""
    if task.kind not in _NAMES:
        raise InputError(
            f"task {task.id} has no part `scorer`, and answers of the kind {task.kind} have no"
            f" default; give the task one (kinds with a default: {', '.join(_NAMES)})"
        )
    return Scorer(
        task=task.id,
        names=_NAMES[task.kind],
        measures=partial(_measures, task),
        length=partial(_length, task.fields),
        gold=partial(_gold, task),
        read=partial(_read, task),
        labels=partial(_labels, task),
        columns=_COLUMNS.get(task.kind, ()),
        sample=_SAMPLES[task.kind],
    )


def category_measures(*names: str) -> Callable[..., Metrics]:
    """Return the function that computes these metrics of one class an example (see `Scorer`)."""

    def measures(
        golds: Sequence[str], predictions: Predictions, spec: TaskSpec, _variant: Variant
    ) -> Metrics:
        rows.check_golds(golds, spec)
        classes = [prediction.label for prediction in predictions]
        return {name: _CATEGORY[name](golds, classes) for name in names}

    return measures


def span_measures(
    golds: Sequence[TaggedText], predicted: Tagged, spec: TaskSpec, variant: Variant
) -> Metrics:
    """Return the metrics of BIO tags; in klue of those that the public code counts."""
    texts, gold = [text for text, _ in golds], [tags for _, tags in golds]
    if variant == "klue":
        gold, predicted = (list(map(published_tags, texts, side)) for side in (gold, predicted))
    return {
        "entity_f1": entity_measure(gold, predicted, types=spec.ids()),
        "char_f1": char_measure(gold, predicted, variant=variant, types=spec.ids()),
    }


def _length(fields: Sequence[str], example: Example) -> int:
    texts = [example.fields[name] for name in fields]
    return sum(len(text) for text in texts if isinstance(text, str))


def _gold(task: Task, example: Example) -> Any:
    if example.label is None:
        raise rows.unanswered_error("it has no `label`")
    gold = task.view(example.label)
    if task.kind != "spans":
        return gold
    text = example.fields[task.fields[0]]
    return text, bio_tags(len(text), gold)


def _read(task: Task, row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    name, value = rows.first_field(row, ("label", *_COLUMNS.get(task.kind, ())))
    if task.kind == "number":
        return Prediction(example.id, rows.number(name, value))
    return read_answer(task, name, value, example, spec)


def read_answer(
    task: Task, name: str, value: object, example: Example, spec: TaskSpec
) -> Prediction:
    """Return an answer in the field `name` of a row as a prediction; raises RecordError."""
    round_ = [candidate for candidate in spec.rounds if candidate.answer != "verdict"][-1]
    with rows.answer_faults(f"`{name}`: "):
        answer = task.parse(value, example.fields, spec, round_)
    return Prediction(example.id, task.view(answer) if task.kind == "category" else answer)


def _labels(task: Task, example: Example) -> tuple[str, ...]:
    gold, kind = task.view(example.label), str(task.kind)
    if kind == "category":
        return (gold,)
    if kind == "spans":
        gold = {label for _, _, label in gold}
    return () if kind == "number" else tuple(sorted(gold))


def _measures(
    task: Task, golds: Sequence[Any], predictions: Predictions, spec: TaskSpec, variant: Variant
) -> Metrics:
    if task.kind == "category":
        return category_measures(*_CATEGORY)(golds, predictions, spec, variant)
    answers = [prediction.label for prediction in predictions]
    if task.kind == "number":
        return {"pearson": pearson_measure(golds, answers)}
    if task.kind == "labels":
        return _label_sets(golds, [frozenset(task.view(answer)) for answer in answers], spec)
    pairs = zip(golds, answers, strict=True)
    tags = [bio_tags(len(text), task.view(answer)) for (text, _), answer in pairs]
    return span_measures(golds, tags, spec, variant)


def _label_sets(
    golds: Sequence[frozenset[str]], predicted: Sequence[frozenset[str]], spec: TaskSpec
) -> Metrics:
    pairs = list(zip(golds, predicted, strict=True))
    codes = {label: code for code, label in enumerate(spec.ids())}

    def events(sets: Iterable[frozenset[str]]) -> Events:
        rows = [(row, codes[label]) for row, labels in enumerate(sets) for label in labels]
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        return Events(table[:, 0], table[:, 1])

    return {
        "micro_f1": Ratio([2 * len(a & b) for a, b in pairs], [len(a) + len(b) for a, b in pairs]),
        "macro_f1": MacroF1(
            len(pairs),
            len(codes),
            right=events(a & b for a, b in pairs),
            gold=events(golds),
            predicted=events(predicted),
        ),
        "exact_match": Ratio([a == b for a, b in pairs], [1] * len(pairs)),
    }
