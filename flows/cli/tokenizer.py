"""`klue tokenizer train` and `stats`: tokenizers for pretraining, trained and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from flows.cli.options import Json, calls

app = typer.Typer(no_args_is_help=True)

#: A sentence of this project's own with names, particles, endings and a word of Latin letters.
_EXAMPLE: Final = "한가람은 바닷가 도서관에서 AI의 역사를 차근차근 읽었습니다."

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES...",
        help="Text (a text a line), JSONL, CSV, TSV, Parquet, also packed; folders, globs; the"
        " folder of klue pretrain-corpus.",
    ),
]
Text = Annotated[str, typer.Option("--text-column", help="The column or key of the texts.")]


@app.command()
@calls("flows.commands.tokenizer:train", resumes=False)
def train(
    inputs: Files,
    out: Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")],
    recipe: Annotated[
        str,
        typer.Option(
            help="How the training text is cut: plain (words), klue (morphemes, as the paper), or"
            " aligned (morphemes, those inside a word as its continuation)."
        ),
    ] = "klue",
    algorithm: Annotated[str, typer.Option(help="wordpiece, bpe or unigram.")] = "wordpiece",
    vocabulary: Annotated[
        int, typer.Option(help="The most pieces, with the special tokens.")
    ] = 32_000,
    text_column: Text = "text",
    workers: Annotated[int, typer.Option(help="Worker processes that cut texts.")] = 1,
    as_json: Json = False,
) -> None:
    """Train a tokenizer that AutoTokenizer.from_pretrained(DIR) loads with no analyser."""


@app.command()
@calls("flows.commands.tokenizer:stats", resumes=False)
def stats(
    inputs: Files,
    tokenizer: Annotated[
        list[Path],
        typer.Option("--tokenizer", help="Its folder; give it again for more, side by side."),
    ],
    example: Annotated[str, typer.Option(help="A sentence to show cut by each.")] = _EXAMPLE,
    text_column: Text = "text",
    as_json: Json = False,
) -> None:
    """Measure tokenizers: fertility, continued words, unknown tokens, speed, ends of morphemes."""
