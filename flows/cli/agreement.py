"""`klue audit` and `klue aggregate`: how far annotators agree, and what becomes gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.annotation import FORMATS, Json, Specs
from flows.view.console import handled

Votes = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="A vote file (JSONL, CSV, Parquet), a batch's folder, a task's folder of batches, or a"
        " file of --from.",
        readable=False,
    ),
]
Source = Annotated[
    str | None, typer.Option("--from", help=f"klue (official files), {FORMATS}; votes if absent.")
]
TaskOption = Annotated[
    str | None, typer.Option("--task", help="tc, sts, nli, ner, re, dp, mrc or dst.")
]
Items = Annotated[
    Path | None, typer.Option("--items", help="Items the votes are about (JSONL or Parquet).")
]
Seed = Annotated[int, typer.Option(help="The key of every draw.")]


def audit(
    votes: Votes,
    task: TaskOption = None,
    level: Annotated[
        str | None,
        typer.Option(help="nominal, ordinal, interval, ratio or multilabel, for votes of no task."),
    ] = None,
    source: Source = None,
    items: Items = None,
    bootstrap: Annotated[
        int, typer.Option(help="Resamples for the confidence intervals; 0 for none.")
    ] = 1000,
    html: Annotated[
        Path | None, typer.Option(help="Write the page (index.html and audit.json) to this folder.")
    ] = None,
    seed: Seed = 20201201,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Audit agreement: coefficients, annotators, items, labels, sources; --html for a page."""
    given = locals()
    with handled(as_json=as_json, resumes=False):
        from flows.commands import agreement

        agreement.audit(agreement.Audit(**_request(given)), as_json=as_json)


def aggregate(
    votes: Votes,
    task: Annotated[str, typer.Option("--task", help="tc, sts, nli, ner, re, dp, mrc or dst.")],
    source: Source = None,
    items: Items = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write gold.parquet, gold.jsonl, ledger and queue to this folder."),
    ] = None,
    exclude: Annotated[
        bool | None,
        typer.Option(
            "--exclude/--no-exclude",
            help="Leave out annotators by the spec's exclusion rule; not for --from klue unless"
            " asked: that was done before the release.",
        ),
    ] = None,
    public_figures: Annotated[
        Path | None, typer.Option(help="Names of public figures, one a line (NER privacy review).")
    ] = None,
    crowd: Annotated[
        str | None,
        typer.Option(
            help="Beside the rule: dawid-skene, mace, glad (commas between) or all (extra `crowd`)."
        ),
    ] = None,
    seed: Seed = 20201201,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Turn votes into gold by the spec's rule; what it cannot decide waits in a queue."""
    given = locals()
    with handled(as_json=as_json, resumes=False):
        from flows.commands import agreement

        agreement.aggregate(agreement.Aggregation(**_request(given)), as_json=as_json)


def _request(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "as_json"}
