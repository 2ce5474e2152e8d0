"""The numbers of a training run, from YAML: the official recipe, one file a task."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from pipeline.core.resources import DATA
from pipeline.core.specs import Spec, load

#: The recipes that come with the project.
RECIPES: Final = DATA / "recipes"
#: A number as most write it, which YAML takes for a text: it wants 5.0e-5 and 1.0e+2.
_SHORT: Final = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+")


def _spelt(value: Any) -> Any:
    return float(value) if isinstance(value, str) and _SHORT.fullmatch(value) else value


Number = Annotated[float, BeforeValidator(_spelt), Field(allow_inf_nan=False)]
Positive = Annotated[Number, Field(gt=0)]
Share = Annotated[Number, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]
Length = Annotated[int, Field(ge=8)]


class Schedule(Spec):
    """What every training has: a rate, a batch, and how many steps there are.

    `warmup` is a share of all steps; `decay` the weight decay; `clip` the largest norm of a
    gradient.
    """

    learning_rate: Positive
    batch_size: Count
    warmup: Share = 0.0
    decay: Share = 0.0
    clip: Positive = 1.0

    @abstractmethod
    def count_steps(self, per_epoch: int) -> int:
        """Return the number of steps, where an epoch has so many."""

    @abstractmethod
    def evaluations(self, per_epoch: int) -> frozenset[int]:
        """Return the numbers of steps done at which there is an evaluation; 0 is before all."""

    @property
    def adam(self) -> Mapping[str, Any]:
        """Return what AdamW is told besides rate and decay."""
        return {}


class Recipe(Schedule):
    """How a model is fine-tuned.

    `evaluate` is how often the dev split is scored in an epoch. Lengths are in tokens,
    special ones included. `vocabulary` is for models that start at random: how many pieces their
    tokenizer has, if not as the size says (more, where the letters of Hangul alone need more).

    Only some heads read the rest: `stride`, the overlap of two windows of a long text;
    `question_length` and `answer_length`, of questions about a text; `value_length`, of generated
    values; `pos`, whether parts of speech are read.
    """

    epochs: Annotated[int, Field(ge=0)]
    max_length: Length = 128
    evaluate: Count = 1
    stride: Count = 128
    question_length: Count = 64
    answer_length: Count = 30
    value_length: Count = 20
    pos: bool = True
    vocabulary: Count | None = None

    def count_steps(self, per_epoch: int) -> int:
        """Return the number of steps of all epochs."""
        return per_epoch * self.epochs

    def evaluations(self, per_epoch: int) -> frozenset[int]:
        """Return the numbers of steps done at which the dev split is scored."""
        last = self.epochs * self.evaluate
        marks = (max(1, per_epoch * n // self.evaluate) for n in range(1, last + 1))
        return frozenset(marks) or frozenset({0})


def recipe_of(task: str, given: Path | None = None, *, model: str = "") -> Recipe:
    """Return the recipe of a file, or the one that ships for a task; raises SpecError.

    Models that start at random have recipes of their own: what is learnt from nothing needs more.
    """
    return load(given or shipped_recipe(task, model), Recipe)


def shipped_recipe(task: str, model: str) -> Path:
    """Return the file of the recipe that ships for a task and a model, or for all other tasks."""
    folder = RECIPES / "scratch" if model.startswith("scratch:") else RECIPES
    recipe_path = folder / f"{task}.yaml"
    return recipe_path if recipe_path.is_file() else folder / "default.yaml"
