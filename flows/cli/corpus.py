"""`klue clean`, `corpus`, `decontaminate`, `sources`, `toxicity`, `tagger`: texts of corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Force, JoinMemory, Json, arguments, calls
from flows.view.console import handle_errors, print_result
from flows.view.memory import HEAVY


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
    memory: JoinMemory = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Clean any text: sentences or documents, with a ledger, a report and a build file to go on."""
    options = locals()
    with handle_errors(as_json=as_json, needs=HEAVY):
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


@calls("flows.commands.decontaminate:decontaminate", resumes=False, releases=("against",))
def decontaminate(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Text (a text a line), JSONL, CSV, TSV, Parquet, also packed; folders, globs.",
        ),
    ],
    against: Annotated[
        list[Path],
        typer.Option(
            "--against",
            help="A release, official KLUE files, or a file of texts; give it again for more.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")],
    rule: Annotated[
        str,
        typer.Option(
            help="alignment (near copies), or for comparison equal, words-13, letters-13,"
            " letters-50."
        ),
    ] = "alignment",
    text_column: Annotated[str, typer.Option(help="The column that holds the texts.")] = "text",
    workers: Annotated[int, typer.Option(help="Worker processes.")] = 1,
    as_json: Json = False,
) -> None:
    """Remove the rows that hold texts of a benchmark, with a ledger of what matched."""


sources = typer.Typer(
    name="sources",
    help="The catalogue of source corpora: their rights, their use, and how to get them.",
    no_args_is_help=True,
)

CatalogueOption = Annotated[
    Path | None,
    typer.Option("--catalogue", help="Another catalogue than the one of the project."),
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a source.")]


@sources.command("list")
@calls("flows.commands.sources:list_sources")
def list_sources(catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """List every candidate corpus, and which of them the benchmark is built from."""


@sources.command("show")
@calls("flows.commands.sources:show_source")
def show_source(name: IdArgument, catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """Show one source: its rights, its nature, and what it may and may not be used for."""


@sources.command("check")
@calls("flows.commands.sources:check_catalogue", failure=2)
def check_catalogue(catalogue: CatalogueOption = None, as_json: Json = False) -> None:
    """Check a catalogue against the rules; exit 2 when it breaks one."""


@sources.command("fetch")
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


toxicity = typer.Typer(
    name="toxicity",
    help="Gender bias and hate speech: set the thresholds of a detector, score texts.",
    no_args_is_help=True,
)

DetectorOption = Annotated[
    str,
    typer.Option(
        "--detector",
        help="linear[:DIR], transformers:BIAS_MODEL,HATE_MODEL, transformers:koelectra,"
        " or lexicon[:FILE].",
    ),
]


@toxicity.command()
@calls("flows.commands.text_files:calibrate", resumes=False)
def calibrate(
    labelled: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Labelled texts, TSV; a column source may say whose."),
    ],
    detector: DetectorOption = "linear",
    precision: Annotated[
        float, typer.Option(help="Share of what is dropped that must deserve it.")
    ] = 0.8,
    as_json: Json = False,
) -> None:
    """Propose thresholds for a precision, by source, with what they and the paper's would drop."""


@toxicity.command("score")
@calls("flows.commands.text_files:score_texts", resumes=False)
def score_texts(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, JSONL, CSV or Parquet.")],
    out: Annotated[
        Path, typer.Option("--out", help="FILE with two columns more; of plain text, JSONL.")
    ],
    detector: DetectorOption = "linear",
    text_column: Annotated[str, typer.Option(help="The column that holds the texts.")] = "text",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Score every text of FILE: the columns gender_bias and hate, from 0 to 1."""


tagger = typer.Typer(
    name="tagger",
    help="Named entities before annotation: measure a tagger, tag texts.",
    no_args_is_help=True,
)

TaggerOption = Annotated[
    str, typer.Option("--tagger", help="crf, crf:DIR, or transformers:FOLDER_OR_MODEL.")
]
LABELLED = "KLUE-NER as .tsv, or items with gold as .jsonl."


@tagger.command("score")
@calls("flows.commands.text_files:score_tagger", resumes=False)
def score_tagger(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=LABELLED)],
    tagger: TaggerOption = "crf",
    as_json: Json = False,
) -> None:
    """Compare a tagger with labelled texts: entity F1 by type and by source."""


@tagger.command()
@calls("flows.commands.text_files:tag_texts", resumes=False)
def tag(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, JSONL, CSV or Parquet.")],
    out: Annotated[Path, typer.Option("--out", help="FILE.jsonl: row, text and spans.")],
    tagger: TaggerOption = "crf",
    text_column: Annotated[str, typer.Option(help="The column that holds the texts.")] = "text",
    form: Annotated[
        str | None, typer.Option(help="text, jsonl, csv or parquet, if the name lies.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the named entities of every text of FILE."""


knowledge = typer.Typer(
    help="Knowledge bases for relations: build one from dumps.", no_args_is_help=True
)


@knowledge.command("build")
@calls("flows.commands.knowledge:build_knowledge", resumes=False)
def build_knowledge(
    dumps: Annotated[
        list[Path],
        typer.Argument(
            metavar="DUMP...",
            help="JSON dumps of Wikidata, XML exports of a wiki (infoboxes); plain, .gz, .bz2, ...",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="The base to write, one file.")],
    properties: Annotated[
        Path | None, typer.Option(help="Another map of properties to relations.")
    ] = None,
    all_properties: Annotated[
        bool,
        typer.Option(
            "--all-properties", help="Keep of Wikidata also properties that the map does not know."
        ),
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a knowledge base of DUMPs: Korean names with their types, and facts between them."""
