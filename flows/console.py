"""How every command speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from pipeline.core.errors import KlueError

if TYPE_CHECKING:
    from rich.console import Console

#: Tables are laid out for this many columns where the output is not a terminal.
WIDTH = 100


@contextmanager
def handled(*, as_json: bool = False) -> Iterator[None]:
    """Turn a KlueError into ``error: ...`` on standard error and its exit code.

    With `as_json` the one object on standard output is ``{"error", "code"}``. Any other exception
    passes: it is a bug and keeps its traceback.
    """
    try:
        yield
    except KlueError as error:
        say(f"error: {error}")
        if as_json:
            emit_json({"error": str(error), "code": error.code})
        raise typer.Exit(error.code) from None


def say(message: str) -> None:
    """Write a message for people to standard error."""
    typer.echo(message, err=True)


def emit_json(value: object) -> None:
    """Write the one JSON object of a command to standard output, in UTF-8 whatever the locale."""
    typer.echo(json.dumps(value, ensure_ascii=False).encode())


def console(*, stderr: bool = False) -> Console:
    """Return a console that does not read `[...]` in texts as styling."""
    from rich.console import Console

    made = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not made.is_terminal:
        made.width = WIDTH
    return made
