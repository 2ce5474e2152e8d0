"""Progress on standard error: bars for a terminal, lines for a log, nothing for a machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flows.view.console import console, say
from pipeline.core.pool import Progress
from pipeline.core.running import expected_rows
from pipeline.core.stage import Call

if TYPE_CHECKING:
    from rich.progress import Progress as Bars


def bars(width: int, *, quiet: bool = False) -> Bars:
    """Return bars on standard error that vanish at the end, with descriptions of that width.

    Only a terminal shows them, and with `quiet` nothing.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    stderr = console(stderr=True)
    return Progress(
        TextColumn(f"{{task.description:{width}}}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=stderr,
        transient=True,
        disable=quiet or not stderr.is_terminal,
    )


@contextmanager
def show_progress(every: list[Call], *, quiet: bool) -> Iterator[Progress]:
    """Show a bar a stage and source while a terminal is watching, else a line when it begins."""
    if quiet:
        yield lambda _stage, _source, _rows: None
        return
    if not console(stderr=True).is_terminal:
        begun: set[tuple[str, str]] = set()

        def say_begin(stage: str, source: str, _rows: int) -> None:
            if (stage, source) not in begun:
                begun.add((stage, source))
                say(f"{stage} {source}")

        yield say_begin
        return
    calls = {(call.stage, call.source): call for call in every}
    with bars(32) as progress:
        tasks = {}

        def advance(stage: str, source: str, rows: int) -> None:
            if (stage, source) not in tasks:
                total = expected_rows(calls[stage, source])
                tasks[stage, source] = progress.add_task(f"{stage} {source}", total=total)
            progress.advance(tasks[stage, source], rows)

        yield advance
