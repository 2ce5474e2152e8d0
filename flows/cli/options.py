"""Options that several commands have, and how a command passes its options on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

TASKS: Final = "tc, sts, nli, ner, re, dp, mrc or dst."
FORMATS: Final = "label-studio, doccano, argilla or jsonl"
WORK: Final = Path("data/work")
#: The usual key of draws.
SEED: Final = 20201201

TaskOption = Annotated[str, typer.Option("--task", help=TASKS)]
Specs = Annotated[
    Path | None, typer.Option("--specs", help="A folder of specs instead of the project's.")
]
Seed = Annotated[int, typer.Option(help="The key of every draw.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]


def arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a command as its request takes them: those that were given.

    Lists are tuples there; how a result is printed (`as_json`) is no part of a request.
    """
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in options.items()
        if value is not None and name != "as_json"
    }
