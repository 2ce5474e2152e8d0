"""Progress on standard error: bars for a terminal, lines for a log, nothing for a machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from flows.view.console import console, say
from pipeline.core.pool import Progress
from pipeline.core.running import expected_work
from pipeline.core.stage import Call, stage_of

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


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
        yield lambda _stage, _source, _work: None
        return
    if not console(stderr=True).is_terminal:
        begun: set[tuple[str, str]] = set()

        def say_begin(stage: str, source: str, _work: int) -> None:
            if (stage, source) not in begun:
                begun.add((stage, source))
                say(f"{stage} {source}")

        yield say_begin
        return
    calls = {(call.stage, call.source): call for call in every}
    with bars(32) as progress:
        tasks: dict[tuple[str, str], tuple[TaskID, float]] = {}
        done = Counter[tuple[str, str]]()

        def advance(stage: str, source: str, work: int) -> None:
            key = stage, source
            if key not in tasks:
                call = calls[key]
                name = f"{stage} {source}{', bytes' if stage_of(call.module).size else ''}"
                total = expected_work(call)
                tasks[key] = progress.add_task(name, total=total), total or inf
            task, most = tasks[key]
            done[key] += work
            progress.update(task, completed=min(done[key], most))

        yield advance
