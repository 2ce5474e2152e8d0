"""Official KLUE files by task: one door in, one out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pipeline.tasks.klue import (
    dependency,
    dialogue,
    entities,
    inference,
    reading,
    relation,
    similarity,
    topic,
)
from pipeline.tasks.klue.official import Official
from pipeline.tasks.registry import task_of

Reader = Callable[[Path], Official]
Writer = Callable[[Official, Path], None]

FORMATS: Final[dict[str, tuple[Reader, Writer]]] = {
    "tc": (topic.read, topic.write),
    "sts": (similarity.read, similarity.write),
    "nli": (inference.read, inference.write),
    "ner": (entities.read, entities.write),
    "re": (relation.read, relation.write),
    "dp": (dependency.read, dependency.write),
    "mrc": (reading.read, reading.write),
    "dst": (dialogue.read, dialogue.write),
}


def read_official(task: str, path: Path) -> Official:
    """Read an official file of a task (id or config name).

    Raises InputError for an unknown task, and for a file that is none of the task's as a whole; a
    record that cannot be read stands in `problems`.
    """
    return FORMATS[task_of(task).id][0](path)


def write_official(official: Official, path: Path) -> None:
    """Write the items and votes in their official form.

    Written JSON parses equal to what was read; TSV and CSV are the same bytes, but for a byte order
    mark and for records left out. Raises InputError when the file cannot be written.
    """
    FORMATS[official.task][1](official, path)
