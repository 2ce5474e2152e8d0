"""`klue pretrain`: a masked language model from text (Section 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import ModelPrecision, Seed, Settings, calls, completes
from flows.view.memory import HEAVY


@calls("flows.commands.pretraining:pretrain", needs=HEAVY, launched=True)
def pretrain(
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT...",
            help="Text files (a sentence a line, a blank line between documents), or folders of"
            " them, such as klue pretrain-corpus writes.",
        ),
    ],
    tokenizer: Annotated[Path, typer.Option(help="A folder with a fast tokenizer.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the run.")],
    architecture: Annotated[
        Literal["bert", "roberta"], typer.Option(help="What the model is built as.")
    ] = "bert",
    size: Annotated[
        str | None,
        typer.Option(
            help="tiny, small, base, or a CONFIG.json of transformers, whole or in part.",
            autocompletion=completes("tiny", "small", "base"),
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Go on with this model instead, which must have the same tokenizer."),
    ] = None,
    recipe: Annotated[
        str,
        typer.Option(
            help="klue (the paper's), modern, or a recipe in YAML.",
            autocompletion=completes("klue", "modern"),
        ),
    ] = "klue",
    settings: Settings = None,
    seed: Seed = 0,
    precision: ModelPrecision = "auto",
    compiled: Annotated[
        bool, typer.Option("--compile", help="Compile the encoder (torch.compile).")
    ] = False,
) -> None:
    """Pretrain a BERT or RoBERTa on text, for klue train --model. Resumes if stopped.

    Several devices: torchrun --standalone --nproc-per-node N -m flows.cli pretrain TEXT ...
    """
