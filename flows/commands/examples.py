"""Examples of a task out of files of any form: releases, official files, klue split's, items."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.outputs import require_folder
from flows.commands.releases import require_public
from flows.commands.votes import KEPT, gold_set, load_items, refusal_messages
from flows.view.console import say
from pipeline.annotation.intake.items import is_table
from pipeline.contracts.example import Example
from pipeline.contracts.official.files import read_official
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS, Split
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError, SchemaError, StoreError
from pipeline.core.files import reason_of, refuse
from pipeline.core.fingerprint import of_value
from pipeline.core.ids import draw
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.jsontext import parsed
from pipeline.core.store import MANIFEST
from pipeline.release.manifest import TaskEntry, private_folder, read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import COLUMNS, examples_of
from pipeline.report.official import UNKNOWN, official_examples, official_tasks

#: What `klue split` writes.
_SPLIT_FILE: Final = "examples.parquet"
_GOLD: Final = (
    "a release's folder, an official KLUE file, a Parquet file with a release's columns,"
    " a folder (or its examples.parquet) of klue split, or items with gold"
)
#: The field that examples share which belong together: they are held out together.
_SHARED: Final[Mapping[str, str]] = Parts("task", "SHARED_FIELD")
#: Of labels that hold more than an answer, and of fields, the keys that give the answer away; the
#: rest is input.
_ANSWER_KEYS: Final[Mapping[str, Set[str]]] = Parts("task", "ANSWER_KEYS")


@dataclass(frozen=True)
class Examples:
    """Examples of one task: by split, what they are of, and a digest of all of them.

    `labelled` are the splits whose labels are at hand. `data` tells of a release its name, version,
    hash and the digest of the task's spec, of other places the folder's name. `notes` say what was
    left out, or kept with its faults. The digest is that of all inputs and of the labels of train
    and dev, so that it is the same with and without the private labels of test.
    """

    task: str
    splits: Mapping[str, Sequence[Example]]
    labelled: frozenset[str]
    data: Mapping[str, Any]
    digest: str
    notes: tuple[str, ...] = ()


def tasks_at(place: Path) -> tuple[str, ...]:
    """Return the ids of the tasks whose examples a folder holds, in their usual order."""
    _require_folder(place)
    if (place / MANIFEST).is_file():
        tasks = {entry.task for entry in read_manifest(place).tasks.values()}
    elif (place / _SPLIT_FILE).is_file():
        tasks = set(_split_table(place / _SPLIT_FILE)["task"].to_pylist())
    else:
        tasks = set(official_tasks(place))
    return tuple(task for task in TASKS if task in tasks)


def examples_at(place: Path, task: str, *, holdout: float | None = None, seed: int = 0) -> Examples:
    """Return the examples of a task that a folder holds.

    With `holdout` that share of the labelled examples, a keyed draw, is the dev split and the rest
    is learnt from: for files of one split. Raises InputError for a folder without the task, and
    where train or dev is missing.
    """
    _require_folder(place)
    examples = (_of_release if (place / MANIFEST).is_file() else _of_tables)(place, task)
    if holdout is not None:
        examples = _hold_out(examples, holdout, seed)
    for split in ("train", "dev"):
        if not examples.splits.get(split):
            raise InputError(
                f"{place}: holds no {split} split of {task}, only"
                f" {', '.join(s for s in examples.splits if examples.splits[s])}; give --holdout"
                " 0.1 to draw a dev split of what is there, or split it by the task's rule: klue"
                " split"
            )
    return examples


def gold_at(path: Path, task: Task, *, split: str | None = None) -> list[Example]:
    """Return the examples of a gold of any form.

    `split` picks from a release or a table of examples (test if not given); other files have one
    split only. Raises InputError for a file that cannot be used.
    """
    if split is not None and split not in SPLITS:
        raise InputError(f"--split {split!r} is not known; allowed: {', '.join(SPLITS)}")
    refuse(f"--gold {path}", (not path.exists(), f"no such file or folder; give {_GOLD}"))
    if (path / _SPLIT_FILE).is_file():
        path = path / _SPLIT_FILE
    if path.is_dir():
        return _gold_of_release(path, task.id, split or "test")
    table = _read_parquet(path) if path.suffix.lower() == ".parquet" else None
    if table is not None and set(schemas.EXAMPLES.names) <= set(table.column_names):
        wanted = (pc.field("task") == task.id) & (pc.field("split") == (split or "test"))
        rows = _split_table(path, table).filter(wanted)
        refuse(
            f"--gold {path}",
            (not rows.num_rows, f"holds no example of {task.id} in {split or 'test'}; see --split"),
        )
        return list(_examples(rows))
    if split is not None:
        raise InputError(
            f"--split {split}: {path.name} holds one split; leave --split out, it is for releases"
            " and examples.parquet"
        )
    if path.suffix.lower() in {".json", ".csv", ".tsv"} and not is_table(path):
        return list(_examples(_official_items(path, task), label="gold", id_="item"))
    if table is None or {"item", "fields"} <= set(table.column_names):
        return _with_sets(list(_examples(load_items(path, task), label="gold", id_="item")), task)
    other = next((name for name, of in COLUMNS.items() if of.accepts(table.schema)), None)
    if other != task.id:
        columns = f"the columns of {other}" if other else "columns that no gold has"
        raise InputError(f"--gold {path}: has {columns}, not of {task.id}; give {_GOLD}")
    return list(examples_of(table, task.id))


def _with_sets(examples: list[Example], task: Task) -> list[Example]:
    """Return examples with the labels of a user's gold as lists, where the task has several."""
    if task.kind != "labels":
        return examples
    spec = load_spec(task.id)
    return [
        example
        if example.label is None
        else replace(example, label=gold_set(example.id, example.label, task, spec))
        for example in examples
    ]


