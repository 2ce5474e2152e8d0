"""`klue verify`, `klue diff`, `klue report` and `klue convert`: releases looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import SEED, Force, Json, Seed, Specs, TaskOption, arguments
from flows.view.console import handled

Release = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="The folder of a release, NAME/VERSION.")
]


def split(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Labelled items, or official files.")
    ],
    task: TaskOption,
    source: Annotated[
        str, typer.Option("--from", help="klue (official files), or items (JSONL, Parquet).")
    ] = "items",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write examples, constraints and leaks here.")
    ] = None,
    seed: Seed = SEED,
    force: Force = False,
    specs: Specs = None,
    as_json: Json = False,
) -> None:
    """Split labelled items into train, dev and test by the rule of the task's spec."""
    options = locals()
    with handled(as_json=as_json, resumes=False):
        from flows.commands import split_files as job

        job.split(job.Splitting(**arguments(options)), as_json=as_json)


def verify(folder: Release, as_json: Json = False) -> None:
    """Check every hash, schema, count and promise of a release again."""
    with handled(as_json=as_json):
        from flows.commands.releases import check_release

        if not check_release(folder, as_json=as_json):
            raise typer.Exit(1)


def diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="The folder of a release.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The folder of another one.")],
    as_json: Json = False,
) -> None:
    """Tell added, removed, relabelled, edited and moved examples of two releases."""
    with handled(as_json=as_json):
        from flows.commands.releases import compare

        compare(before, after, as_json=as_json)


def report(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[RELEASE]", help="The folder of a release.")
    ] = None,
    klue: Annotated[
        Path | None, typer.Option("--klue", help="A folder of official KLUE files instead.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write index.html and quality.json here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the quality-control report of a release, or make one of official KLUE files."""
    with handled(as_json=as_json):
        from flows.commands import reports

        reports.report(folder, klue, out, as_json=as_json)


def convert(
    folder: Release,
    out: Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")],
    form: Annotated[str, typer.Option("--format", help="klue: the official files.")] = "klue",
    labels: Annotated[
        bool, typer.Option("--test-labels", help="Also the test split, with its private labels.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the examples of a release as official KLUE files."""
    with handled(as_json=as_json):
        from flows.commands import releases

        releases.convert(folder, out, form=form, labels=labels, as_json=as_json)
