"""`klue clean` and `klue corpus`: a corpus of one's own, and the kept text of a build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Force, Json, arguments, calls
from flows.view.console import handle_errors, print_result


def clean(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="Text, JSONL, JSON, CSV, TSV, Parquet, also packed; archives, folders, globs.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    text_column: Annotated[
        str | None, typer.Option(help="The column of the texts; guessed by its name if not given.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="utf-8, or cp949 as of older Korean files.")
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="Tables have none; --text-column is a number.")
    ] = False,
    txt: Annotated[
        str | None,
        typer.Option(
            help="What a text is in .txt files: document (the file) or line; line for files that"
            " are named, document for folders, archives and globs, if not given."
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="What is judged and kept: sentence (default) or whole.")
    ] = None,
    documents: Annotated[
        bool,
        typer.Option("--documents", help="Write whole documents, less what was cut of each."),
    ] = False,
    duplicates: Annotated[
        str | None, typer.Option(help="Exact repeats: drop (default) or keep.")
    ] = None,
    personal: Annotated[
        str | None,
        typer.Option(
            help="Personal data: drop (default), mask, pseudonymise or keep, or TYPE=ACTION with"
            " commas between."
        ),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option("--key-file", help="The key of pseudonymise: random bytes.")
    ] = None,
    toxicity: Annotated[str | None, typer.Option(help="flag (default), off or drop.")] = None,
    language: Annotated[
        str | None, typer.Option(help="ko (default): what is not Korean leaves; or any.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="jsonl (default) or parquet.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by the size if not given.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Clean any text: sentences or documents, with a ledger, a report and a build file to go on."""
    options = locals()
    with handle_errors(as_json=as_json):
        from flows.clean import clean as job

        result = job(**arguments(options, "as_json"), quiet=as_json)
        print_result(result, as_json=as_json)


@calls("flows.publish.corpus:export_corpus", resumes=False)
def corpus(
    work: Annotated[Path, typer.Argument(metavar="WORK", help="The work directory.")],
    out: Annotated[Path, typer.Option("--out", help="FILE.parquet or FILE.jsonl.")],
    build_name: Annotated[
        str | None, typer.Option("--build", help="The build; the only one if not given.")
    ] = None,
    documents: Annotated[
        bool,
        typer.Option("--documents", help="Whole documents, less what was cut of each."),
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write the kept sentences of one build to one file, with the file and line of each."""
