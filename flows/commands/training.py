"""What a training run is made of: examples, a recipe, a model, and what scores its predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml
from pydantic import ValidationError

from flows.commands.examples import Examples, examples_at, tasks_at
from flows.commands.outputs import check_folder, check_page
from flows.commands.releases import task_at
from flows.view.console import say
from pipeline.contracts.example import Prediction
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.core.checkpoint import require_training
from pipeline.core.errors import InputError, SpecError
from pipeline.core.files import MOST_BYTES, reason_of, regular_file
from pipeline.scoring.measure import VARIANTS
from pipeline.scoring.scorer import gold_of, scorer_of, scores
from pipeline.training.recipe import Recipe, recipe_of

if TYPE_CHECKING:
    from pipeline.training.job import Job
    from pipeline.training.run import Score

_ALL: Final = "all"
#: What reading YAML raises: ValueError for a date that there is not, or what is not UTF-8, others
#: for tags that do not fit their values.
_NO_VALUE: Final = (yaml.YAMLError, ValueError, KeyError, AttributeError, RecursionError)


@dataclass(frozen=True)
class Training:
    """What `klue train` was asked for."""

    place: Path
    task: str
    model: str
    out: Path | None = None
    recipe: Path | None = None
    settings: tuple[str, ...] = ()
    grid: Path | None = None
    seed: int = 0
    precision: str = "auto"
    holdout: float | None = None
    new_head: bool = False
    download: bool = False
    specs: Path | None = None

    @property
    def folder(self) -> Path:
        """Return the folder of all runs of this model on these examples."""
        name = self.model.replace("/", "--").replace(":", "-").strip("-.") or "model"
        return self.out or Path("data/runs") / "-".join(self.place.absolute().parts[-2:]) / name


def jobs_of(request: Training) -> list[tuple[Job, Score]]:
    """Return the runs of a request and what scores each: one a task, or one a point of a grid.

    Raises InputError or SpecError for what cannot be trained, MissingDependencyError without torch.
    """
    require_training()
    from pipeline.training.job import PRECISIONS, Job
    from pipeline.training.source import source

    if request.precision not in PRECISIONS:
        raise InputError(
            f"--precision {request.precision!r} is not known; allowed: {', '.join(PRECISIONS)}"
        )
    if request.recipe is not None and request.task == _ALL:
        raise InputError("--recipe is for one task; --task all takes the recipe of each")
    check_folder("--out", request.folder)
    model = source(request.model, download=request.download)
    jobs = []
    is_all = request.task == _ALL
    for task in tasks_at(request.place) if is_all else (task_at(request.place, request.task).id,):
        examples = examples_at(request.place, task, holdout=request.holdout, seed=request.seed)
        for note in examples.notes:
            say(f"{task}: {note}")
        spec = load_spec(task, request.specs or SPECS)
        score = scoring(spec, examples)
        for folder, recipe in _recipes(request, task):
            jobs.append(
                (
                    Job(
                        spec=spec,
                        recipe=recipe,
                        model=model,
                        splits=examples.splits,
                        data=examples.data,
                        digest=examples.digest,
                        metric=scorer_of(task).names[0],
                        folder=folder,
                        seed=request.seed,
                        precision=request.precision,
                        new_head=request.new_head,
                    ),
                    score,
                )
            )
    if len(jobs) > 1:  # a page has them side by side
        check_page("--out", request.folder, "results.json")
    return jobs


def scoring(spec: TaskSpec, examples: Examples) -> Score:
    """Return what scores predictions of a split, in both variants; None for one without labels."""
    scorer = scorer_of(spec.task)
    golds = {
        split: gold_of(examples.splits[split], scorer, spec)
        for split in examples.labelled
        if split != "train" and examples.splits.get(split)
    }

    def score(
        split: str, predictions: Sequence[Prediction]
    ) -> dict[str, dict[str, float | None]] | None:
        if split not in golds:
            return None
        gold, ordered = golds[split], sorted(predictions, key=lambda prediction: prediction.id)
        return {
            variant: scores(gold.measures(ordered, variant), len(gold)).values
            for variant in VARIANTS
        }

    return score


def _recipes(request: Training, task: str) -> Iterator[tuple[Path, Recipe]]:
    recipe = recipe_for(task, request.model, request.recipe, request.settings)
    if request.grid is None:
        yield request.folder / task, recipe
        return
    for point, changed in grid_recipes(recipe, request.grid):
        name = "_".join(f"{key}={value}" for key, value in point.items())
        yield request.folder / task / name, changed


def recipe_for(task: str, model: str, file: Path | None, settings: Sequence[str]) -> Recipe:
    """Return the recipe of a file, else the one for the task and the kind of model, as set.

    `settings` are NAME=VALUE. Raises SpecError and InputError for what no recipe can have.
    """
    recipe = recipe_of(task, file, model=model)
    return _update_recipe(recipe, dict(setting(text) for text in settings), "--set")


def grid_recipes(recipe: Recipe, file: Path) -> Iterator[tuple[dict[str, Any], Recipe]]:
    """Yield every combination of a grid (NAME: [VALUE, ...] in YAML) with its recipe, in order.

    Raises SpecError for a file that is no grid.
    """
    try:
        axes = yaml.safe_load(regular_file(file, most=MOST_BYTES).read_text("utf-8"))
    except (OSError, *_NO_VALUE) as error:
        raise SpecError(f"{file}: cannot be read as YAML ({reason_of(error)})") from None
    is_grid = isinstance(axes, dict) and all(isinstance(v, list) and v for v in axes.values())
    if not axes or not is_grid:
        raise SpecError(
            f"{file}: a grid has lines such as `epochs: [3, 5]`: a name, then its values"
        )
    names = [str(name) for name in axes]
    for values in product(*axes.values()):
        point = _update_recipe(recipe, dict(zip(names, values, strict=True)), str(file))
        yield {name: getattr(point, name) for name in names}, point


def setting(text: str) -> tuple[str, Any]:
    """Return name and value of a NAME=VALUE; raises InputError for another form."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise InputError(f"--set {text!r}: give NAME=VALUE, such as --set epochs=3")
    try:
        return name.strip(), yaml.safe_load(value)
    except _NO_VALUE:
        raise InputError(f"--set {text!r}: the value cannot be read") from None


def _update_recipe(recipe: Recipe, values: Mapping[str, Any], where: str) -> Recipe:
    try:
        return Recipe.model_validate({**recipe.model_dump(), **values})
    except ValidationError as error:
        raise setting_error(error, Recipe.model_fields, where) from None


def setting_error(error: ValidationError, allowed: Iterable[str], where: str) -> InputError:
    """Return what to say of a value that a recipe cannot have; `where` it was given."""
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return InputError(f"{where}: {name}: no recipe has it; allowed: {', '.join(allowed)}")
    if not name:
        return InputError(f"{where}: {first['msg'].removeprefix('Value error, ')}")
    return InputError(f"{where}: {name}: {first['msg']} (given {first['input']!r})")
