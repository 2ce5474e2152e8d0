"""Topic classification (TC, Sections 3.1 and 5.2): the topic of a headline.

Of several topics the first, the most relevant one, is learnt and predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.training.head import Head
from pipeline.training.heads.whole import Classes
from pipeline.training.recipe import Recipe


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the topics of the spec for the title."""
    return Classes("tc", spec.ids(), ("title",), recipe.max_length, named=_first_topic)


def _first_topic(label: Any) -> Any:
    return label[0] if isinstance(label, list | tuple) and label else None
