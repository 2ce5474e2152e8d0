"""Natural language inference (NLI, Sections 3.3 and 5.2): premise and hypothesis as a pair."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.training.head import Head
from pipeline.training.heads.whole import Classes
from pipeline.training.recipe import Recipe


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the classes of the spec for a premise and its hypothesis."""
    return Classes("nli", spec.ids(), ("premise", "hypothesis"), recipe.max_length)
