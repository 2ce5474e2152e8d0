"""`klue toxicity` and `klue tagger`: score and tag texts, measure taggers, set thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Force, Json, calls

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
