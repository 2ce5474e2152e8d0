"""`klue hypothesis-only`: what the hypotheses of KLUE-NLI give away about their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.annotation import Json, Specs
from flows.view.console import handled

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="Official KLUE-NLI files, or items with their gold labels (JSONL or Parquet).",
        readable=False,
    ),
]


def hypothesis_only(
    files: Files,
    classifier: Annotated[
        str, typer.Option(help="What guesses labels: linear, or transformers:FOLDER_OR_MODEL.")
    ] = "linear",
    folds: Annotated[int, typer.Option(help="Parts for cross-fitting, 2 to 20.")] = 5,
    gold: Annotated[
        Path | None,
        typer.Option(help="gold.parquet of `klue aggregate`: its labels instead of the items'."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a line for each pair to this file (JSONL).")
    ] = None,
    seed: Annotated[int, typer.Option(help="The key of every draw.")] = 20201201,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Guess labels from hypotheses alone; tell which sets of a premise are hardest to guess."""
    with handled(as_json=as_json, resumes=False):
        from flows.commands import hypothesis_only as job

        request = job.Scoring(
            tuple(files),
            classifier=classifier,
            folds=folds,
            gold=gold,
            out=out,
            seed=seed,
            force=force,
            specs=specs,
        )
        job.run(request, as_json=as_json)
