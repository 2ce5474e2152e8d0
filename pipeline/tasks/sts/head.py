"""Semantic textual similarity (STS, Sections 3.2 and 5.2): a number for two sentences.

What is learnt is the mean of the votes (`real-label`), by mean squared error; what is predicted is
not clipped to the scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.training.head import Head
from pipeline.training.heads.whole import Score
from pipeline.training.recipe import Recipe

#: The key of a label whose number is learnt.
LEARNT: Final = "real-label"


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return one number for the pair of sentences."""
    return Score(
        "sts",
        ("similarity",),
        ("sentence1", "sentence2"),
        recipe.max_length,
        ends=(spec.scale.low, spec.scale.high) if spec.scale else (0, 5),
        number=lambda label: label.get(LEARNT) if isinstance(label, Mapping) else None,
        learnt=LEARNT,
    )
