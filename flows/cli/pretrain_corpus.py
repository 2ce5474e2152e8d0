"""`klue pretrain-corpus`: the corpus that a language model is pretrained on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.build import Work
from flows.cli.options import WORK, Json, arguments
from flows.view.console import handle_errors, print_result
from flows.view.memory import HEAVY


def pretrain_corpus(
    build_file: Annotated[
        Path, typer.Argument(metavar="BUILD.yaml", help="The build file.", readable=False)
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")],
    work: Work = WORK,
    engine: Annotated[str, typer.Option(help="local (processes here) or dask (a cluster).")] = (
        "local"
    ),
    address: Annotated[
        str | None, typer.Option(help="Address of a running Dask scheduler, for --engine dask.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Worker processes here; all cores if not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a pretraining corpus: clean sentences with pseudonyms, without what benchmarks hold."""
    options = locals()
    with handle_errors(as_json=as_json, needs=HEAVY):
        from flows.plan.build import Request
        from flows.pretrain import pretrain

        request = Request(**arguments(options, "out", "as_json"))
        print_result(pretrain(request, out, quiet=as_json), as_json=as_json)
