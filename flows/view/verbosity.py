"""How much a command says beside its result: less with --quiet, more with --verbose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Verbosity:
    """The options that every command has; `as_json` is for machines, which read no log."""

    quiet: bool = False
    verbose: bool = False
    as_json: bool = False

    @property
    def for_people(self) -> bool:
        """Tell whether tables and lines for people may precede the result."""
        return not (self.quiet or self.as_json)


class _Command:
    """The command that runs."""

    verbosity = Verbosity()


@contextmanager
def speaking(verbosity: Verbosity) -> Iterator[None]:
    """Say as much as that for the length of a ``with`` block, in all threads."""
    before, _Command.verbosity = _Command.verbosity, verbosity
    try:
        yield
    finally:
        _Command.verbosity = before


def current() -> Verbosity:
    """Return how much the command says."""
    return _Command.verbosity
