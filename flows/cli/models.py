"""`klue train`, `klue score` and `klue results`: the baseline, and what predictions are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import (
    SEED,
    Confidence,
    Draws,
    ModelPrecision,
    NewFolder,
    Seed,
    Settings,
    Specs,
    TaskOption,
    VotesFrom,
    calls,
    complete_task,
    completes,
)
from flows.view.memory import HEAVY


def _complete_task_or_all(context: typer.Context, incomplete: str) -> list[str]:
    return [*complete_task(context, incomplete), *completes("all")(incomplete)]


@calls("flows.commands.score:score", resumes=False, releases=("gold",))
def score(
    task: TaskOption,
    gold: Annotated[
        Path,
        typer.Option(
            "--gold",
            help="A release (folder, s3://...), an official KLUE file, Parquet with its columns,"
            " examples.parquet of klue split, or items with gold (JSONL, CSV, Parquet).",
        ),
    ],
    pred: Annotated[
        list[Path] | None,
        typer.Option(
            "--pred", help="Predictions by guid, JSONL or Parquet; several systems are compared."
        ),
    ] = None,
    human: Annotated[
        Path | None,
        typer.Option(
            "--human", help="Votes of people instead: a batch's folder, a vote file or an export."
        ),
    ] = None,
    source: Annotated[
        Literal["lm-eval", VotesFrom] | None,
        typer.Option(
            "--from",
            help="lm-eval: --pred are samples of lm-evaluation-harness (--log_samples). Else the"
            " tool whose export --human is, such as label-studio.",
        ),
    ] = None,
    split: Annotated[
        Literal["train", "dev", "test"] | None,
        typer.Option(help="Of a release or examples.parquet; test if not given."),
    ] = None,
    variant: Annotated[
        Literal["klue", "strict"],
        typer.Option(help="The published computation, or the paper's words to the letter."),
    ] = "klue",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Also by source, by class and by length.")
    ] = False,
    bootstrap: Annotated[
        bool, typer.Option("--bootstrap", help="Confidence intervals; always for several systems.")
    ] = False,
    draws: Draws = 1_000,
    confidence: Confidence = 0.95,
    seed: Seed = SEED,
    specs: Specs = None,
) -> None:
    """Score predictions as KLUE does; compare systems; score people (Tables 7 and 21).

    The test labels of a release are its owner's: scores of small groups (--breakdown) can betray
    single labels, so tell others those of a private test split only as a whole.
    """


@calls("flows.commands.export_eval:export_eval", resumes=False, releases=("folder",))
def export_eval(
    folder: Annotated[
        Path, typer.Argument(metavar="RELEASE", help="A release: its folder, or s3://....")
    ],
    out: NewFolder,
    to: Annotated[
        Literal["lm-eval"], typer.Option("--to", help="lm-eval: lm-evaluation-harness.")
    ] = "lm-eval",
    specs: Specs = None,
) -> None:
    """Write a release as tasks for language models, without its test labels."""


@calls("flows.train:train", needs=HEAVY, releases=("place",))
def train(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="RELEASE",
            help="A release, a folder of official KLUE files, or what klue split wrote.",
        ),
    ],
    task: Annotated[
        str,
        typer.Option(
            "--task",
            metavar="TASK",
            help="tc, sts, nli, ner, re, dp, mrc, dst, or all of them.",
            autocompletion=_complete_task_or_all,
        ),
    ],
    model: Annotated[
        str,
        typer.Option(
            help="A folder, a downloaded model of the hub, or scratch:tiny (mini, small, base,"
            " large): a model of that size initialised at random.",
            autocompletion=completes("scratch:tiny", "scratch:base"),
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the runs, a task each; data/runs/... if not given."),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A recipe (YAML) instead of the official one.")
    ] = None,
    settings: Settings = None,
    grid: Annotated[
        Path | None,
        typer.Option(help="A run for every combination, as data/recipes/grid.yaml (the paper's)."),
    ] = None,
    seed: Seed = 0,
    precision: ModelPrecision = "auto",
    holdout: Annotated[
        float | None,
        typer.Option(help="Draw this share of the labelled examples as dev, learn from the rest."),
    ] = None,
    new_head: Annotated[
        bool, typer.Option("--new-head", help="Drop the head of a model trained on other labels.")
    ] = False,
    download: Annotated[
        bool, typer.Option("--download", help="Fetch the model from the hub if it is not here.")
    ] = False,
    specs: Specs = None,
) -> None:
    """Train a model on a release, keep the best on dev, predict and score. Resumes if stopped."""


@calls("flows.commands.reports:results", resumes=False)
def results(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders with runs of klue train below.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write index.html and results.json here.")
    ] = None,
) -> None:
    """Put the scores of runs side by side, task by task: releases, models, seeds. No averages."""


@calls("flows.commands.compare_versions:compare_versions", resumes=False)
def compare_versions(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="A table of scores or systems x examples (CSV, JSONL, Parquet), a folder of runs,"
            " or published:TABLE.",
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The other version, in any form.")],
    human: Annotated[
        str | None, typer.Option(help="The system whose scores are people's, for saturation.")
    ] = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="Two names of one system; others match by name."),
    ] = None,
    split: Annotated[Literal["dev", "test"], typer.Option(help="Of runs.")] = "test",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write index.html and versions.json here.")
    ] = None,
    draws: Draws = 1_000,
    confidence: Confidence = 0.95,
    seed: Seed = SEED,
) -> None:
    """Compare how two versions of a benchmark, or two benchmarks, rank the same systems."""
