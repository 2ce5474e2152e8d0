"""`klue label-studio`: batches on a live Label Studio, without files to carry."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.annotation import Batch, TaskName, Work
from flows.cli.options import WORK, Json, Specs, calls

app = typer.Typer(
    name="label-studio",
    help="Batches on a live Label Studio: push, pull, sync.",
    no_args_is_help=True,
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
Replace = Annotated[
    bool, typer.Option("--replace", help="Let changed answers replace earlier ones.")
]


@app.command()
@calls("flows.commands.label_studio:push")
def push(
    task: TaskName,
    batch: Batch = "main",
    files: Files = None,
    work: Work = WORK,
    as_json: Json = False,
) -> None:
    """Make the batch's project, its missing tasks, and a tab for each annotator's share.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """


@app.command()
@calls("flows.commands.label_studio:pull")
def pull(
    task: TaskName,
    batch: Batch = "main",
    annotators: Annotators = None,
    replace: Replace = False,
    work: Work = WORK,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Fetch all annotations, then import them as `klue import` does; twice changes nothing.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """


@app.command()
@calls("flows.commands.label_studio:sync")
def sync(
    task: TaskName,
    batch: Batch = "main",
    files: Files = None,
    annotators: Annotators = None,
    replace: Replace = False,
    work: Work = WORK,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Push, then pull: for a job that runs again and again.

    LABEL_STUDIO_URL is the address of the server, LABEL_STUDIO_API_KEY a token for it.
    """
