"""Progress on standard error: bars for a terminal, few lines for a log, nothing for a machine.

Every command has these bars: they appear when it has run for a second, name the steps that are
reported (pipeline/core/steps.py), and vanish at its end.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final

from flows.view import verbosity
from flows.view.console import console, is_collecting, is_for_people, say
from pipeline.core import steps

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

#: Seconds that a command runs before bars appear.
DELAY: Final = 1.0
#: Seconds between two lines in a log about what is running.
PERIOD: Final = 60.0
#: The end of the name of a step whose work is bytes.
_BYTES: Final = ", bytes"


@dataclass
class _Step:
    begin: float
    done: int = 0
    total: int | None = None
    bar: TaskID | None = None


class Steps:
    """The steps of a command that are running; a watcher (pipeline/core/steps.py)."""

    def __init__(self, command: str) -> None:
        """Take the name of the command, which stands for a step while none is reported."""
        self._lock = threading.RLock()
        self._running = {command: _Step(monotonic())}
        self._command = command
        self._bars: Bars | None = None

    def advance(self, step: str, work: int, total: int | None = None) -> None:
        """Take the work done since the last call, and how much there is if that is known."""
        with self._lock:
            if step not in self._running:
                self._running[step] = _Step(monotonic())
                self._show()
            entry = self._running[step]
            entry.done += work
            entry.total = total if total is not None else entry.total
            if self._bars is not None and entry.bar is not None:
                count = _count(step, entry)
                self._bars.update(entry.bar, completed=entry.done, total=entry.total, count=count)

    def end(self, step: str) -> None:
        """Remove a step that has ended; with --verbose say what it did in which time."""
        with self._lock:
            entry = self._running.pop(step, None)
            if entry is None:
                return
            if self._bars is not None and entry.bar is not None:
                self._bars.remove_task(entry.bar)
            self._show()
        if verbosity.current().verbose:
            count = f": {_count(step, _Step(0.0, entry.done))}" if entry.done else ""
            say(f"{step.removesuffix(_BYTES)}{count} in {monotonic() - entry.begin:.1f} s")

    def begin_bars(self) -> None:
        """Show bars from now on."""
        with self._lock:
            self._bars = _bars()
            self._show()
            self._bars.start()

    def end_bars(self) -> None:
        """Remove all bars."""
        with self._lock:
            bars, self._bars = self._bars, None
        if bars is not None:
            bars.stop()  # it waits for its thread, which may wait for the lock

    def lines(self) -> list[str]:
        """Return a line for each step that is running, or for the command where none is."""
        with self._lock:
            running = [*self._shown().items()]
        return [
            f"{step.removesuffix(_BYTES)}: {f'{count}, ' * bool(count)}running for"
            f" {_Clock(entry.begin)}"
            for step, entry in running
            for count in [_count(step, entry)]
        ]

    def _shown(self) -> dict[str, _Step]:
        """Return the reported steps, or the command if there is none."""
        reported = {name: s for name, s in self._running.items() if name != self._command}
        return reported or self._running

    def _show(self) -> None:
        """Give a bar to each step that is to be shown, and to no other."""
        if self._bars is None:
            return
        shown = self._shown()
        for name, entry in self._running.items():
            if name not in shown and entry.bar is not None:
                self._bars.remove_task(entry.bar)
                entry.bar = None
        for name, entry in shown.items():
            if entry.bar is None:
                entry.bar = self._bars.add_task(
                    name.removesuffix(_BYTES),
                    total=entry.total,
                    completed=entry.done,
                    count=_count(name, entry),
                    clock=_Clock(entry.begin),
                )


def _count(step: str, entry: _Step) -> str:
    """Return how much is done and of how much; bytes in MB, and nothing of what is not counted."""
    if not (entry.done or entry.total):
        return ""
    is_bytes = step.endswith(_BYTES)
    done, total = (
        f"{number / 1e6:,.1f}" if is_bytes else f"{number:,}"
        for number in (entry.done, entry.total or 0)
    )
    return f"{done}{f' of {total}' if entry.total else ''}{' MB' if is_bytes else ''}"


def _bars() -> Bars:
    """Return bars on standard error that vanish at the end, with counts and the time taken."""
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    screen = console(stderr=True)
    return Progress(
        TextColumn("{task.description}", table_column=Column(overflow="ellipsis", no_wrap=True)),
        BarColumn(bar_width=max(4, min(24, screen.width // 5))),
        TextColumn("{task.fields[count]}", justify="right", table_column=Column(no_wrap=True)),
        TextColumn("{task.fields[clock]}", justify="right", table_column=Column(no_wrap=True)),
        console=screen,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # what goes to a file or a pipe still goes there
    )


class _Clock:
    """The time since a step began, at the moment that a bar is drawn."""

    def __init__(self, begin: float) -> None:
        self._begin = begin

    def __format__(self, _: str) -> str:
        seconds = int(monotonic() - self._begin)
        return f"{seconds // 60}:{seconds % 60:02}"


@contextmanager
def show_steps(command: str) -> Iterator[None]:
    """Show the steps of a command: bars on a terminal, else a line a minute; quiet ones nothing."""
    speaks, on_terminal = verbosity.current(), has_bars()
    shown, over = Steps(command), threading.Event()

    def follow() -> None:
        if on_terminal:
            if not over.wait(DELAY):
                shown.begin_bars()
            return
        while not over.wait(PERIOD):
            for line in shown.lines():
                say(line)

    thread = threading.Thread(target=follow, daemon=True)
    if on_terminal or is_log():
        thread.start()
    try:
        with steps.watched(shown):
            yield
    finally:
        over.set()
        if thread.ident is not None:
            thread.join()
        shown.end_bars()
        if speaks.verbose:
            shown.end(command)


def has_bars() -> bool:
    """Tell whether bars are shown: standard error is a terminal that can move its cursor."""
    return (
        not verbosity.current().quiet
        and not is_collecting()
        and sys.stderr.isatty()
        and not console(stderr=True).is_dumb_terminal
    )


def is_log() -> bool:
    """Tell whether lines for people tell what runs: where no bar does, and no machine reads."""
    return is_for_people() and not has_bars()
