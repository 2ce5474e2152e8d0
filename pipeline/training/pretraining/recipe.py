"""The numbers of a pretraining, from YAML: the paper's recipe and a modern one, by architecture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from pipeline.core.errors import SpecError
from pipeline.core.specs import load
from pipeline.training.recipe import RECIPES, Count, Length, Positive, Schedule, Share

_FOLDER: Final = RECIPES / "pretraining"
#: The recipes that come with the project.
NAMES: Final = ("klue", "modern")
Whole = Annotated[int, Field(ge=0)]


class PretrainingRecipe(Schedule):
    """How a model is pretrained.

    There are `steps`, or `epochs` over all sequences. A batch has `batch_size` sequences of up to
    `max_length` tokens; at most `device_batch` of them are with a device at a time. `masked` is the
    share of words to tell, by masks that are the same in every epoch (`static`) or drawn anew
    (`dynamic`). `next_sentence` asks for pairs where the text has documents. `packing` says what
    documents that share a sequence see of each other: all (`sentences`) or nothing (`blocks`).
    `dropout` is that of the pretraining alone. `held_out` is the share of documents that is not
    learnt from; the loss on it, and the masked words that are told right, are measured
    `measured` times. `beta2` and `epsilon` are AdamW's, and `fused` its implementation.
    """

    epochs: Whole | None = None
    steps: Whole | None = None
    max_length: Length
    device_batch: Count | None = None
    masked: Annotated[Share, Field(gt=0)]
    masking: Literal["static", "dynamic"]
    next_sentence: bool
    packing: Literal["sentences", "blocks"]
    dropout: Annotated[Share, Field(lt=1)] = 0.1
    held_out: Annotated[Share, Field(lt=1)] = 0.01
    measured: Count = 20
    beta2: Annotated[Share, Field(lt=1)] = 0.999
    epsilon: Positive = 1e-6
    fused: bool = True

    @model_validator(mode="after")
    def _check(self) -> PretrainingRecipe:
        if (self.epochs is None) == (self.steps is None):
            raise ValueError("give either steps or epochs")
        if self.next_sentence and self.packing == "blocks":
            raise ValueError("next_sentence needs packing: sentences; a pair is no two blocks")
        return self

    def count_steps(self, per_epoch: int) -> int:
        """Return the number of steps."""
        return self.steps if self.steps is not None else per_epoch * (self.epochs or 0)

    def evaluations(self, per_epoch: int) -> frozenset[int]:
        """Return the numbers of steps done at which the held-out text is measured: 0, the end."""
        steps = self.count_steps(per_epoch)
        return frozenset(steps * n // self.measured for n in range(self.measured + 1))

    @property
    def adam(self) -> Mapping[str, Any]:
        """Return what AdamW is told besides rate and decay."""
        return {"betas": (0.9, self.beta2), "eps": self.epsilon, "fused": self.fused}


def pretraining_recipe(name: str, architecture: str) -> PretrainingRecipe:
    """Return a recipe by its name, or that of a file; raises SpecError."""
    path = _FOLDER / f"{name}-{architecture}.yaml" if name in NAMES else Path(name)
    if not path.is_file():
        raise SpecError(
            f"{name}: neither a recipe nor a file; allowed: {', '.join(NAMES)}, or a file such as"
            f" {_FOLDER / f'{NAMES[0]}-{architecture}.yaml'}"
        )
    return load(path, PretrainingRecipe)


def update_recipe(recipe: PretrainingRecipe, values: Mapping[str, Any]) -> PretrainingRecipe:
    """Return a recipe with other values; steps replace epochs, and the other way round.

    Raises ValidationError.
    """
    changed = dict(values)
    for one, other in (("steps", "epochs"), ("epochs", "steps")):
        if one in values and other not in values:
            changed[other] = None
    return PretrainingRecipe.model_validate({**recipe.model_dump(), **changed})
