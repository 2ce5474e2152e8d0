"""How every command speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.core.errors import KlueError

if TYPE_CHECKING:
    from rich.console import Console

#: What a command comes to: a record, and what prints it for people.
Result = tuple[dict[str, Any], Callable[[dict[str, Any]], None]]
#: Tables are laid out for this many columns where the output is not a terminal.
WIDTH = 100


@contextmanager
def handle_errors(*, as_json: bool = False, resumes: bool = True) -> Iterator[None]:
    """Turn a KlueError into ``error: ...`` on standard error and its exit code.

    So does what the system refuses (a full disk, a folder without permission). With `as_json` the
    one object on standard output is ``{"error", "code"}``. Any other exception passes: it is a bug
    and keeps its traceback. A command that `resumes` goes on where it was interrupted; another one
    also takes the usual request to end (SIGTERM) as an interrupt, and leaves nothing behind.
    """
    try:
        if not resumes:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        yield
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        again = "run the same command again to go on where it stopped"
        say(f"interrupted; {again if resumes else 'the file in hand was not written'}")
        raise typer.Exit(130) from None
    except (KlueError, OSError) as error:
        code = error.code if isinstance(error, KlueError) else 1
        message = str(error)
        if not isinstance(error, KlueError):
            where = f"{error.filename}: " if error.filename is not None else ""
            message = f"{where}{error.strerror or error}; mend that and run again"
        say(f"error: {message}")
        if as_json:
            emit_json({"error": message, "code": code})
        raise typer.Exit(code) from None


def say(message: str) -> None:
    """Write a message for people to standard error."""
    typer.echo(message, err=True)


def emit_json(value: object) -> None:
    """Write the one JSON object of a command to standard output, in UTF-8 whatever the locale."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    typer.echo(text.encode("utf-8", "backslashreplace"))


def print_result(result: Result, *, as_json: bool) -> None:
    """Print the result of a command: its record as the one JSON object, or for people."""
    record, show = result
    if as_json:
        emit_json(record)
    else:
        show(record)


def console(*, stderr: bool = False) -> Console:
    """Return a console that does not read `[...]` in texts as styling."""
    from rich.console import Console

    out = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not out.is_terminal:
        out.width = WIDTH
    return out


def print_line(text: str) -> None:
    """Print a line of a result; a long one is not broken."""
    console().print(text, soft_wrap=True)


def print_table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[str] = (),
    total: Sequence[str] | None = None,
) -> None:
    """Print a table, or nothing for no rows; `total` is a last row, set apart.

    All columns hold numbers and are set to the right, but for the first one and those of `left`.
    """
    from rich.table import Table

    table = Table(title=title or None, title_justify="left")
    for head in heads:
        is_left = head in {heads[0], *left}
        table.add_column(head, justify="left" if is_left else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    if total is not None:
        table.add_section()
        table.add_row(*total)
    if table.row_count:
        console().print(table)


def from_here(path: Path) -> Path:
    """Return a path as seen from the current directory, where it lies below."""
    current = Path.cwd()
    return path.relative_to(current) if path.is_relative_to(current) else path
