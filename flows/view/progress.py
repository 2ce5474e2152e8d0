"""Progress on standard error: bars for a terminal, lines for a log, nothing for a machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flows.view.console import console, say
from pipeline.core import store
from pipeline.core.pool import Progress
from pipeline.core.stage import Call


@contextmanager
def shown(every: list[Call], *, quiet: bool) -> Iterator[Progress]:
    """Show a bar a stage and source on standard error while a terminal is watching."""
    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield _silent if quiet else _lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    calls = {(call.stage, call.source): call for call in every}
    columns = (TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=out, transient=True) as bars:
        known = {}

        def progress(stage: str, source: str, rows: int) -> None:
            if (stage, source) not in known:
                total = _expected(calls[stage, source])
                known[stage, source] = bars.add_task(f"{stage} {source}", total=total)
            bars.advance(known[stage, source], rows)

        yield progress


def _expected(call: Call) -> int | None:
    """Return how many rows a call will read, once its inputs are finished."""
    found = [store.read_manifest(folder) for folder in call.inputs]
    rows = [m.counts.rows_out for m in found if m is not None and m.stage != "sign"]
    return sum(rows) or None


def _lines() -> Progress:
    """Say once for every stage and source that it has begun, for logs."""
    begun: set[tuple[str, str]] = set()

    def progress(stage: str, source: str, rows: int) -> None:  # noqa: ARG001
        if (stage, source) not in begun:
            begun.add((stage, source))
            say(f"{stage} {source}")

    return progress


def _silent(stage: str, source: str, rows: int) -> None:
    """Show nothing."""
