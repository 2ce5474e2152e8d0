"""Examples -> fine-tuned model -> predictions -> scores: what `klue train` does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from flows.commands.examples import Examples, examples_at, tasks_at
from flows.commands.recipes import chosen, points
from flows.view.console import console, emit_json, say
from pipeline.contracts.example import Prediction
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.core.checkpoint import library
from pipeline.core.errors import InputError
from pipeline.scoring.measure import VARIANTS
from pipeline.scoring.scorer import gold_of, scorer_of, scores

if TYPE_CHECKING:
    from pipeline.training.accelerating import Precision
    from pipeline.training.job import Job
    from pipeline.training.recipe import Recipe
    from pipeline.training.run import Callbacks, Score
    from pipeline.training.runfolder import Record
    from pipeline.training.source import Source
    from pipeline.training.training import Point

ALL: Final = "all"
RUNS: Final = Path("data/runs")


@dataclass(frozen=True)
class Request:
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
        return self.out or RUNS / "-".join(self.place.absolute().parts[-2:]) / name


def train(request: Request, *, as_json: bool) -> None:
    """Train a model for a task, or for all whose examples are there, and print the scores."""
    records = trained(request, quiet=as_json)
    page = None
    if len(records) > 1:
        from flows.commands.results import write_results

        page = write_results(request.folder, request.folder)
    if as_json:
        emit_json({"runs": records, "page": None if page is None else str(page)})
    else:
        _show(request, records, page)


def trained(request: Request, *, quiet: bool) -> list[Record]:
    """Train, or go on with what was begun; return the records of the runs.

    Everything is read and checked before the first training starts. Of several runs one that
    diverges is recorded as failed, and the others go on.
    """
    from pipeline.training.run import rehearse

    for name in ("torch", "accelerate", "transformers"):
        library(name)
    _check(request)
    source = _source(request)
    jobs = [job for task in _tasks(request) for job in _jobs(request, task, source)]
    alone = len(jobs) == 1
    with _asked_to_stop() as stop:
        if not alone:
            say(f"checking {len(jobs)} runs before the first one begins")
            rehearse([job for job, _ in jobs], stop)
        return [_run(job, score, stop, quiet=quiet, alone=alone) for job, score in jobs]


def _check(request: Request) -> None:
    from pipeline.training.accelerating import PRECISIONS

    if request.precision not in PRECISIONS:
        allowed = ", ".join(PRECISIONS)
        raise InputError(f"--precision {request.precision!r} is not known; allowed: {allowed}")
    if request.recipe is not None and request.task == ALL:
        raise InputError("--recipe is for one task; --task all takes the recipe of each")
    if request.folder.is_file():
        raise InputError(f"--out {request.folder}: is a file; give a folder, it may be new")


def _tasks(request: Request) -> tuple[str, ...]:
    return tasks_at(request.place) if request.task == ALL else (task_of(request.task).id,)


def _source(request: Request) -> Source:
    from pipeline.training.source import source

    return source(request.model, download=request.download)


def _jobs(request: Request, task: str, source: Source) -> Iterator[tuple[Job, Score]]:
    """Yield the runs of a task, and what scores them: one, or one for each point of a grid."""
    from pipeline.training.job import Job

    examples = examples_at(request.place, task, holdout=request.holdout, seed=request.seed)
    for note in examples.notes:
        say(f"{task}: {note}")
    spec = load_spec(task, request.specs or SPECS)
    score = scoring(spec, examples)
    recipe = chosen(task, request.model, request.recipe, request.settings)
    for folder, one in _recipes(request, request.folder / task, recipe):
        job = Job(
            spec=spec,
            recipe=one,
            model=source,
            splits=examples.splits,
            data=examples.data,
            digest=examples.digest,
            metric=scorer_of(task).names[0],
            folder=folder,
            seed=request.seed,
            precision=cast("Precision", request.precision),
            new_head=request.new_head,
        )
        yield job, score


def _recipes(request: Request, folder: Path, recipe: Recipe) -> Iterator[tuple[Path, Recipe]]:
    if request.grid is None:
        yield folder, recipe
        return
    for point, one in points(recipe, request.grid):
        name = "_".join(f"{key}={value}" for key, value in point.items())
        yield folder / name, one


def scoring(spec: TaskSpec, examples: Examples) -> Score:
    """Return what scores predictions of a split, in both variants; None for one without labels."""
    scorer = scorer_of(spec.task)
    known = {
        split: gold_of(examples.splits[split], scorer, spec)
        for split in examples.labelled
        if split != "train" and examples.splits.get(split)
    }

    def score(
        split: str, predictions: Sequence[Prediction]
    ) -> dict[str, dict[str, float | None]] | None:
        if split not in known:
            return None
        gold, ordered = known[split], sorted(predictions, key=lambda one: one.id)
        return {
            variant: scores(gold.measures(ordered, variant), len(gold)).values
            for variant in VARIANTS
        }

    return score


@contextmanager
def _asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Tell whether the user, or the system, asked to end; the step in hand is finished first.

    Who asks twice is not waited for.
    """
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # no other thread hears signals
        return

    def heard(number: int, frame: Any) -> None:
        if asked:
            signal.default_int_handler(number, frame)
        asked.append(number)
        say("stopping after this step; ask again to stop at once")

    before = {one: signal.signal(one, heard) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _run(job: Job, score: Score, stop: Callable[[], bool], *, quiet: bool, alone: bool) -> Record:
    from pipeline.training.run import run
    from pipeline.training.runfolder import read_record
    from pipeline.training.training import DivergedError

    say(_announced(job))
    with _callbacks(job.spec.task, stop, quiet=quiet) as callbacks:
        try:
            record = run(job, score, callbacks)
        except DivergedError as error:
            if alone:
                raise
            callbacks.note(str(error))
            return read_record(job.folder)
        for split in job.splits:
            if split != "train" and split not in record.get("scores", {}):
                callbacks.note(f"{split} is predicted and not scored: its labels are not here")
        return record


def _announced(job: Job) -> str:
    sizes = ", ".join(f"{len(one):,} {split}" for split, one in job.splits.items())
    return f"{job.spec.task}: {sizes}; {job.model.name}, {job.recipe.epochs} epochs -> {job.folder}"


@contextmanager
def _callbacks(task: str, stop: Callable[[], bool], *, quiet: bool) -> Iterator[Callbacks]:
    """Show steps as a bar where a terminal is watching, evaluations and notes as lines."""
    from pipeline.training.run import Callbacks

    def point(one: Point) -> None:
        scores = ", ".join(f"{name} {_number(value)}" for name, value in one.scores.items())
        loss = f"loss {one.loss:.4f}" if one.step else "not trained"
        say(f"{task}: epoch {one.epoch:g}, step {one.step:,}, {loss}; dev {scores}")

    def note(text: str) -> None:
        say(f"{task}: {text}")

    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield Callbacks(note=note, point=point, stop=stop)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(f"{task:4}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bars:
        bar = bars.add_task(task, total=None)
        yield Callbacks(
            note=note,
            point=point,
            stop=stop,
            done=lambda step, steps: bars.update(bar, completed=step, total=steps),
        )


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _show(request: Request, records: Sequence[Record], page: Path | None) -> None:
    from rich.table import Table

    table = Table(title=f"{request.model} on {request.place}", title_justify="left")
    for heading in ("task", "split", "metric", *VARIANTS):
        table.add_column(heading, justify="right" if heading in VARIANTS else "left")
    for record in records:
        for row in _rows(record):
            table.add_row(*row)
    console().print(table)
    for record in records:
        say(_measured(record))
    say(f"runs  {request.folder}" + (f"\npage  {page}" if page is not None else ""))


def _rows(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for split, found in record.get("scores", {}).items():
        names = dict.fromkeys(name for variant in VARIANTS for name in found[variant])
        for name in names:
            values = (_number(found[v][name]) if name in found[v] else "" for v in VARIANTS)
            yield record["task"], split, name, *values


def _measured(record: Mapping[str, Any]) -> str:
    if "failed" in record:
        return f"{record['task']}: failed: {record['failed']}"
    one = record["measured"]
    return (
        f"{record['task']}: {one['training_seconds']:,.0f} s of training on {one['device']},"
        f" {one['inputs_per_second']:,.0f} inputs/s, {one['waiting_share']:.1%} waiting for data,"
        f" best at step {record['best']['step']:,}"
    )
