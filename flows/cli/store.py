"""`klue store ls` and `gc`: what a work folder holds, and what of it nothing needs."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.build import Work
from flows.cli.group import Commands
from flows.cli.options import WORK, calls

app = Commands(help="What a work folder holds: list, and remove what no build refers to.")


@app.command()
@calls("flows.commands.store:ls", resumes=False)
def ls(work: Work = WORK) -> None:
    """List the builds and outputs of a work folder, and which builds refer to which outputs."""


@app.command()
@calls("flows.commands.store:gc")
def gc(
    work: Work = WORK,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be removed; remove nothing.")
    ] = False,
) -> None:
    """Remove the outputs that no build refers to: neither its last run nor one that was stopped."""
