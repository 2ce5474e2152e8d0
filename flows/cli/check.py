"""`klue check`: what speaks against returned answers, before they are inspected."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.annotation import WORK, Json, Specs, Work
from flows.view.console import handled


def check(
    task: Annotated[str, typer.Argument(metavar="TASK", help="mrc or dst.")],
    batch: Annotated[
        str | None, typer.Option("--batch", help="The batch; the only one if not given.")
    ] = None,
    votes: Annotated[
        Path | None, typer.Option("--votes", help="A vote file instead of a batch.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option("--items", help="The items of --votes (JSONL or Parquet).")
    ] = None,
    work: Work = WORK,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Check written questions and dialogues by rule: hints for inspectors, nothing is refused."""
    given = locals()
    with handled(as_json=as_json):
        from flows.commands import check as job

        job.check(job.Check(**_request(given)), as_json=as_json)


def _request(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "as_json"}
