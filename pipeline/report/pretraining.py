"""Pretraining runs on a page of results: their curves, and how fast they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pipeline.report.record import Cell, Chart, Column, Section, Series, Table
from pipeline.report.runs import Part, checked

#: What the record of a pretraining says of itself.
KIND: Final = "pretraining"


class Point(Part):
    """Where a run stood at a step: the loss since the point before, and the held-out scores."""

    step: int
    loss: float
    inputs: int
    scores: Mapping[str, float | None]


class Encoder(Part):
    """The model: the name of the run's folder, and how large it is."""

    name: str
    parameters: int
    vocabulary: int


class Recipe(Part):
    """What of a recipe is shown."""

    learning_rate: float
    batch_size: int
    max_length: int
    masked: float
    masking: str
    packing: str


class Speed(Part):
    """How fast a run was; the utilisation is of what the device is made for, None if unknown."""

    device: str
    processes: int
    training_seconds: float
    tokens_per_second: float
    model_flops_utilisation: float | None
    waiting_share: float
    peak_memory_bytes: int


class Pretrained(Part):
    """A pretraining that is over."""

    finished: Literal[True]
    kind: Literal["pretraining"]
    architecture: str
    size: str
    seed: int
    model: Encoder
    recipe: Recipe
    objectives: Sequence[str]
    sequences: Mapping[str, int]
    points: Sequence[Point] = ()
    measured: Speed | None = None
    failed: str | None = None

    @property
    def name(self) -> str:
        return f"{self.model.name} (seed {self.seed})"


def pretrained_of(record: Mapping[str, Any]) -> Pretrained | None:
    """Return the run that a record tells of, None for one that has not ended.

    Raises InputError that names the first part of the record that is not as it is written.
    """
    return None if record.get("finished") is False else checked(Pretrained, record)


def pretraining_section(runs: Sequence[Pretrained]) -> Section:
    """Return the section of some runs: a table, and curves of loss and of what is told right."""
    charts = [
        _chart("loss-train", "Loss on the text that is learnt from", "loss", _learnt(runs)),
        _chart("loss-held-out", "Loss on held-out text", "loss", _held_out(runs, "loss")),
        _chart(
            "masked-accuracy",
            "Masked tokens told right on held-out text, %",
            "% right",
            _held_out(runs, "masked_accuracy"),
        ),
    ]
    return Section(
        "pretraining",
        "Pretraining",
        "Losses are in nats a masked token, with those of next sentences where there are pairs;"
        " those of different tokenizers cannot be compared.",
        [_table(runs)],
        [chart for chart in charts if any(series.x for series in chart.series)],
    )


def _learnt(runs: Sequence[Pretrained]) -> list[Series]:
    """Return the curve of each run: the mean loss since the point before."""
    curves = [(run.name, [point for point in run.points if point.inputs]) for run in runs]
    return [
        Series(name, [point.step for point in points], [point.loss for point in points])
        for name, points in curves
    ]


def _held_out(runs: Sequence[Pretrained], score: str) -> list[Series]:
    return [
        Series(
            run.name,
            [point.step for point in run.points if score in point.scores],
            [point.scores[score] for point in run.points if score in point.scores],
        )
        for run in runs
    ]


def _chart(name: str, title: str, measure: str, series: Sequence[Series]) -> Chart:
    return Chart(f"pretraining-{name}", title, "line", "step", measure, series, form="three")


def _table(runs: Sequence[Pretrained]) -> Table:
    columns = [
        *(Column(name, "text") for name in ("model", "seed", "encoder", "objectives", "recipe")),
        *(Column(name) for name in ("parameters", "vocabulary", "sequences", "steps")),
        *(Column(name, "three") for name in ("held-out loss",)),
        Column("masked right, %", "two"),
        *(Column(name) for name in ("seconds", "tokens a second")),
        *(Column(name, "share") for name in ("FLOPs used", "waiting for data")),
        Column("memory, MiB"),
        Column("device", "text"),
    ]
    return Table(
        "pretraining-models",
        "Pretraining runs",
        columns,
        [_row(run) for run in runs],
        note=" ".join(f"{run.name} failed: {run.failed}." for run in runs if run.failed),
        long=True,
    )


def _row(run: Pretrained) -> list[Cell]:
    recipe, last = run.recipe, run.points[-1] if run.points else None
    scores = last.scores if last else {}
    return [
        run.model.name,
        str(run.seed),
        f"{run.architecture} {run.size}",
        ", ".join(run.objectives),
        f"{recipe.masked:.0%} {recipe.masking}, {recipe.packing}, {recipe.batch_size} x"
        f" {recipe.max_length}, {recipe.learning_rate:g}",
        run.model.parameters,
        run.model.vocabulary,
        run.sequences.get("train"),
        last.step if last else None,
        scores.get("loss"),
        scores.get("masked_accuracy"),
        *_speed(run.measured),
    ]


def _speed(measured: Speed | None) -> list[Cell]:
    if measured is None:
        return [None] * 6
    several = f"{measured.processes} x " if measured.processes > 1 else ""
    return [
        round(measured.training_seconds),
        round(measured.tokens_per_second),
        measured.model_flops_utilisation,
        measured.waiting_share,
        round(measured.peak_memory_bytes / 2**20),
        f"{several}{measured.device}",
    ]
