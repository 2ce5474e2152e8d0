"""Gold answers of any form as examples: releases, official files, tables of examples, items."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.commands.examples import SPLIT_FILE, entry_of, released, rows_of
from flows.commands.releases import require_public
from flows.commands.votes import KEPT, load_items, refusal_messages
from flows.view.console import say
from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.splits import SPLITS, Split
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError, SchemaError
from pipeline.core.jsontext import parsed
from pipeline.core.store import MANIFEST
from pipeline.release.manifest import private_folder
from pipeline.release.tables import COLUMNS, examples_of
from pipeline.report.official import UNKNOWN

_OFFICIAL: Final = frozenset({".json", ".csv", ".tsv"})
_TEST: Final[Split] = "test"
_FORMS: Final = (
    "a release's folder, an official KLUE file, a Parquet file with a release's columns,"
    " a folder (or its examples.parquet) of klue split, or items with gold"
)


def examples(path: Path, task: Task, *, split: str | None = None) -> list[Example]:
    """Return the examples of a gold of any form.

    `split` picks from a release or a table of examples (test if not given); other files have one
    split only. Raises InputError for a file that cannot be used.
    """
    if split is not None and split not in SPLITS:
        raise InputError(f"--split {split!r} is not known; allowed: {', '.join(SPLITS)}")
    if not path.exists():
        raise InputError(f"--gold {path}: no such file or folder; give {_FORMS}")
    if (path / SPLIT_FILE).is_file():
        path = path / SPLIT_FILE
    if path.is_dir():
        return _released(path, task, split or _TEST)
    if path.suffix.lower() == ".parquet":
        return _parquet(path, task, split)
    _require_one_split(path, split)
    if path.suffix.lower() in _OFFICIAL:
        return list(_official(path, task))
    return list(_of_items(load_items(path, task)))


def _released(folder: Path, task: Task, split: Split) -> list[Example]:
    require_public(folder)
    if not (folder / MANIFEST).is_file():
        raise InputError(f"--gold {folder}: is no release, it holds no {MANIFEST}; give {_FORMS}")
    entry_of(folder, task.id)
    if split == _TEST and not private_folder(folder).is_dir():
        raise InputError(
            f"--gold {folder}: the labels of its test split are not here; its owner keeps them in"
            f" {private_folder(folder).name}/ beside it. Bring that folder, or score another split:"
            " --split dev"
        )
    return released(folder, task.id, split, labels=True)


def _parquet(path: Path, task: Task, split: Split | None) -> list[Example]:
    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"--gold {path}: damaged or no Parquet file ({type(error).__name__}); fetch or write it"
            " again"
        ) from None
    names = set(table.column_names)
    if set(schemas.EXAMPLES.names) <= names:
        return _of_table(path, table, task, split or _TEST)
    _require_one_split(path, split)
    if {"item", "fields"} <= names:
        return list(_of_items(load_items(path, task)))
    other = next((one for one, of in COLUMNS.items() if table.schema.equals(of.schema)), None)
    if other != task.id:
        what = f"the columns of {other}" if other else "columns that no gold has"
        raise InputError(f"--gold {path}: has {what}, not of {task.id}; give {_FORMS}")
    return list(examples_of(table, task.id))


def _of_table(path: Path, table: pa.Table, task: Task, split: Split) -> list[Example]:
    """Return the examples of a split of EXAMPLES."""
    try:
        rows = schemas.check(table, "examples")
    except SchemaError as error:
        raise InputError(f"--gold {path}: not a table of examples: {error}") from None
    mine = pc.and_(pc.equal(rows["task"], task.id), pc.equal(rows["split"], split))
    rows = rows.filter(mine)
    if not rows.num_rows:
        raise InputError(f"--gold {path}: holds no example of {task.id} in {split}; see --split")
    return list(rows_of(rows))


def _official(path: Path, task: Task) -> Iterator[Example]:
    official = read_official(task.id, path)
    problems = [(path.name, one.line, one.rule, one.reason) for one in official.problems]
    left = [row for row in problems if not row[2].startswith(KEPT)]
    for line in refusal_messages(left):
        say(f"left out of the gold: {line}")
    return _of_items(official.items)


def _of_items(items: pa.Table) -> Iterator[Example]:
    for row in items.to_pylist():
        label = None if row["gold"] is None else parsed(row["gold"])
        meta = parsed(row["meta"]) if row["meta"] else {}
        source, sampler = row["source"] or UNKNOWN, row["sampler"]
        yield Example(row["item"], source, parsed(row["fields"]), label, sampler, None, meta)


def _require_one_split(path: Path, split: Split | None) -> None:
    if split is not None:
        raise InputError(
            f"--split {split}: {path.name} holds one split; leave --split out, it is for releases"
            " and examples.parquet"
        )
