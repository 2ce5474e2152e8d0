"""Semantic textual similarity (STS, Sections 3.2 and 5.2): a number for two sentences.

What is learnt is the mean of the votes (`real-label`), by mean squared error; what is told is not
clipped to the scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import shown
from pipeline.training.features import Features
from pipeline.training.head import Approach, Decoder, Network
from pipeline.training.heads.texts import refuse
from pipeline.training.heads.whole import (
    DECIMALS,
    Gathered,
    Whole,
    WholeNetwork,
    check_given,
)
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

#: The key of a label whose number is learnt.
LEARNT: Final = "real-label"


def approach(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Approach:  # noqa: ARG001
    """Return one number for the pair of sentences."""
    ends = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    fields = ("sentence1", "sentence2")
    return Score("sts", ("similarity",), fields, recipe.max_length, ends=ends)


@dataclass(frozen=True)
class Score(Whole):
    """One number, learnt from those between `ends`."""

    ends: tuple[int, int] = (0, 5)

    def check_labels(self, examples: Sequence[Example]) -> None:
        """Raise InputError for a missing label and for one that is no number of the scale."""
        check_given(self.task, [(one.id, one.label) for one in examples])
        given = [(one.id, _number(one.label)) for one in examples]
        wrong = [(name, shown(number)) for name, number in given if not self._on_scale(number)]
        refuse(
            self.task,
            wrong,
            len(examples),
            what=f"have no `{LEARNT}` from {self.ends[0]} to {self.ends[1]}",
            remedy="only such numbers can be learnt",
        )

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        """Return the mean of the votes for each example."""
        return np.array([_number(one.label) for one in examples], dtype=np.float32)

    def network(self, body: Any) -> Network:
        """Return the body with its one output, learning by mean squared error."""
        return WholeNetwork(body, _squared)

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        """Return what tells the output as it is."""
        return _Numbers([one.id for one in examples], 1)

    def _on_scale(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int | float):
            return False
        return self.ends[0] <= number <= self.ends[1]  # which NaN is not


class _Numbers(Gathered):
    """Answers the output itself."""

    def predictions(self) -> list[Prediction]:
        """Return one number an example, rounded to six decimals and not clipped."""
        numbers = self.finite()[:, 0].round(DECIMALS).tolist()
        return [Prediction(name, one) for name, one in zip(self.ids, numbers, strict=True)]


def _squared(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.mse_loss(logits[:, 0], target)


def _number(label: Any) -> Any:
    return label.get(LEARNT) if isinstance(label, Mapping) else None
