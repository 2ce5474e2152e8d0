"""`klue pii`: find personal data in files, and take it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.group import Commands
from flows.cli.options import FileForm, Force, TextColumn, Workers, calls
from pipeline.pii.kinds import MINIMUM

app = Commands(
    help="Personal data in files of text: scan, redact, pseudonymise.",
)

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help=".txt (a text a line), .jsonl, .csv, .tsv, .parquet; text forms also .gz and .zst.",
        readable=False,
    ),
]
SourceColumn = Annotated[
    str | None,
    typer.Option("--source-column", help="The column that says where a row is from."),
]
Form = Annotated[FileForm | None, typer.Option("--form", help="The form, if the name lies.")]
Delimiter = Annotated[str | None, typer.Option(help="Between the columns of a CSV file.")]
Types = Annotated[str | None, typer.Option(help="Only these types, such as phone,email.")]
Minimum = Annotated[
    float, typer.Option("--min-confidence", help="Leave out hits less sure than this, 0 to 1.")
]
Hits = Annotated[
    Path | None,
    typer.Option(help="Write every hit as JSONL, without its value; a folder for several files."),
]
Out = Annotated[Path, typer.Option(help="The file to write, or a folder.")]


@app.command()
@calls("flows.commands.pii:scan", resumes=False)
def scan(
    paths: Files,
    text: TextColumn = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: Workers = 1,
) -> None:
    """Count personal data by type, source and rule; no value is ever shown."""


@app.command()
@calls("flows.commands.pii:redact", resumes=False)
def redact(
    paths: Files,
    out: Out,
    text: TextColumn = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: Workers = 1,
) -> None:
    """Write the files again with each piece of personal data replaced by its type in brackets."""


@app.command()
@calls("flows.commands.pii:pseudonymise", resumes=False)
def pseudonymise(
    paths: Files,
    out: Out,
    key_file: Annotated[
        Path | None,
        typer.Option(help="The secret key, 16 bytes or more; a random one, not kept, if absent."),
    ] = None,
    text: TextColumn = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: Workers = 1,
) -> None:
    """Write the files again with pseudonyms: the same value, the same pseudonym, in its form."""
