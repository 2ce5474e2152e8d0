"""`klue pretrain`: a masked language model from text (Section 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Json, Seed, arguments
from flows.view.console import handle_errors, print_result
from flows.view.memory import HEAVY


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
    architecture: Annotated[str, typer.Option(help="bert or roberta.")] = "bert",
    size: Annotated[
        str | None,
        typer.Option(help="tiny, small, base, or a CONFIG.json of transformers, whole or in part."),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Go on with this model instead, which must have the same tokenizer."),
    ] = None,
    recipe: Annotated[
        str, typer.Option(help="klue (the paper's), modern, or a recipe in YAML.")
    ] = "klue",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A number of the recipe: steps=1000."),
    ] = None,
    seed: Seed = 0,
    precision: Annotated[str, typer.Option(help="auto (bf16 on a GPU), bf16 or float32.")] = "auto",
    compiled: Annotated[
        bool, typer.Option("--compile", help="Compile the encoder (torch.compile).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Pretrain a BERT or RoBERTa on text, for klue train --model. Resumes if stopped.

    Several devices: torchrun --standalone --nproc-per-node N -m flows.cli pretrain TEXT ...
    """
    options = locals()
    with handle_errors(as_json=as_json, needs=HEAVY):
        from flows.commands.pretraining import Pretraining, is_main_process
        from flows.commands.pretraining import pretrain as run

        result = run(Pretraining(**arguments(options, "as_json")), quiet=as_json)
        if is_main_process():
            print_result(result, as_json=as_json)
