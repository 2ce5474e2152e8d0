"""Before the split, hypotheses are scored for how much they give away (Section 3.3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SplitScoring
from pipeline.core.errors import InputError
from pipeline.tasks.nli.hypothesis_only.classifier import Floats, maker_of
from pipeline.tasks.nli.hypothesis_only.crossfit import crossfit, distances, folds_of

#: The classifier, and the folds of cross-fitting.
CLASSIFIER: Final = "linear"
FOLDS: Final = 5


def scores_of(
    fields: Sequence[Mapping[str, Any]],
    labels: Sequence[Any],
    spec: TaskSpec,
    *,
    seed: int,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return the log probability of every label of every pair, by its hypothesis alone.

    Raises InputError for a label that the spec does not have.
    """
    classes = list(spec.ids())
    strangers = sum(label not in classes for label in labels)
    if strangers:
        raise InputError(f"{strangers:,} items have a label other than {', '.join(classes)}")
    return crossfit(
        [pair["hypothesis"] for pair in fields],
        np.array([classes.index(label) for label in labels], dtype=np.int64),
        folds_of([pair["premise"] for pair in fields], folds=FOLDS, seed=seed),
        maker_of(CLASSIFIER),
        classes=len(classes),
        tell=lambda name: tell(f"scoring hypotheses without {name}"),
    )


def _distances(*given: Any, **more: Any) -> list[float]:
    far: list[float] = distances(scores_of(*given, **more)).tolist()
    return far


SCORING: Final = SplitScoring(
    module="pipeline.tasks.nli.hypothesis_only.stage",
    params=lambda spec: {
        "labels": list(spec.ids()),
        "classifier": CLASSIFIER,
        "folds": FOLDS,
    },
    distances=_distances,
)
