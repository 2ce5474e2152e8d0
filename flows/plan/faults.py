"""What is wrong with a build, gathered and told with the place in the build file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.core.buildfile import Build
from pipeline.core.errors import FatalError, InputError, SpecError


@contextmanager
def collect_faults(faults: list[FatalError]) -> Iterator[None]:
    """Keep what is wrong here, so that it can be told with what is wrong elsewhere."""
    try:
        yield
    except (InputError, SpecError) as error:
        faults.append(error)


def raise_faults(faults: list[FatalError]) -> None:
    """Raise an error of the first fault's kind that tells all of them, one a line, if any."""
    if faults:
        raise type(faults[0])("\n".join(dict.fromkeys(map(str, faults))))


@contextmanager
def prefix_errors(build: Build, key: str = "") -> Iterator[None]:
    """Put the build file, and a key of it, before what an InputError says."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"{build.file}: {key}{': ' * bool(key)}{error}") from None
