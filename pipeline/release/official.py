"""Examples of a release as official KLUE files, which this project's own importers read again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import RELEASE_FILES, VoteRow, write_official
from pipeline.contracts.official.tables import Official, of_rows
from pipeline.contracts.splits import Split
from pipeline.core import schemas
from pipeline.core.files import input_errors


def file_name(task: str, version: str, split: Split) -> str:
    """Return the name of a task's file, such as klue-sts-v1.1.0_dev.json."""
    file = RELEASE_FILES[task]
    return f"{file.stem}-v{version}_{split}.{file.ending}"


def official(task: str, examples: Iterable[Example], votes: pa.Table | None = None) -> Official:
    """Return labelled examples as an official file holds them, in its order.

    `votes` (VOTES) are the judgements on them. Files that hold raw judgements have the answers of
    the round that gold is counted from, by annotator.
    """
    file = RELEASE_FILES[task]
    answers = answers_by_item(votes) if votes is not None and file.voted else {}
    rows = [file.row(example, answers.get(example.id, [])) for example in examples]
    return of_rows(task, file.form, sorted(rows, key=file.order))


def write(table: Official, path: Path, *, private: bool = False) -> None:
    """Write an official file; raises InputError when it cannot be written.

    A `private` one can be read by its owner alone (mode 0600) from its first byte on.
    """
    if not private:
        write_official(table, path)
        return
    with input_errors(path, "written"), TemporaryDirectory(dir=path.parent) as closed:
        temporary = Path(closed) / path.name
        write_official(table, temporary)
        temporary.chmod(0o600)
        temporary.replace(path)


def answers_by_item(votes: pa.Table) -> dict[str, list[VoteRow]]:
    """Return the answers that official files hold: those of the round that gold is counted from."""
    names = ("item", "annotator", "seat", "role", "round", "label", "report")
    rows: list[VoteRow] = votes.select(names).to_pylist()
    rows.sort(key=lambda row: (row["annotator"] or "", row["seat"] or ""))
    return schemas.group(
        (row["item"], row)
        for row in rows
        if row["round"] in ("main", "validate") and row["role"] != "expert"
    )
