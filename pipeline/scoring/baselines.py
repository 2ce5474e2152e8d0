"""Trivial systems of a task: what any submission has to be better than.

A task names its systems in the part `baselines`; without it the defaults are those of its kind of
answer (pipeline/tasks/kinds/baselines.py). They learn from train alone and read no label of test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec

#: The systems in the order in which a board lists them.
NAMES: Final = ("most frequent", "random", "nearest")


@dataclass(frozen=True)
class Data:
    """What a system reads: examples with labels, examples to answer, and the seed of its draws."""

    train: Sequence[Example]
    test: Sequence[Example]
    spec: TaskSpec
    seed: int = 0


#: Returns the answer to each test example, in the form of a prediction (contracts/example.py).
System = Callable[[Data], list[Any]]


@dataclass(frozen=True)
class Baselines:
    """The systems of a task by name, and why the task has no others of NAMES."""

    systems: Mapping[str, System]
    left_out: Mapping[str, str] = field(default_factory=dict)


BASELINES: Final[Mapping[str, Baselines]] = Parts("baselines", "BASELINES")


def baseline_predictions(task: str, data: Data) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a file of predictions for each system of a task, by its name.

    Without train examples there is no system. Raises InputError for a task whose kind of answer
    has no default.
    """
    if not data.train:
        return {}
    return {
        name: [
            Prediction(example.id, answer).record()
            for example, answer in zip(data.test, system(data), strict=True)
        ]
        for name, system in BASELINES[task].systems.items()
    }
