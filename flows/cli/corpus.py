"""`klue clean`, `corpus`, `decontaminate`, `sources`, `toxicity`, `tagger`: texts of corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.group import Commands
from flows.cli.options import (
    BuildName,
    FileForm,
    Force,
    JoinMemory,
    NewFolder,
    TextColumn,
    Workers,
    calls,
    completes,
)
from flows.view.memory import HEAVY


@calls("flows.clean:clean", needs=HEAVY)
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
        Literal["utf-8", "cp949", "euc-kr", "ascii"] | None,
        typer.Option(help="Of text, JSON and tables; utf-8 if not given, cp949 in older files."),
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="Tables have none; --text-column is a number.")
    ] = False,
    txt: Annotated[
        Literal["document", "line"] | None,
        typer.Option(
            help="What a text is in .txt files: the file or a line; line for files that are named,"
            " document for folders, archives and globs, if not given."
        ),
    ] = None,
    unit: Annotated[
        Literal["sentence", "whole"],
        typer.Option(help="What is judged and kept: sentences or whole texts."),
    ] = "sentence",
    documents: Annotated[
        bool,
        typer.Option("--documents", help="Write whole documents, less what was cut of each."),
    ] = False,
    duplicates: Annotated[
        Literal["drop", "keep"], typer.Option(help="What becomes of exact repeats.")
    ] = "drop",
    personal: Annotated[
        str,
        typer.Option(
            help="Personal data: drop, mask, pseudonymise or keep, or TYPE=ACTION with commas"
            " between.",
            autocompletion=completes("drop", "mask", "pseudonymise", "keep"),
        ),
    ] = "drop",
    key_file: Annotated[
        Path | None, typer.Option("--key-file", help="The key of pseudonymise: random bytes.")
    ] = None,
    toxicity: Annotated[
        Literal["flag", "off", "drop"], typer.Option(help="What becomes of toxic text.")
    ] = "flag",
    language: Annotated[
        Literal["ko", "any"], typer.Option(help="ko: what is not Korean leaves.")
    ] = "ko",
    form: Annotated[
        Literal["jsonl", "parquet"], typer.Option("--format", help="Of the file written.")
    ] = "jsonl",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by the size if not given.")
    ] = None,
    memory: JoinMemory = None,
    force: Force = False,
) -> None:
    """Clean any text: sentences or documents, with a ledger, a report and a build file to go on."""


@calls("flows.publish.corpus:export_corpus", resumes=False)
def corpus(
    work: Annotated[Path, typer.Argument(metavar="WORK", help="The work directory.")],
    out: Annotated[Path, typer.Option("--out", help="FILE.parquet or FILE.jsonl.")],
    build_name: BuildName = None,
    documents: Annotated[
        bool,
        typer.Option("--documents", help="Whole documents, less what was cut of each."),
    ] = False,
    force: Force = False,
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
    out: NewFolder,
    rule: Annotated[
        Literal["alignment", "equal", "words-13", "letters-13", "letters-50"],
        typer.Option(help="What a copy is: alignment finds near ones, others are for comparison."),
    ] = "alignment",
    text_column: TextColumn = "text",
    workers: Workers = 1,
) -> None:
    """Remove the rows that hold texts of a benchmark, with a ledger of what matched."""


sources = Commands(
    help="The catalogue of source corpora: list, show, check, fetch.",
)

CatalogueOption = Annotated[
    Path | None,
    typer.Option("--catalogue", help="Another catalogue than the one of the project."),
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a source.")]


@sources.command("list")
@calls("flows.commands.sources:list_sources")
def list_sources(catalogue: CatalogueOption = None) -> None:
    """List every candidate corpus, and which of them the benchmark is built from."""


@sources.command("show")
@calls("flows.commands.sources:show_source")
def show_source(name: IdArgument, catalogue: CatalogueOption = None) -> None:
    """Show one source: its rights, its nature, and what it may and may not be used for."""


@sources.command("check")
@calls("flows.commands.sources:check_catalogue", failure=2)
def check_catalogue(catalogue: CatalogueOption = None) -> None:
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
) -> None:
    """Download a source, going on where an earlier download stopped; check it against its SHA-256.

    Many sources have no file to download: the message says how to get them.
    """


toxicity = Commands(
    help="Toxic text: calibrate a detector, score texts.",
)

DetectorOption = Annotated[
    str,
    typer.Option(
        "--detector",
        help="linear[:DIR], transformers:BIAS_MODEL,HATE_MODEL, transformers:koelectra,"
        " or lexicon[:FILE].",
        autocompletion=completes("linear", "transformers:koelectra", "lexicon"),
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
    text_column: TextColumn = "text",
    force: Force = False,
) -> None:
    """Score every text of FILE: the columns gender_bias and hate, from 0 to 1."""


tagger = Commands(
    help="Named entities before annotation: score a tagger, tag texts.",
)

TaggerOption = Annotated[
    str,
    typer.Option(
        "--tagger",
        help="crf, crf:DIR, or transformers:FOLDER_OR_MODEL.",
        autocompletion=completes("crf", "crf-re", "crf:", "transformers:"),
    ),
]
LABELLED = "KLUE-NER as .tsv, or items with gold as .jsonl."


@tagger.command("score")
@calls("flows.commands.text_files:score_tagger", resumes=False)
def score_tagger(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=LABELLED)],
    tagger: TaggerOption = "crf",
) -> None:
    """Compare a tagger with labelled texts: entity F1 by type and by source."""


@tagger.command()
@calls("flows.commands.text_files:tag_texts", resumes=False)
def tag(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, JSONL, CSV or Parquet.")],
    out: Annotated[Path, typer.Option("--out", help="FILE.jsonl: row, text and spans.")],
    tagger: TaggerOption = "crf",
    text_column: TextColumn = "text",
    form: Annotated[
        FileForm | None, typer.Option("--form", help="The form, if the name lies.")
    ] = None,
    force: Force = False,
) -> None:
    """Find the named entities of every text of FILE."""


knowledge = Commands(help="Knowledge bases for relations: build one from dumps.")


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
) -> None:
    """Make a knowledge base of DUMPs: Korean names with their types, and facts between them."""
