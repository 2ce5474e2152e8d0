"""What `klue pretrain` is asked for, and how it shows what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from flows.commands.outputs import check_folder
from flows.commands.training import setting, setting_error
from flows.view.console import Result, say
from flows.view.next_command import command_line
from flows.view.stop import stop_signals
from flows.view.tables import Table
from pipeline.core import steps
from pipeline.core.checkpoint import digest_of as checkpoint_digest
from pipeline.core.checkpoint import require_training
from pipeline.core.errors import InputError
from pipeline.core.wording import count

if TYPE_CHECKING:
    from pipeline.training.job import Precision
    from pipeline.training.pretraining.job import PretrainingJob
    from pipeline.training.pretraining.recipe import PretrainingRecipe
    from pipeline.training.run import Callbacks
    from pipeline.training.training import Point


@dataclass(frozen=True)
class Pretraining:
    """What `klue pretrain` was asked for."""

    places: tuple[Path, ...]
    tokenizer: Path
    out: Path
    architecture: str = "bert"
    size: str | None = None
    model: Path | None = None
    recipe: str = "klue"
    settings: tuple[str, ...] = ()
    seed: int = 0
    precision: str = "auto"
    compiled: bool = False


def pretrain(**options: Any) -> Result:
    """Pretrain a model, or go on with it; return the record of the run."""
    request = Pretraining(**options)
    job = job_of(request)
    from pipeline.training.pretraining.run import pretrain as run

    said = f"{count(len(job.files), 'file')}; {job.architecture.name} {job.size}"
    say(f"pretrain: {said}, {len(job.tokens.tokenizer):,} pieces -> {job.folder}")
    with stop_signals() as stop, _callbacks(stop) as callbacks:
        record = run(job, callbacks)
    return record, partial(_show, request)


def job_of(request: Pretraining) -> PretrainingJob:
    """Return the job of a request; raises InputError or SpecError for what cannot be trained."""
    require_training()
    from pipeline.training.pretraining.architectures import ARCHITECTURES, config_of, digest_of
    from pipeline.training.pretraining.job import PretrainingJob, checkpoint_config, tokenizer_of
    from pipeline.training.pretraining.shards import text_files

    check_folder("--out", request.out)
    if (request.size is None) == (request.model is None):
        raise InputError("give --size for a new model, or --model for one to go on with")
    files = text_files(request.places)
    tokens = tokenizer_of(request.tokenizer)
    architecture = ARCHITECTURES[request.architecture]
    if request.model is not None:
        config = checkpoint_config(request.model, tokens, architecture)
        origin = checkpoint_digest(str(request.model))
    else:
        config = config_of(architecture, request.size or "", tokens)
        origin = digest_of(config)
    return PretrainingJob(
        files=files,
        tokens=tokens,
        architecture=architecture,
        config=config,
        size=request.size or str(request.model),
        origin=origin,
        recipe=_recipe(request),
        folder=request.out,
        checkpoint=request.model,
        seed=request.seed,
        precision=cast("Precision", request.precision),
        compiled=request.compiled,
    )


def _recipe(request: Pretraining) -> PretrainingRecipe:
    from pipeline.training.pretraining.recipe import (
        PretrainingRecipe,
        pretraining_recipe,
        update_recipe,
    )

    recipe = pretraining_recipe(request.recipe, request.architecture)
    try:
        return update_recipe(recipe, dict(setting(text) for text in request.settings))
    except ValidationError as error:
        raise setting_error(error, PretrainingRecipe.model_fields, "--set") from None


@contextmanager
def _callbacks(stop: Callable[[], bool]) -> Iterator[Callbacks]:
    """Report steps, and say evaluations and notes."""
    from pipeline.training.run import Callbacks

    def point(point_: Point) -> None:
        loss = f"loss {point_.loss:.4f}" if point_.inputs else "no step yet"
        scores = ", ".join(f"{name} {value:.4g}" for name, value in point_.scores.items())
        say(f"pretrain: epoch {point_.epoch:g}, step {point_.step:,}, {loss}; held out {scores}")

    step = "pretrain, steps"
    with steps.running(step):
        yield Callbacks(
            note=lambda text: say(f"pretrain: {text}"),
            point=point,
            stop=stop,
            done=steps.follow(step),
        )


def _show(request: Pretraining, record: dict[str, Any]) -> None:
    """Print the curve of a run and its speed, and where it lies."""
    rows = [
        (
            f"{point['step']:,}",
            _number(point["loss"] if point["inputs"] else None),
            *(_number(point["scores"].get(name)) for name in ("loss", "masked_accuracy")),
        )
        for point in record["points"]
    ]
    heads = ("step", "loss", "held-out loss", "masked words right, %")
    Table(f"{record['architecture']} {record['size']}", heads, rows, left=()).print()
    measured = record["measured"]
    used = measured["model_flops_utilisation"]
    say(
        f"{measured['training_seconds']:,.0f} s of training on {measured['device']},"
        f" {measured['tokens_per_second']:,.0f} tokens/s,"
        f" {measured['waiting_share']:.1%} waiting for data,"
        f" FLOPs used: {measured['utilisation_unknown'] if used is None else f'{used:.1%}'}"
    )
    say(f"model  {request.out / 'model'}")
    train = command_line("train", "RELEASE", "--task", "tc", "--model", request.out / "model")
    say(f"try    {train}")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
