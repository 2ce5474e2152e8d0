"""`klue tokenizer train` and `stats`: tokenizers for pretraining, trained and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from flows.cli.group import Commands
from flows.cli.options import NewFolder, TextColumn, Workers, calls

app = Commands(help="Tokenizers for pretraining: train, stats.")

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


@app.command()
@calls("flows.commands.tokenizer:train", resumes=False)
def train(
    inputs: Files,
    out: NewFolder,
    recipe: Annotated[
        Literal["plain", "klue", "aligned"],
        typer.Option(
            help="How the training text is cut: plain (words), klue (morphemes, as the paper), or"
            " aligned (morphemes, those inside a word as its continuation)."
        ),
    ] = "klue",
    algorithm: Annotated[
        Literal["wordpiece", "bpe", "unigram"], typer.Option(help="How pieces are chosen.")
    ] = "wordpiece",
    vocabulary: Annotated[
        int, typer.Option(help="The most pieces, with the special tokens.")
    ] = 32_000,
    text_column: TextColumn = "text",
    workers: Workers = 1,
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
    text_column: TextColumn = "text",
) -> None:
    """Measure tokenizers: fertility, continued words, unknown tokens, speed, ends of morphemes."""
