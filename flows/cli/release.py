"""`klue verify`, `klue diff`, `klue fetch` and others: releases looked at, made and copied."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.group import Commands
from flows.cli.options import (
    SEED,
    BuildName,
    Force,
    ItemsFrom,
    NewFolder,
    OfficialForm,
    Seed,
    Specs,
    TaskOption,
    calls,
)

Release = Annotated[
    Path,
    typer.Argument(metavar="RELEASE", help="The folder of a release, or s3://.../NAME/VERSION."),
]


@calls("flows.commands.split_files:split", resumes=False)
def split(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Labelled items, or official files.")
    ],
    task: TaskOption,
    source: Annotated[
        ItemsFrom, typer.Option("--from", help="What the files are; klue: official files.")
    ] = "items",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write examples, constraints and leaks here.")
    ] = None,
    seed: Seed = SEED,
    force: Force = False,
    specs: Specs = None,
) -> None:
    """Split labelled items into train, dev and test by the rule of the task's spec."""


@calls("flows.commands.releases:check_release", addresses=("folder",))
def verify(
    folder: Release,
    expect: Annotated[
        str | None,
        typer.Option(
            help="The hash that the release has to have, or at least 12 characters of it."
        ),
    ] = None,
) -> None:
    """Check every hash, schema, count and promise of a release or pretraining corpus again."""


@calls("flows.commands.stored:fetch_release", addresses=("folder", "private"))
def fetch(
    folder: Annotated[
        Path, typer.Argument(metavar="RELEASE", help="A release, s3://BUCKET/.../NAME/VERSION.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder of the copy, NAME/VERSION.")],
    private: Annotated[
        Path | None,
        typer.Option(help="Also the private files: --private of the build that published it."),
    ] = None,
) -> None:
    """Copy a release out of an object store to a folder, every file checked by its digest."""


@calls("flows.commands.publish:publish", resumes=False, releases=("folder",))
def publish(
    folder: Release,
    to: Annotated[Path, typer.Option("--to", help="The folder to upload, new or empty.")],
) -> None:
    """Check a release and lay it out for the Hugging Face hub; upload it yourself."""


@calls("flows.commands.releases:import_official", resumes=False)
def import_official(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of the official files of KLUE v1.1.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder of the release, NAME/VERSION.")],
    work: Annotated[
        Path | None,
        typer.Option(help="Align the examples with the raw text of a build in this directory."),
    ] = None,
    build_name: BuildName = None,
) -> None:
    """Make a verified release of the official KLUE files, splits and guids as they are."""


@calls("flows.commands.releases:compare", releases=("before", "after"))
def diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="A release.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
) -> None:
    """Tell added, removed, relabelled, edited and moved examples of two releases."""


errata = Commands(help="Patches to a release: find what is wrong, apply what was reviewed.")


@errata.command("find")
@calls("flows.commands.errata:find", resumes=False, releases=("folder",))
def find_errata(
    folder: Release,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the patches here, a line of JSON each.")
    ] = None,
    force: Force = False,
) -> None:
    """Find what the tables of a release prove to be wrong, as patches to review."""


@errata.command("apply")
@calls("flows.commands.errata:apply", resumes=False, releases=("folder",))
def apply_errata(
    folder: Release,
    patches: Annotated[
        Path, typer.Argument(metavar="PATCHES", help="A file of klue errata find, or your own.")
    ],
    out: Annotated[
        Path, typer.Option("--out", help="The folder of the new version, NAME/VERSION.")
    ],
) -> None:
    """Apply patches to a release: a new version of it, with a ledger row for each patch."""


@calls("flows.commands.reports:report", releases=("folder", "diff"))
def report(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[RELEASE]", help="The folder of a release.")
    ] = None,
    klue: Annotated[
        Path | None,
        typer.Option("--klue", help="Official KLUE files: instead, or beside the release."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the pages and quality.json here.")
    ] = None,
    diff: Annotated[
        Path | None, typer.Option("--diff", metavar="OLD", help="Mark what changed since OLD.")
    ] = None,
    language: Annotated[
        Literal["en", "ko"] | None,
        typer.Option(help="The language that pages open in; else that of the browser."),
    ] = None,
) -> None:
    """Show the quality-control report of a release, or make one of official KLUE files."""


@calls("flows.commands.releases:convert", releases=("folder",))
def convert(
    folder: Release,
    out: NewFolder,
    form: Annotated[
        OfficialForm, typer.Option("--format", help="klue: as the official files.")
    ] = "klue",
    labels: Annotated[
        bool, typer.Option("--test-labels", help="Also the test split, with its private labels.")
    ] = False,
) -> None:
    """Write the examples of a release as official KLUE files."""
