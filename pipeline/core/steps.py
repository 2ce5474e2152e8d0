"""Steps of long work, reported to whoever watches: which step, how much was done, and of how much.

A flow gives the watcher; without one, and in worker processes, reports go nowhere. So work that may
take seconds can report from any depth, and nothing between it and the flow passes a callback on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

T = TypeVar("T")


class Watcher(Protocol):
    """What is told of steps. It is called from any thread, and must be quick."""

    def advance(self, step: str, work: int, total: int | None) -> None:
        """Take the work done since the last call, and how much there is if that is known."""

    def end(self, step: str) -> None:
        """Take note that a step has ended."""


class _Nobody:
    def advance(self, step: str, work: int, total: int | None) -> None: ...

    def end(self, step: str) -> None: ...


_NOBODY: Final = _Nobody()
_watcher: Watcher = _NOBODY


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report the steps of this process to a watcher for the length of a ``with`` block."""
    global _watcher  # noqa: PLW0603 - the one watcher of this process
    before, _watcher = _watcher, watcher
    try:
        yield
    finally:
        _watcher = before


def is_watched() -> bool:
    """Tell whether somebody is told: else what only a total needs is not computed."""
    return _watcher is not _NOBODY


def advance(step: str, work: int = 1, total: int | None = None) -> None:
    """Report work that was done of a step, in units of its name: "rows", "draws"."""
    _watcher.advance(step, work, total)


@contextmanager
def running(step: str, total: int | None = None) -> Iterator[None]:
    """Report the beginning and the end of a step; the block may call `advance` with its name."""
    watcher = _watcher
    watcher.advance(step, 0, total)
    try:
        yield
    finally:
        watcher.end(step)


def counted(step: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield the items of a step, and report each when the next one is asked for."""
    watcher = _watcher
    with running(step, total):
        for item in items:
            yield item
            watcher.advance(step, 1, total)


def sliced(step: str, items: Sequence[T], size: int = 256) -> Iterator[Sequence[T]]:
    """Yield the items of a step by slices of a size; report each when the next one is asked for."""
    with running(step, len(items)):
        for begin in range(0, len(items), size):
            yield items[begin : begin + size]
            advance(step, min(size, len(items) - begin), len(items))


def follow(step: str) -> Callable[[int, int | None], None]:
    """Return what takes how much of a step is done by now, and of how much if that is known."""
    done = 0

    def advance_to(now: int, total: int | None = None) -> None:
        nonlocal done
        advance(step, now - done, total)
        done = now

    return advance_to