def _require_folder(place: Path) -> None:
    require_folder(place, "the folder of a release, of official KLUE files, or one of klue split")
    require_public(place)


def _entry_of(place: Path, task: str) -> TaskEntry:
    entries = {entry.task: entry for entry in read_manifest(place).tasks.values()}
    refuse(place, (task not in entries, f"has no task {task}; it has: {', '.join(entries)}"))
    return entries[task]


def _of_split(place: Path, task: str, split: Split, *, labels: bool) -> list[Example]:
    return list(examples_of(read_split(place, task, split, labels=labels), task))


def _of_release(place: Path, task: str) -> Examples:
    manifest, entry = read_manifest(place), _entry_of(place, task)
    splits: dict[str, list[Example]] = {
        split: _of_split(place, task, split, labels=False) for split in SPLITS
    }
    labelled, notes = {"train", "dev"}, []
    try:
        splits["test"] = _of_split(place, task, "test", labels=True)
        labelled.add("test")
    except (StoreError, PermissionError) as error:
        if private_folder(place).is_dir():
            notes.append(f"test is not scored, its labels cannot be read: {error}")
    data = {
        "release": manifest.name,
        "version": manifest.version,
        "hash": manifest.release_hash,
        "spec_digest": entry.spec_digest,
        "simulated": manifest.simulated,
    }
    digest = _digest(task, splits)
    return Examples(task, splits, frozenset(labelled), data, digest, tuple(notes))


def _gold_of_release(folder: Path, task: str, split: Split) -> list[Example]:
    require_public(folder)
    if not (folder / MANIFEST).is_file():
        raise InputError(f"--gold {folder}: is no release, it holds no {MANIFEST}; give {_GOLD}")
    sizes = _entry_of(folder, task).splits
    closed = split == "test" and not private_folder(folder).is_dir()
    where = f"its owner keeps them in {private_folder(folder).name}/ beside it. Bring that folder,"
    why = f"the labels of its test split are not here; {where} or score another split: --split dev"
    others = ", ".join(f"{many:,} {name}" for name, many in sizes.items() if many)
    fault = f"has no {split} example of {task}, only {others}; see --split"
    refuse(f"--gold {folder}", (not sizes.get(split), fault), (closed, why))
    return _of_split(folder, task, split, labels=True)


