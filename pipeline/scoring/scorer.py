"""What a task is scored by: its gold, its predictions as they are given, and its metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import TaskSpec
from pipeline.scoring.measure import Measure, Variant


@dataclass(frozen=True)
class Scorer:
    """The scoring of one task.

    `names` are its metrics in their order, `columns` the keys that a row of predictions may have
    for its answer besides `label` (those of a release: ner_tags; head and deprel).

    - `gold(example)`: what predictions are compared with; raises RecordError for an example without
      an answer.
    - `read(row, example, spec)`: the prediction of a row of a file, in its one form (see
      contracts/example.py); raises RecordError that names the field, what was given (never a
      text in clear) and what is allowed.
    - `measures(golds, predictions, spec, variant)`: the metrics over aligned golds and predictions.
      A metric that cannot be had (AUPRC without probabilities) maps to a text that says why.
    - `labels(example)`: the classes of the answer, for the breakdown by label.
    - `length(example)`: the length of what is read, in characters.
    """

    task: str
    names: tuple[str, ...]
    columns: tuple[str, ...]
    gold: Callable[[Example], Any]
    read: Callable[[Mapping[str, Any], Example, TaskSpec], Prediction]
    measures: Callable[
        [Sequence[Any], Sequence[Prediction], TaskSpec, Variant], dict[str, Measure | str]
    ]
    labels: Callable[[Example], tuple[str, ...]]
    length: Callable[[Example], int]


SCORERS: Final[Mapping[str, Scorer]] = Parts("scorer", "SCORER")


def scorer_of(name: str) -> Scorer:
    """Return the scoring of a task by its id (tc, dst) or config name (ynat, wos).

    Raises InputError that names the allowed ones.
    """
    return SCORERS[task_of(name).id]
