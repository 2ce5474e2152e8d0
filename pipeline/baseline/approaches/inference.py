"""Natural language inference (NLI, Sections 3.3 and 5.2): premise and hypothesis as a pair."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.baseline.approach import Approach
from pipeline.baseline.approaches.whole import Classes
from pipeline.baseline.recipe import Recipe
from pipeline.tasks.example import Example
from pipeline.tasks.spec import TaskSpec


def approach(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Approach:  # noqa: ARG001
    """Return the classes of the spec for a premise and its hypothesis."""
    return Classes("nli", spec.ids(), ("premise", "hypothesis"), recipe.max_length)
