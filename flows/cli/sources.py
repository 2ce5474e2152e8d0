"""`klue sources`: look at the catalogue, check it, and fetch what may be fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Json, calls

app = typer.Typer(
    name="sources",
    help="The catalogue of source corpora: their rights, their use, and how to get them.",
    no_args_is_help=True,
)

CatalogueOption = Annotated[
    Path | None,
    typer.Option("--catalogue", help="Another catalogue than the one of the project."),
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a source.")]


@app.command("list")
@calls("flows.commands.sources:list_sources")
def list_sources(catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """List every candidate corpus, and which of them the benchmark is built from."""


@app.command("show")
@calls("flows.commands.sources:show_source")
def show_source(name: IdArgument, catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """Show one source: its rights, its nature, and what it may and may not be used for."""


@app.command("check")
@calls("flows.commands.sources:check_catalogue", failure=2)
def check_catalogue(catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """Check a catalogue against the rules; exit 2 when it breaks one."""


@app.command("fetch")
@calls("flows.commands.sources:fetch_source")
def fetch_source(
    name: IdArgument,
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder to write to; default data/work/raw/ID.")
    ] = None,
    url: Annotated[
        str | None, typer.Option("--from", help="Another address than the catalogue's.")
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(help="The SHA-256 that the file must have.", metavar="HEX")
    ] = None,
    catalogue: CatalogueOption = None,
    as_json: Json = False,
) -> None:
    """Download a source, going on where an earlier download stopped; check it against its SHA-256.

    Many sources have no file to download: the message says how to get them.
    """
