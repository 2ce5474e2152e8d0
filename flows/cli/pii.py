"""`klue pii`: find personal data in files, and take it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.view.console import handled
from pipeline.pii.kinds import MINIMUM

app = typer.Typer(
    name="pii",
    help="Personal data in text, JSONL, CSV and Parquet files: find it, redact it, replace it.",
    no_args_is_help=True,
)

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help=".txt (a text a line), .jsonl, .csv, .tsv, .parquet; text forms also .gz and .zst.",
        readable=False,
    ),
]
Text = Annotated[str, typer.Option("--text-column", help="The column or key of the texts.")]
SourceColumn = Annotated[
    str | None,
    typer.Option("--source-column", help="The column that says where a row is from."),
]
Form = Annotated[
    str | None, typer.Option("--form", help="text, jsonl, csv or parquet, if the name lies.")
]
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
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
WorkersOption = Annotated[int, typer.Option("--workers", help="Processes; one file each.")]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]


@app.command()
def scan(
    paths: Files,
    text: Text = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: WorkersOption = 1,
    as_json: Json = False,
) -> None:
    """Count personal data by type, source and rule; no value is ever shown."""
    _run("scan", locals())


@app.command()
def redact(
    paths: Files,
    out: Out,
    text: Text = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: WorkersOption = 1,
    as_json: Json = False,
) -> None:
    """Write the files again with each piece of personal data replaced by its type in brackets."""
    _run("redact", locals())


@app.command()
def pseudonymise(
    paths: Files,
    out: Out,
    key_file: Annotated[
        Path | None,
        typer.Option(help="The secret key, 16 bytes or more; a random one, not kept, if absent."),
    ] = None,
    text: Text = "text",
    source: SourceColumn = None,
    form: Form = None,
    delimiter: Delimiter = None,
    types: Types = None,
    minimum: Minimum = MINIMUM,
    hits: Hits = None,
    force: Force = False,
    workers: WorkersOption = 1,
    as_json: Json = False,
) -> None:
    """Write the files again with pseudonyms: the same value, the same pseudonym, in its form."""
    _run("pseudonymise", locals())


def _run(command: str, options: dict[str, Any]) -> None:
    """Run a command of flows/commands/pii.py with the options that it shares with the others."""
    as_json = options["as_json"]
    with handled(as_json=as_json, resumes=False):
        from flows.commands import pii

        names = pii.Request.__dataclass_fields__
        request = pii.Request(**{name: v for name, v in options.items() if name in names})
        getattr(pii, command)(request, as_json=as_json)
