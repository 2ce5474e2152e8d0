"""Named entity recognition (NER, Section 3.4): one of 13 tags for every token."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.training.head import Head
from pipeline.training.heads.tagging import Tagging
from pipeline.training.recipe import Recipe


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the tags of the spec for the tokens of the text."""
    return Tagging(spec, recipe)
