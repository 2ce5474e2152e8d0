"""A job: what is trained on what, and where it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.parts import part_modules
from pipeline.contracts.spec import TaskSpec
from pipeline.core.fingerprint import of_code, of_value
from pipeline.training.accelerating import Precision, resolve_precision
from pipeline.training.recipe import Recipe
from pipeline.training.source import Source

#: The step whose code decides the result, with all that it imports, and with the task's head.
_STEP: Final = "pipeline.training.run"
#: What of a recipe only the training reads, and neither encoding nor model.
_LEARNING: Final = ("learning_rate", "batch_size", "epochs", "warmup", "decay", "clip", "evaluate")


@dataclass(frozen=True)
class Job:
    """What is trained on what, and where it is written.

    `splits` has `train`, `dev` and perhaps `test`. `data` tells what the examples are of (release,
    version, release hash, or file names); `digest` is one of the examples themselves. Of the scores
    on dev that of `metric` decides which weights are best.
    """

    spec: TaskSpec
    recipe: Recipe
    model: Source
    splits: Mapping[str, Sequence[Example]]
    data: Mapping[str, Any]
    digest: str
    metric: str
    folder: Path
    seed: int = 0
    precision: Precision = "auto"
    new_head: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """Return all that decides the result; a folder goes on with a run of the same ones only."""
        modules = (_STEP, *part_modules(self.spec.task, "head"))
        return {
            "task": self.spec.task,
            "spec": self.spec.digest,
            "examples": self.digest,
            "model": self.model.digest,
            "recipe": self.recipe.model_dump(),
            "metric": self.metric,
            "seed": self.seed,
            "precision": resolve_precision(self.precision),
            "new_head": self.new_head,
            "code": of_value([of_code(module) for module in modules]),
        }

    @property
    def material(self) -> dict[str, Any]:
        """Return what decides the encoded examples and the model's form: points of a grid share it.

        Jobs of the same material are refused or taken together.
        """
        recipe = self.recipe.model_dump(exclude=set(_LEARNING))
        return {**self.settings, "recipe": recipe, "seed": None}
