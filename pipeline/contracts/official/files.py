"""Official KLUE files by task: read, written, and made of the examples of a release."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.official.tables import Official, Row, SourceTexts
from pipeline.contracts.parts import Parts, load_part
from pipeline.contracts.registry import task_of
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors
from pipeline.core.io.source import require_filled

#: More bytes than any official file has.
MOST_BYTES = 256 * 1024 * 1024
_HEAD: Final = 64 * 1024
#: A row of the table VOTES as plain data.
VoteRow = Mapping[str, Any]


def plain_row(example: Example, _votes: Sequence[VoteRow]) -> Row:
    """Return the record of an example in a file that says no more than its fields and label."""
    return Row(
        item=example.id,
        fields=dict(example.fields),
        gold=example.label,
        source=example.source,
        sampler=example.sampler,
        meta={"source": example.source},
    )


@dataclass(frozen=True)
class ReleaseFile:
    """How examples of a release become an official file, STEM-vVERSION_SPLIT.ENDING.

    `form` is that of `Official`; `row` makes a record of an example and the votes on it, which are
    given where `voted` says that the file holds raw judgements. Records are sorted by `order`.
    `forms` are the keys of a record's meta that hold a column of the release in another form, by
    the column.
    """

    stem: str
    ending: str = "json"
    form: str = "json"
    row: Callable[[Example, Sequence[VoteRow]], Row] = plain_row
    voted: bool = False
    order: Callable[[Row], tuple[Any, ...]] = lambda row: (row.item,)
    forms: Mapping[str, str] = field(default_factory=dict)


def detect_task(path: Path) -> str:
    """Return the task whose official form a file seems to have, by the sign in its TEXTS.

    Raises InputError for a file that is missing, empty, larger than any official one, or none.
    """
    require_filled(path)
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path}: larger than any official KLUE file; give one as published")
    with input_errors(path, "read"), path.open("rb") as stream:
        head = stream.read(_HEAD)
    allowed = []
    for task in READERS:
        texts: SourceTexts | None = getattr(load_part(task, "official"), "TEXTS", None)
        if texts and re.search(texts.sign, head):
            return task
        allowed += [task] if texts else []
    raise InputError(
        f"{path}: no official KLUE file with texts of a source; allowed are those of"
        f" {', '.join(allowed)}"
    )


def read_official(task: str, path: Path) -> Official:
    """Read an official file of a task (id or config name).

    Raises InputError for an unknown task, and for a file that is none of the task's as a whole; a
    record that cannot be read is in `problems`.
    """
    return READERS[task_of(task).id](path)


def write_official(official: Official, path: Path) -> None:
    """Write the items and votes in their official form.

    What was read is written with the same bytes, but for records left out, blanks that are not
    those of its layout (`frame_of`), and numbers that are spelled otherwise (3.0 for 3). Raises
    InputError when the file cannot be written.
    """
    WRITERS[official.task](official, path)


def one_per_annotator(votes: Iterable[VoteRow]) -> list[VoteRow]:
    """Return one vote for each annotator: the official forms have no place for a second one."""
    by_annotator: dict[str, VoteRow] = {}
    for vote in votes:
        if (
            vote["annotator"] not in by_annotator
            or by_annotator[vote["annotator"]]["label"] is None
        ):
            by_annotator[vote["annotator"]] = vote
    return list(by_annotator.values())


READERS: Final = Parts[Callable[[Path], Official]]("official", "read")
WRITERS: Final = Parts[Callable[[Official, Path], None]]("official", "write")
RELEASE_FILES: Final = Parts[ReleaseFile]("official", "FILE")
