"""`klue label-studio`: batches on a live Label Studio, without files to carry."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.annotation import Batch, Replace, Work
from flows.cli.group import Commands
from flows.cli.options import WORK, Specs, TaskName, calls

app = Commands(
    help="Batches on a live Label Studio, at LABEL_STUDIO_URL: push, pull, sync.",
)

Files = Annotated[
    Path | None,
    typer.Option(
        "--files",
        help="The folder that `klue export --to label-studio` wrote; the batch's if not given.",
    ),
]
Annotators = Annotated[
    Path | None,
    typer.Option(
        help="JSON object from users (ids or e-mail addresses) to annotators' names;"
        " annotators.json in the batch's export folder if not given."
    ),
]


@app.command()
@calls("flows.commands.label_studio:push", own_tasks="work")
def push(
    task: TaskName,
    batch: Batch = "main",
    files: Files = None,
    work: Work = WORK,
) -> None:
    """Make the batch's project, its missing tasks, and a tab for each annotator's share.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """


@app.command()
@calls("flows.commands.label_studio:pull", own_tasks="work")
def pull(
    task: TaskName,
    batch: Batch = "main",
    annotators: Annotators = None,
    replace: Replace = False,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Fetch all annotations, then import them as `klue import` does; twice changes nothing.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """


@app.command()
@calls("flows.commands.label_studio:sync", own_tasks="work")
def sync(
    task: TaskName,
    batch: Batch = "main",
    files: Files = None,
    annotators: Annotators = None,
    replace: Replace = False,
    work: Work = WORK,
    specs: Specs = None,
) -> None:
    """Push, then pull: for a job that runs again and again.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """
