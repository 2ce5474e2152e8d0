"""`klue train` and `klue results`: the baseline step, and what came of runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.view.console import handled

Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]


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
    seed: Annotated[int, typer.Option(help="The key of every draw.")] = 0,
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
    specs: Annotated[
        Path | None, typer.Option(help="A folder of specs instead of the project's.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a model on a release, keep the best on dev, predict and score. Resumes if stopped."""
    with handled(as_json=as_json):
        from flows import train as job

        request = job.Request(
            place,
            task,
            model,
            out=out,
            recipe=recipe,
            settings=tuple(settings or ()),
            grid=grid,
            seed=seed,
            precision=precision,
            holdout=holdout,
            new_head=new_head,
            download=download,
            specs=specs,
        )
        job.train(request, as_json=as_json)


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
    with handled(as_json=as_json, resumes=False):
        from flows.commands import results as job

        job.results(folders, out, as_json=as_json)
