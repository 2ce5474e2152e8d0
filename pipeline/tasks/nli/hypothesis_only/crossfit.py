"""Predictions for every pair by a classifier that saw neither the pair nor its premise.

A set of three hypotheses is never in part trained on: its traces would come back in its own score.
The paper does not say how its predictions avoid that; cross-fitting is this project's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.tasks.nli.hypothesis_only.classifier import Classifier, Floats, Labels

DECIMALS: Final = 6
PURPOSE: Final = "hypothesis-only"


def folds_of(premises: Sequence[str], *, folds: int, seed: int) -> Labels:
    """Return the fold of each pair, from 0: a keyed draw on the id of its premise."""
    known = {name: int(draw(seed, PURPOSE, name) * folds) for name in set(premises)}
    return np.array([known[name] for name in premises], dtype=np.int64)


def crossfit(
    hypotheses: Sequence[str],
    labels: Labels,
    fold: Labels,
    make: Callable[[], Classifier],
    *,
    classes: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return log p(class | hypothesis) of each pair, shape pairs x classes, rounded to 1e-6.

    Each fold is predicted by a classifier fitted on all others; `tell` hears which one, as "fold 1
    of 5" (empty folds do not count). Raises InputError when what is left to fit on lacks a class:
    there are too few pairs.
    """
    found = np.zeros((len(hypotheses), classes))
    numbers = np.unique(fold)
    for place, number in enumerate(numbers, 1):
        name = f"fold {place} of {len(numbers)}"
        held = np.flatnonzero(fold == number).tolist()
        rest = np.flatnonzero(fold != number).tolist()
        if len(np.unique(labels[rest])) < classes:
            raise InputError(
                f"{len(hypotheses)} pairs are too few: without {name} a label is missing; give more"
                " pairs, of more premises and of all labels"
            )
        tell(name)
        model = make()
        model.fit([hypotheses[n] for n in rest], labels[rest])
        found[held] = model.log_probabilities([hypotheses[n] for n in held])
    return np.round(found, DECIMALS)
