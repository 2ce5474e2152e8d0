"""Classifiers of texts that the baseline step fine-tunes for other parts.

Hypothesis-only scoring uses one, and tools/train_toxicity.py makes two checkpoints of a detector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.commands.recipes import chosen
from pipeline.core.checkpoint import library

if TYPE_CHECKING:
    from pipeline.training.textclassifier import TextClassifier


def classifier(
    model: str, *, task: str, names: tuple[str, ...] = (), seed: int = 0
) -> TextClassifier:
    """Return a classifier that starts from a model and learns by the recipe of a task.

    Raises InputError for a model that is not there, MissingDependencyError without torch.
    """
    for name in ("torch", "accelerate", "transformers"):
        library(name)
    from pipeline.training.source import source
    from pipeline.training.textclassifier import TextClassifier

    return TextClassifier(source(model), chosen(task, model, None, ()), names=names, seed=seed)
