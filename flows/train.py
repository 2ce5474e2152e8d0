"""The training flow: examples -> fine-tuned model -> predictions -> scores.

`klue train` does the same without Prefect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from flows.engine.run import Part
from flows.view.console import Result, say
from flows.view.stop import stop_signals
from flows.view.tables import Table
from pipeline.core import steps
from pipeline.core.wording import count
from pipeline.scoring.measure import VARIANTS

if TYPE_CHECKING:
    from flows.commands.training import Training
    from flows.engine.tasks import Tasks
    from pipeline.training.job import Job
    from pipeline.training.run import Callbacks, Score
    from pipeline.training.runfolder import Record
    from pipeline.training.training import Point


def train(**options: Any) -> Result:
    """Train a model for a task, or for all whose examples are there; return the scores."""
    from flows.commands.training import Training

    request = Training(**options)
    records = train_models(request)
    return result_of_runs(request, records), partial(show_runs, request)


def result_of_runs(request: Training, records: list[Record]) -> dict[str, Any]:
    """Return the record of runs, and write the page that has several side by side."""
    page = None
    if len(records) > 1:
        from flows.commands.reports import results

        results([request.folder], request.folder)
        page = str(request.folder / "index.html")
    return {"runs": records, "page": page}


def training_flow(request: Training, records: list[Record]) -> Part:
    """Return the flow that trains a model for each task of a release and adds to the records."""

    def run(tasks: Tasks) -> None:
        from flows.commands.examples import tasks_at

        for task in tasks_at(request.place):
            one = replace(request, task=task)
            records.extend(tasks.run("train", task, partial(train_models, one)))

    def summary() -> str:
        return score_table(request, records).markdown()

    return Part("train", summary, then=run)


def train_models(request: Training) -> list[Record]:
    """Train, or go on with what was begun; return the records of the runs.

    Everything is read and checked before the first training starts. Of several runs one that
    diverges is recorded as failed, and the others go on.
    """
    from flows.commands.training import jobs_of

    jobs = jobs_of(request)
    from pipeline.training.run import rehearse

    alone = len(jobs) == 1
    with stop_signals() as stop:
        if not alone:
            say(f"checking {count(len(jobs), 'run')} before the first one begins")
            rehearse([job for job, _ in jobs], stop)
        return [_run(job, score, stop, alone=alone) for job, score in jobs]


def _run(job: Job, score: Score, stop: Callable[[], bool], *, alone: bool) -> Record:
    from pipeline.training.run import run
    from pipeline.training.runfolder import read_record
    from pipeline.training.training import DivergedError

    sizes = ", ".join(f"{len(examples):,} {split}" for split, examples in job.splits.items())
    task, model = job.spec.task, job.model.name
    say(f"{task}: {sizes}; {model}, {job.recipe.epochs} epochs -> {job.folder}")
    with _callbacks(task, stop) as callbacks:
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


@contextmanager
def _callbacks(task: str, stop: Callable[[], bool]) -> Iterator[Callbacks]:
    """Report steps, and say evaluations and notes."""
    from pipeline.training.run import Callbacks

    def point(point_: Point) -> None:
        scores = ", ".join(f"{name} {_number(value)}" for name, value in point_.scores.items())
        loss = f"loss {point_.loss:.4f}" if point_.step else "not trained"
        say(f"{task}: epoch {point_.epoch:g}, step {point_.step:,}, {loss}; dev {scores}")

    def note(text: str) -> None:
        say(f"{task}: {text}")

    step = f"{task}, steps"
    with steps.running(step):
        yield Callbacks(note=note, point=point, stop=stop, done=steps.follow(step))


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def score_table(request: Training, runs: Sequence[Mapping[str, Any]]) -> Table:
    """Return the scores of runs."""
    rows = [row for run in runs for row in _rows(run)]
    heads = ("task", "split", "metric")
    return Table(f"{request.model} on {request.place}", (*heads, *VARIANTS), rows, left=heads)


def show_runs(request: Training, record: Mapping[str, Any]) -> None:
    """Print scores and times of runs, and where they lie."""
    runs, page = record["runs"], record["page"]
    score_table(request, runs).print()
    for run in runs:
        say(_timing_line(run))
    say(f"runs  {request.folder}" + (f"\npage  {page}" if page is not None else ""))


def _rows(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for split, scores in record.get("scores", {}).items():
        names = dict.fromkeys(name for variant in VARIANTS for name in scores[variant])
        for name in names:
            values = (_number(scores[v][name]) if name in scores[v] else "" for v in VARIANTS)
            yield record["task"], split, name, *values


def _timing_line(record: Mapping[str, Any]) -> str:
    if "failed" in record:
        return f"{record['task']}: failed: {record['failed']}"
    times = record["measured"]
    return (
        f"{record['task']}: {times['training_seconds']:,.0f} s of training on {times['device']},"
        f" {times['inputs_per_second']:,.0f} inputs/s, {times['waiting_share']:.1%} waiting for"
        f" data, best at step {record['best']['step']:,}"
    )
