"""Official KLUE files by task: one door in, one out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from pipeline.contracts.official.tables import Official
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import task_of

READERS: Final[Mapping[str, Callable[[Path], Official]]] = Parts("official", "read")
WRITERS: Final[Mapping[str, Callable[[Official, Path], None]]] = Parts("official", "write")


def read_official(task: str, path: Path) -> Official:
    """Read an official file of a task (id or config name).

    Raises InputError for an unknown task, and for a file that is none of the task's as a whole; a
    record that cannot be read stands in `problems`.
    """
    return READERS[task_of(task).id](path)


def write_official(official: Official, path: Path) -> None:
    """Write the items and votes in their official form.

    Written JSON parses equal to what was read; TSV and CSV are the same bytes, but for a byte order
    mark and for records left out. Raises InputError when the file cannot be written.
    """
    WRITERS[official.task](official, path)
