"""The training that a build ends with: a model for each task of its release."""

from __future__ import annotations

from pathlib import Path

from flows.commands.training import Training, recipe_for
from flows.plan.release import ReleasePlan
from pipeline.core.buildfile import Build
from pipeline.core.checkpoint import require_training
from pipeline.core.errors import InputError, SpecError


def plan_training(build: Build, release: ReleasePlan, work: Path) -> Training:
    """Return the training of a release.

    Raises SpecError where the build file does not ask for one, and for a model or a setting that
    there is not; MissingDependencyError without the libraries that train.
    """
    settings = build.train
    if settings is None:
        raise SpecError(
            f"{build.file}: train: is missing; say which model to train, such as"
            " `train: {model: scratch:tiny}`, or end with --until release"
        )
    require_training()
    from pipeline.training.source import source

    values = tuple(f"{name}={value}" for name, value in settings.settings.items())
    try:
        source(settings.model)
        for task in release.tasks:
            recipe_for(task.task, settings.model, None, values)
    except InputError as error:
        raise SpecError(f"{build.file}: train: {error}") from None
    return Training(
        place=release.folder,
        task="all",
        model=settings.model,
        out=work / "runs" / f"{release.name}-{release.version}",
        settings=values,
        seed=settings.seed,
    )
