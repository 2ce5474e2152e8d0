"""`klue score`: predictions, or people's answers, against gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.annotation import Json, Specs, TaskOption
from flows.view.console import handled


def score(
    task: TaskOption,
    gold: Annotated[
        Path,
        typer.Option(
            "--gold",
            help="A release's folder, an official KLUE file, Parquet with a release's columns,"
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
        typer.Option("--from", help="The tool whose export --human is, such as label-studio."),
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
    seed: Annotated[int, typer.Option(help="The key of every draw.")] = 20201201,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Score predictions as KLUE does; compare systems; score people (Tables 7 and 21).

    The test labels of a release are its owner's: scores of small groups (--breakdown) can betray
    single labels, so tell others those of a private test split only as a whole.
    """
    with handled(as_json=as_json, resumes=False):
        from flows.commands import score as job

        request = job.Scoring(
            task,
            gold,
            tuple(pred or ()),
            human=human,
            source=source,
            split=split,
            variant=variant,
            breakdown=breakdown,
            bootstrap=bootstrap,
            draws=draws,
            confidence=confidence,
            seed=seed,
            specs=specs,
        )
        job.run(request, as_json=as_json)
