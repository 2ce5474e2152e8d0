"""`klue build`, `klue init`, `klue explain`, `klue doctor`: builds, and what they stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import (
    WORK,
    Address,
    BuildFile,
    CoreWorkers,
    Engine,
    JoinMemory,
    OfficialForms,
    calls,
)
from flows.view.memory import HEAVY

Work = Annotated[Path, typer.Option("--work", help="Work directory: the store of stage outputs.")]


@calls("flows.build:build", needs=HEAVY, addresses=("releases", "private"))
def build(
    build_file: BuildFile,
    work: Work = WORK,
    engine: Engine = "local",
    address: Address = None,
    workers: CoreWorkers = None,
    memory: JoinMemory = None,
    tasks: Annotated[
        str | None,
        typer.Option(help="Only these tasks and their sources, such as tc,nli."),
    ] = None,
    until: Annotated[
        Literal["corpus", "candidates", "annotate", "adjudicate", "release", "train"] | None,
        typer.Option(help="The last part to run; as far as the build file says if not given."),
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
        list[OfficialForms] | None,
        typer.Option("--format", help="A form beside Parquet; klue: as the official files."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and why; run nothing.")
    ] = False,
) -> None:
    """Build what a build file says: raw files to sentences, candidates, gold and a release."""


@calls("flows.lineage.explain:explain", own_tasks="work")
def explain(
    name: Annotated[str, typer.Argument(metavar="ID", help="A document, sentence or record id.")],
    work: Work = WORK,
    build_name: Annotated[
        str | None,
        typer.Option("--build", help="Look only in this build, by the name in its build file."),
    ] = None,
) -> None:
    """Tell the whole life of an ID: where it came from, what touched it, why it was dropped."""


@calls("flows.commands.init:init", resumes=False)
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder, which may be new.")
    ] = Path(),
) -> None:
    """Write a build file, a catalogue and a few texts to start a build of your own corpus from."""


@calls("flows.commands.doctor:doctor", resumes=False)
def doctor() -> None:
    """Say what is installed, and what each missing extra would add and is needed for."""
