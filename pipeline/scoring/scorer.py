"""What a task is scored by, and the scores of a system over its gold examples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count
from pipeline.scoring import rows
from pipeline.scoring.measure import Floats, Measure, Variant

#: The metrics of a system by name, or why one cannot be computed.
Measures = Mapping[str, Measure | str]
#: Digits of a reported score, so that the order in which a sum was taken does not show.
DIGITS: Final = 9
UNDEFINED: Final = "is not defined over these examples (constant values, or none of a class)"


@dataclass(frozen=True)
class Scorer:
    """The scoring of one task; the defaults are those of a task whose answer is one class.

    `names` are its metrics in their order.

    - `measures(golds, predictions, spec, variant)`: the metrics over aligned golds and predictions.
      A metric that cannot be computed (AUPRC without probabilities) maps to a text that says why.
    - `length(example)`: the length of the text that is read, in characters.
    - `gold(example)`: what predictions are compared with; raises RecordError for an example without
      an answer.
    - `read(row, example, spec)`: the prediction of a row of a file, in its one form (see
      contracts/example.py); raises RecordError that names the field, what was given (never a
      text in clear) and what is allowed.
    - `labels(example)`: the classes of the answer, for the breakdown by label; `classes` are
      those that are no labels of the spec, in their order.
    - `columns`: the keys that a row of predictions may have for its answer besides `label`.
    - `answer(vote)`: the `label` of the row of predictions that says the same as a vote.
    - `sample(spec)`: some `label` of a row of predictions, to show its form.
    """

    task: str
    names: tuple[str, ...]
    measures: Callable[
        [Sequence[Any], Sequence[Prediction], TaskSpec, Variant], dict[str, Measure | str]
    ]
    length: Callable[[Example], int]
    gold: Callable[[Example], Any] = rows.gold_label
    read: Callable[[Mapping[str, Any], Example, TaskSpec], Prediction] = rows.read_label
    labels: Callable[[Example], tuple[str, ...]] = rows.gold_labels
    classes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    answer: Callable[[Any], Any] = lambda answer: answer
    sample: Callable[[TaskSpec], Any] = lambda spec: spec.ids()[0]


SCORERS: Final[Mapping[str, Scorer]] = Parts("scorer", "SCORER")


def scorer_of(name: str) -> Scorer:
    """Return the scoring of a task by its id or config name.

    A task without the part `scorer` gets that of its kind of answer. Raises InputError that names
    the allowed tasks.
    """
    return SCORERS[task_of(name).id]


@dataclass(frozen=True)
class Questions:
    """What predictions are given for: examples in the order of their guids, labelled or not."""

    scorer: Scorer
    spec: TaskSpec
    examples: tuple[Example, ...]

    def __len__(self) -> int:
        return len(self.examples)


@dataclass(frozen=True)
class Gold(Questions):
    """What predictions are compared with: examples, and the answer of each."""

    answers: tuple[Any, ...]

    def measures(self, predictions: Sequence[Prediction], variant: Variant) -> Measures:
        """Return the metrics over one prediction for each example, in their order.

        Raises ValueError for predictions that are not aligned with the examples.
        """
        if [example.id for example in predictions] != [example.id for example in self.examples]:
            raise ValueError("predictions and examples are not of the same guids in one order")
        return self.scorer.measures(self.answers, predictions, self.spec, variant)


@dataclass(frozen=True)
class Scores:
    """A number a metric (0 to 100, Pearson from -100), or None with its reason."""

    values: dict[str, float | None]
    reasons: dict[str, str] = field(default_factory=dict)


def questions_of(examples: Iterable[Example], scorer: Scorer, spec: TaskSpec) -> Questions:
    """Return examples as questions, in the order of their guids.

    Raises InputError when there is none, or a guid stands twice; it tells how many.
    """
    ordered = sorted(examples, key=lambda example: example.id)
    if not ordered:
        raise InputError("the gold holds no example; there is nothing to score")
    twice = [
        name for name, count in Counter(example.id for example in ordered).items() if count > 1
    ]
    if twice:
        raise InputError(
            f"guids that stand in the gold more than once: {len(twice):,}, the first is {twice[0]};"
            " predictions are matched by guid: keep one of each"
        )
    return Questions(scorer, spec, tuple(ordered))


def gold_of(examples: Iterable[Example], scorer: Scorer, spec: TaskSpec) -> Gold:
    """Return examples as gold, in the order of their guids.

    Raises InputError as `questions_of`, and when examples lack an answer; it tells how many.
    """
    ordered = questions_of(examples, scorer, spec).examples
    answers, faults = [], []
    for example in ordered:
        try:
            answers.append(scorer.gold(example))
        except RecordError as fault:
            faults.append((example.id, fault.reason))
    if faults:
        name, reason = faults[0]
        raise InputError(
            f"no answer to compare: {len(faults):,} of {count(len(ordered), 'example')} of the"
            f" gold, the first is {name}: {reason}; give gold with its labels"
        )
    return Gold(scorer, spec, ordered, tuple(answers))


def scores(measures: Measures, n: int) -> Scores:
    """Return the scores over n examples that count once each."""
    values = weighted_scores(measures, np.ones(n))
    reasons = {
        name: (measure if isinstance(measure, str) else UNDEFINED)
        for name, measure in measures.items()
        if values[name] is None
    }
    return Scores(values, reasons)


def weighted_scores(measures: Measures, weights: Floats) -> dict[str, float | None]:
    """Return a number a metric, or None, over examples that count as often as `weights` say."""
    return {
        name: None if isinstance(measure, str) else round_score(measure(weights[None])[0])
        for name, measure in measures.items()
    }


def round_score(number: float | None) -> float | None:
    """Return a number as it is reported: None for NaN, without its last digits, never -0.0."""
    if number is None or not math.isfinite(number):
        return None
    return round(float(number), DIGITS) + 0.0