def _of_tables(place: Path, task: str) -> Examples:
    notes: tuple[str, ...] = ()
    if (place / _SPLIT_FILE).is_file():
        table = _split_table(place / _SPLIT_FILE)
        table = table.filter(pc.equal(table["task"], task))
    else:
        tasks = official_tasks(place)
        if task not in tasks:
            tasks_there = ", ".join(tasks)
            raise InputError(f"{place}: holds no official files of {task}; it holds {tasks_there}")
        official = official_examples(place, tasks=[task]).tasks[task]
        table, notes = official.examples, tuple(f"{n.file}: {n.note}" for n in official.notes)
    refuse(place, (not table.num_rows, f"holds no examples of {task}"))
    splits: dict[str, list[Example]] = {
        split: list(_examples(part))
        for split in SPLITS
        if (part := table.filter(pc.equal(table["split"], split)).sort_by("id")).num_rows
    }
    data = {"files": place.resolve().name}  # "." has a name too
    return Examples(task, splits, frozenset(splits), data, _digest(task, splits), notes)


def _read_parquet(path: Path) -> pa.Table:
    try:
        with BoundedFile(path) as file:
            return file.read()
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{path}: damaged or no Parquet file ({reason_of(error)}); fetch or write it again"
        ) from None


def _split_table(path: Path, table: pa.Table | None = None) -> pa.Table:
    try:
        return schemas.check(_read_parquet(path) if table is None else table, "examples")
    except SchemaError as error:
        raise InputError(
            f"{path}: not a table of examples: {error}; give one that klue split wrote"
        ) from None


def _official_items(path: Path, task: Task) -> pa.Table:
    official = read_official(task.id, path)
    problems = [(path.name, row.line, row.rule, row.reason) for row in official.problems]
    for line in refusal_messages(row for row in problems if not row[2].startswith(KEPT)):
        say(f"left out of the gold: {line}")
    return official.items


def _examples(table: pa.Table, *, label: str = "label", id_: str = "id") -> Iterator[Example]:
    """Yield rows of EXAMPLES or ITEMS; raises InputError for one that is not JSON inside."""
    for row in table.to_pylist():
        try:
            fields, meta = parsed(row["fields"]), parsed(row["meta"]) if row["meta"] else {}
            answer = parsed(row[label]) if row[label] is not None else None
        except ValueError as error:
            raise InputError(f"{row[id_]}: fields, label or meta are no JSON ({error})") from None
        if not isinstance(fields, dict) or not isinstance(meta, dict):
            raise InputError(f"{row[id_]}: fields and meta are objects; klue split writes them")
        source, date = row["source"] or UNKNOWN, row.get("date")
        yield Example(row[id_], source, fields, answer, row["sampler"], date, meta)


def _hold_out(examples: Examples, share: float, seed: int) -> Examples:
    refuse(
        f"--holdout {share}", (not 0 < share < 1, "is out of range; allowed: above 0 and below 1")
    )
    shared = _SHARED.get(examples.task)
    parts: dict[str, list[Example]] = {"train": [], "dev": []}
    for example in [*examples.splits.get("train", ()), *examples.splits.get("dev", ())]:
        key = example.fields.get(shared, example.id) if shared else example.id
        parts["dev" if draw(seed, "holdout", key) < share else "train"].append(example)
    rest = {split: rows for split, rows in examples.splits.items() if split not in parts}
    splits = {**parts, **rest}
    return replace(
        examples,
        splits=splits,
        labelled=examples.labelled | set(parts),
        data={**examples.data, "holdout": share, "holdout_seed": seed},
        digest=_digest(examples.task, splits),
    )


def _digest(task: str, splits: Mapping[str, Sequence[Example]]) -> str:
    """Return a digest of all that is read of examples; test labels do not enter it."""
    return of_value(
        [[split, row.id, _read(task, split, row)] for split, rows in splits.items() for row in rows]
    )


def _read(task: str, split: str, example: Example) -> str:
    is_test, keys = split == "test", _ANSWER_KEYS.get(task, frozenset())
    label = None if is_test and not keys else example.label
    whole = [example.fields, label, example.meta.get("pos")]
    return json.dumps(_without(whole, keys) if is_test else whole, sort_keys=True)


def _without(value: Any, names: Set[str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _without(item, names) for name, item in value.items() if name not in names}
    return [_without(item, names) for item in value] if isinstance(value, list) else value
