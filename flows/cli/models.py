"""`klue train`, `klue score` and `klue results`: the baseline, and what predictions are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import SEED, Json, Seed, Specs, TaskOption, arguments, calls
from flows.view.console import handle_errors, print_result
from flows.view.memory import HEAVY


@calls("flows.commands.score:score", resumes=False, releases=("gold",))
def score(
    task: TaskOption,
    gold: Annotated[
        Path,
        typer.Option(
            "--gold",
            help="A release (folder, s3://...), an official KLUE file, Parquet with its columns,"
            " examples.parquet of klue split, or items with gold.",
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
        str | None,
        typer.Option(
            "--from",
            help="lm-eval: --pred are samples of lm-evaluation-harness (--log_samples). Else the"
            " tool whose export --human is, such as label-studio.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="train, dev or test of a release or examples.parquet; test if not given."
        ),
    ] = None,
    variant: Annotated[
        str, typer.Option(help="klue (the published computation) or strict (the paper's words).")
    ] = "klue",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Also by source, by class and by length.")
    ] = False,
    bootstrap: Annotated[
        bool, typer.Option("--bootstrap", help="Confidence intervals; always for several systems.")
    ] = False,
    draws: Annotated[int, typer.Option(help="Draws of the bootstrap.")] = 1_000,
    confidence: Annotated[float, typer.Option(help="What an interval holds, 0 to 1.")] = 0.95,
    seed: Seed = SEED,
    specs: Specs = None,
    as_json: Json = False,
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
    out: Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")],
    to: Annotated[str, typer.Option("--to", help="lm-eval: lm-evaluation-harness.")] = "lm-eval",
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Write a release as tasks for language models, without its test labels."""


def train(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="RELEASE",
            help="A release, a folder of official KLUE files, or what klue split wrote.",
        ),
    ],
    task: Annotated[str, typer.Option(help="tc, sts, nli, ner, re, dp, mrc, dst, or all of them.")],
    model: Annotated[
        str,
        typer.Option(
            help="A folder, a downloaded model of the hub, or scratch:tiny (mini, small, base,"
            " large): a model of that size initialised at random."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the runs, a task each; data/runs/... if not given."),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A recipe (YAML) instead of the official one.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A number of the recipe: epochs=3."),
    ] = None,
    grid: Annotated[
        Path | None,
        typer.Option(help="A run for every combination, as data/recipes/grid.yaml (the paper's)."),
    ] = None,
    seed: Seed = 0,
    precision: Annotated[str, typer.Option(help="auto (bf16 on a GPU), bf16 or float32.")] = "auto",
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
    as_json: Json = False,
) -> None:
    """Train a model on a release, keep the best on dev, predict and score. Resumes if stopped."""
    options = locals()
    with handle_errors(as_json=as_json, needs=HEAVY):
        from flows import train as job
        from flows.commands.training import Training

        request = Training(**arguments(options, "as_json", releases=("place",)))
        print_result(job.train(request, quiet=as_json), as_json=as_json)


@calls("flows.commands.reports:results", resumes=False)
def results(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders with runs of klue train below.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write index.html and results.json here.")
    ] = None,
    as_json: Json = False,
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
    split: Annotated[str, typer.Option(help="Of runs: dev or test.")] = "test",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write index.html and versions.json here.")
    ] = None,
    draws: Annotated[int, typer.Option(help="Draws of the bootstrap over examples.")] = 1_000,
    confidence: Annotated[float, typer.Option(help="What an interval holds, 0 to 1.")] = 0.95,
    seed: Seed = SEED,
    as_json: Json = False,
) -> None:
    """Compare how two versions of a benchmark, or two benchmarks, rank the same systems."""
