"""How every command speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import errno
import json
import os
import resource
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import typer

from flows.view import interrupts, verbosity
from flows.view.memory import LIGHT, require_address_space
from pipeline.core.errors import KlueError

if TYPE_CHECKING:
    from rich.console import Console

#: What a command comes to: a record, and what prints it for people.
Result = tuple[dict[str, Any], Callable[[dict[str, Any]], None]]
#: What libraries wrap in errors of their own: no descriptors, no room, or no permission to write.
_RAN_OUT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT, errno.EROFS)
#: Tables are laid out for this many columns where the output is not a terminal.
WIDTH = 100
#: Where this project's code lies: the folder of its packages.
_ROOT: Final = Path(__file__).resolve().parents[2]
_PACKAGES: Final = ("flows", "pipeline", "klue_rebuild")
#: Libraries whose versions --verbose says; all are always installed.
_LIBRARIES: Final = ("pyarrow", "numpy", "kss", "prefect", "typer", "rich")
#: Where messages for people go that are collected, else None.
_messages: ContextVar[list[str] | None] = ContextVar("messages", default=None)


@contextmanager
def handle_errors(
    *, as_json: bool = False, resumes: bool = True, needs: int = LIGHT
) -> Iterator[None]:
    """Turn a KlueError into ``error: ...`` on standard error and its exit code.

    So does what the system refuses: a full disk with exit code 1, a place without permission with
    2. With `as_json` the one object on standard output is ``{"error", "code"}``. Any other
    exception passes, unless a signal caused it: it is a bug, which `report_uncaught` reports.
    An interrupted command that `resumes` goes on where it stopped when it is run again. One that
    `needs` more bytes of address space than it may take does not begin.
    """
    interrupts.set_command(as_json=as_json, resumes=resumes)
    try:
        require_address_space(needs)
        yield
    except BaseException as error:
        if interrupts.is_interrupted() or isinstance(error, KeyboardInterrupt):
            raise typer.Exit(interrupts.report()) from None
        failure = _failure_of(error)
        if failure is None:
            raise
        message, code = failure
        report_error(message, code, as_json=as_json)
        raise typer.Exit(code) from None


def report_error(message: str, code: int, *, as_json: bool) -> None:
    """Write an error to standard error, and with `as_json` as the one object of the command."""
    _write(f"error: {message}")
    if as_json:
        with suppress(OSError):  # the error may be that standard output takes nothing
            emit_json({"error": message, "code": code})


def report_uncaught(error: Exception) -> int:
    """Say what an exception is that no command turned into an error; returns the exit code.

    The system may have refused something, such as to write the help. Else it is a bug: what it is
    and where is said, but not what it says, which may hold a value of the data. With --verbose its
    traceback, which has that, comes first.
    """
    if (failure := _failure_of(error)) is not None:
        report_error(*failure, as_json="--json" in sys.argv)
        return failure[1]
    if {"-v", "--verbose"} & {*sys.argv}:  # though the command may not have begun
        _write("".join(traceback.format_exception(error)).rstrip())
    frames = [
        (place.relative_to(_ROOT), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if (place := Path(frame.filename)).is_relative_to(_ROOT)
    ]
    own = [(place, line) for place, line in frames if place.parts[0] in _PACKAGES]
    where = f" ({own[-1][0]}, line {own[-1][1]})" if own else ""
    message = (
        f"unexpected {type(error).__name__}{where}: a fault of klue, not of your input; run the"
        " command again with --verbose, and report the Traceback that it shows"
    )
    report_error(message, 1, as_json="--json" in sys.argv)
    return 1


def _failure_of(error: BaseException) -> tuple[str, int] | None:
    """Return what to say of an error of the user or the system, and the exit code."""
    if isinstance(error, KlueError):
        return str(error), error.code
    if _is_out_of_memory(error):
        return "out of memory; take fewer --workers or smaller inputs, or give more memory", 1
    refusal = _refusal_in(error)
    if refusal is None or isinstance(refusal, BrokenPipeError):
        return None
    where = f"{refusal.filename}: " if refusal.filename is not None else ""
    if refusal.errno == errno.EMFILE:
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return f"{where}too many open files (ulimit -n is {limit:,}); raise it and run again", 1
    if isinstance(refusal, PermissionError):
        return f"{where}{refusal.strerror or refusal}; permit it to this user, or give another", 2
    return f"{where}{refusal.strerror or refusal}; mend that and run again", 1


def _refusal_in(error: BaseException) -> OSError | None:
    """Return what the system refused: the error itself, or where something ran out its cause."""
    if isinstance(error, OSError):
        return error
    cause = error.__cause__ or error.__context__
    while cause is not None and not (isinstance(cause, OSError) and cause.errno in _RAN_OUT):
        cause = cause.__cause__ or cause.__context__
    return cause


def _is_out_of_memory(error: BaseException) -> bool:
    """Tell whether memory ran out, in Python, in the system, or where a library was loaded."""
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, ImportError) and "failed to map segment" in str(error))
        or (isinstance(error, RuntimeError) and "can't start new thread" in str(error))
    )


def say(message: str) -> None:
    """Write a message for people to standard error; with --quiet it is not written."""
    if not verbosity.current().quiet:
        _write(message)


def _write(message: str) -> None:
    """Write to standard error, unless messages are collected."""
    collected = _messages.get()
    if collected is None:
        typer.echo(message, err=True)
    else:
        collected.append(message)


def is_collecting() -> bool:
    """Tell whether messages are collected: nobody is watching a terminal."""
    return _messages.get() is not None


def is_for_people() -> bool:
    """Tell whether tables and lines for people may come before the result of a command."""
    return verbosity.current().for_people and not is_collecting()


@contextmanager
def collect_messages() -> Iterator[list[str]]:
    """Collect what is said in the ``with`` block, in its order, instead of writing it."""
    messages: list[str] = []
    token = _messages.set(messages)
    try:
        yield messages
    finally:
        _messages.reset(token)


def say_versions() -> None:
    """Say which versions run, where: what a report of a fault needs."""
    from importlib.metadata import version
    from platform import platform, python_version

    say(f"klue {version('klue-rebuild')}, Python {python_version()}, {platform()}")
    say(", ".join(f"{name} {version(name)}" for name in _LIBRARIES))


def is_main_process() -> bool:
    """Tell whether this is the process that speaks and writes; a launcher numbers them."""
    return os.environ.get("RANK", "0") == "0"


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

    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    out = Console(stderr=stderr, markup=False, highlight=False, emoji=False, color_system=colours)
    if not out.file.isatty():  # though FORCE_COLOR may ask for colours
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
    from rich.cells import cell_len
    from rich.table import Table

    # A title is not broken where it is longer than the table is wide.
    width = min(cell_len(title), console().width)
    table = Table(title=title or None, title_justify="left", min_width=width or None)
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
