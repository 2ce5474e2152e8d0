"""The recipe of a training run: a file's, or the official one, with what was set by hand; grids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml
from pydantic import ValidationError

from pipeline.core.checkpoint import library
from pipeline.core.errors import InputError, SpecError
from pipeline.training.recipe import RECIPES, Recipe, recipe_of, shipped_recipe

if TYPE_CHECKING:
    from pipeline.training.textclassifier import TextClassifier


#: Models that start at random have recipes of their own: what is learnt from nothing needs more.
_SCRATCH: Final = "scratch"
#: What reading YAML raises: ValueError for a date that there is not, or what is not UTF-8, others
#: for tags that do not fit their values.
_NO_VALUE: Final = (yaml.YAMLError, ValueError, KeyError, AttributeError, RecursionError)


def chosen(task: str, model: str, file: Path | None, settings: Sequence[str]) -> Recipe:
    """Return the recipe of a file, else the one for the task and the kind of model, as set.

    `settings` are NAME=VALUE. Raises SpecError and InputError for what no recipe can have.
    """
    scratch = shipped_recipe(task, RECIPES / _SCRATCH)
    usual = scratch if model.startswith(f"{_SCRATCH}:") else shipped_recipe(task, RECIPES)
    return _changed(
        recipe_of(task, file or usual), dict(_setting(one) for one in settings), "--set"
    )


def points(recipe: Recipe, file: Path) -> Iterator[tuple[dict[str, Any], Recipe]]:
    """Yield every combination of a grid (NAME: [VALUE, ...] in YAML) with its recipe, in order.

    Raises SpecError for a file that is no grid.
    """
    axes = _axes(file)
    for values in product(*axes.values()):
        one = _changed(recipe, dict(zip(axes, values, strict=True)), str(file))
        yield {name: getattr(one, name) for name in axes}, one


def _axes(file: Path) -> dict[str, list[Any]]:
    try:
        found = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, *_NO_VALUE) as error:
        raise SpecError(f"{file}: cannot be read as YAML ({type(error).__name__})") from None
    if not isinstance(found, dict) or not found or not all(_many(one) for one in found.values()):
        raise SpecError(
            f"{file}: a grid has lines such as `epochs: [3, 5]`: a name, then its values"
        )
    return {str(name): values for name, values in found.items()}


def _many(value: object) -> bool:
    return isinstance(value, list) and bool(value)


def _setting(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise InputError(f"--set {text!r}: give NAME=VALUE, such as --set epochs=3")
    try:
        return name.strip(), yaml.safe_load(value)
    except _NO_VALUE:
        raise InputError(f"--set {text!r}: the value cannot be read") from None


def _changed(recipe: Recipe, values: Mapping[str, Any], where: str) -> Recipe:
    try:
        return Recipe.model_validate({**recipe.model_dump(), **values})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            reason = f"no recipe has it; allowed: {', '.join(Recipe.model_fields)}"
        else:
            reason = f"{first['msg']} (given {first['input']!r})"
        raise InputError(f"{where}: {name}: {reason}") from None


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
