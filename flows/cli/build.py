"""`klue build`, `klue init`, `klue explain`, `klue doctor`: builds, and what they stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import WORK, JoinMemory, Json, arguments, calls
from flows.view.console import emit_json, handle_errors, print_result
from flows.view.memory import HEAVY

Work = Annotated[Path, typer.Option("--work", help="Work directory: the store of stage outputs.")]


def build(
    build_file: Annotated[
        Path, typer.Argument(metavar="BUILD.yaml", help="The build file.", readable=False)
    ],
    work: Work = WORK,
    engine: Annotated[str, typer.Option(help="local (processes here) or dask (a cluster).")] = (
        "local"
    ),
    address: Annotated[
        str | None, typer.Option(help="Address of a running Dask scheduler, for --engine dask.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Worker processes here; all cores if not given.")
    ] = None,
    memory: JoinMemory = None,
    tasks: Annotated[
        str | None,
        typer.Option(help="Only these tasks and their sources, such as tc,nli."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            help="The last part to run: corpus, candidates, annotate, adjudicate, release or"
            " train; as far as the build file says if not given."
        ),
    ] = None,
    releases: Annotated[
        Path,
        typer.Option("--releases", help="The directory of releases, or s3://BUCKET/PREFIX."),
    ] = Path("data/releases"),
    private: Annotated[
        Path | None,
        typer.Option(
            "--private",
            help="With --releases s3://...: where test labels go, a folder or another bucket;"
            " data/private if not given.",
        ),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help="A form beside Parquet: klue, the official files."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and why; run nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build what a build file says: raw files to sentences, candidates, gold and a release."""
    options = locals()
    with handle_errors(as_json=as_json, needs=HEAVY):
        from flows import build as job
        from flows.plan.build import Request

        places = ("releases", "private")
        request = Request(**arguments(options, "dry_run", "as_json", addresses=places))
        if dry_run:
            print_result(job.dry_run(request), as_json=as_json)
            return
        record = job.build(request, quiet=as_json)
        if as_json:
            emit_json(record)


@calls("flows.lineage.explain:explain")
def explain(
    name: Annotated[str, typer.Argument(metavar="ID", help="A document, sentence or record id.")],
    work: Work = WORK,
    build_name: Annotated[
        str | None, typer.Option("--build", help="Look only in the build of this name.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell the whole life of an ID: where it came from, what touched it, why it was dropped."""


@calls("flows.commands.init:init", resumes=False)
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder, which may be new.")
    ] = Path(),
    as_json: Json = False,
) -> None:
    """Write a build file, a catalogue and a few texts to start a build of your own corpus from."""


@calls("flows.commands.doctor:doctor", resumes=False)
def doctor(as_json: Json = False) -> None:
    """Say what is installed, and what each missing extra would add and is needed for."""
