"""Examples of a task by split: of a release, of official files, of what klue split wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.commands.releases import require_public
from pipeline.contracts.example import Example
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core import schemas
from pipeline.core.errors import InputError, SchemaError, StoreError
from pipeline.core.fingerprint import of_value
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.core.store import MANIFEST
from pipeline.release.manifest import TaskEntry, private_folder, read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.report.official import official_examples, official_tasks

#: What `klue split` writes.
SPLIT_FILE: Final = "examples.parquet"
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
    _require(place)
    if (place / MANIFEST).is_file():
        found = {entry.task for entry in read_manifest(place).tasks.values()}
    elif (place / SPLIT_FILE).is_file():
        found = set(split_table(place / SPLIT_FILE)["task"].to_pylist())
    else:
        found = set(official_tasks(place))
    return tuple(task for task in TASKS if task in found)


def examples_at(place: Path, task: str, *, holdout: float | None = None, seed: int = 0) -> Examples:
    """Return the examples of a task that a folder holds.

    With `holdout` that share of the labelled examples, a keyed draw, is the dev split and the rest
    is learnt from: for files of one split. Raises InputError for a folder without the task, and
    where train or dev is missing.
    """
    _require(place)
    found = (_of_release if (place / MANIFEST).is_file() else _of_tables)(place, task)
    if holdout is not None:
        found = _held_out(found, holdout, seed)
    for split in ("train", "dev"):
        if not found.splits.get(split):
            raise InputError(
                f"{place}: holds no {split} split of {task}, only"
                f" {', '.join(s for s in found.splits if found.splits[s])}; give --holdout 0.1 to"
                " draw a dev split of what is there, or split it by the task's rule: klue split"
            )
    return found


def entry_of(place: Path, task: str) -> TaskEntry:
    """Return what the manifest of a release says of a task; raises InputError if it has no such."""
    there = {one.task: one for one in read_manifest(place).tasks.values()}
    if task not in there:
        raise InputError(f"{place}: has no task {task}; it has: {', '.join(there)}")
    return there[task]


def released(place: Path, task: str, split: Split, *, labels: bool) -> list[Example]:
    """Return the examples of a split of a release; with `labels` those of test have their private.

    Raises StoreError when the file is not there, or damaged.
    """
    return list(examples_of(read_split(place, task, split, labels=labels), task))


def split_table(path: Path) -> pa.Table:
    """Return a table of EXAMPLES; raises InputError for a file that holds none."""
    try:
        return schemas.check(pq.read_table(path, partitioning=None), "examples")
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise InputError(
            f"{path}: is no table of examples ({type(error).__name__}); give one that klue split"
            " wrote"
        ) from None


def rows_of(table: pa.Table) -> Iterator[Example]:
    """Yield the examples of rows of EXAMPLES; raises InputError for one that is not JSON inside."""
    for row in table.to_pylist():
        try:
            fields, label = parsed(row["fields"]), parsed(row["label"])
            meta = parsed(row["meta"]) if row["meta"] else {}
        except ValueError as error:
            raise InputError(f"{row['id']}: fields, label or meta are no JSON ({error})") from None
        if not isinstance(fields, dict) or not isinstance(meta, dict):
            raise InputError(f"{row['id']}: fields and meta are objects; klue split writes them")
        yield Example(row["id"], row["source"], fields, label, row["sampler"], row["date"], meta)


def _require(place: Path) -> None:
    if not place.is_dir():
        what = "is a file" if place.exists() else "no such folder"
        raise InputError(
            f"{place}: {what}; give the folder of a release, of official KLUE files, or one that"
            " klue split wrote"
        )
    require_public(place)


def _of_release(place: Path, task: str) -> Examples:
    manifest, entry = read_manifest(place), entry_of(place, task)
    train, dev = (released(place, task, split, labels=False) for split in ("train", "dev"))
    labelled, notes = {"train", "dev"}, []
    try:
        test = released(place, task, "test", labels=True)
        labelled.add("test")
    except (StoreError, PermissionError) as error:
        test = released(place, task, "test", labels=False)
        if private_folder(place).is_dir():
            notes.append(f"test is not scored, its labels cannot be read: {error}")
    splits: dict[str, list[Example]] = {"train": train, "dev": dev, "test": test}
    data = {
        "release": manifest.name,
        "version": manifest.version,
        "hash": manifest.release_hash,
        "spec_digest": entry.spec_digest,
        "simulated": manifest.simulated,
    }
    digest = _digest(task, splits)
    return Examples(task, splits, frozenset(labelled), data, digest, tuple(notes))


def _of_tables(place: Path, task: str) -> Examples:
    table, notes = _table(place, task)
    if not table.num_rows:
        raise InputError(f"{place}: holds no examples of {task}")
    splits: dict[str, list[Example]] = {
        split: list(rows_of(table.filter(pc.equal(table["split"], split)).sort_by("id")))
        for split in SPLITS
    }
    held = {split: examples for split, examples in splits.items() if examples}
    data = {"files": place.resolve().name}  # "." has a name too
    return Examples(task, held, frozenset(held), data, _digest(task, held), notes)


def _table(place: Path, task: str) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the EXAMPLES of a task in a folder, and what is to be told of its files."""
    if (place / SPLIT_FILE).is_file():
        table = split_table(place / SPLIT_FILE)
        return table.filter(pc.equal(table["task"], task)), ()
    there = official_tasks(place)
    if task not in there:
        raise InputError(f"{place}: holds no official files of {task}; it holds {', '.join(there)}")
    found = official_examples(place, tasks=[task]).tasks[task]
    return found.examples, tuple(f"{one.file}: {one.note}" for one in found.notes)


def _held_out(found: Examples, share: float, seed: int) -> Examples:
    if not 0 < share < 1:
        raise InputError(f"--holdout {share} is out of range; allowed: above 0 and below 1")
    everything = [one for split in ("train", "dev") for one in found.splits.get(split, ())]
    shared = _SHARED.get(found.task)
    out: dict[str, list[Example]] = {"train": [], "dev": []}
    for one in everything:
        key = one.fields.get(shared, one.id) if shared else one.id
        out["dev" if draw(seed, "holdout", key) < share else "train"].append(one)
    rest = {split: one for split, one in found.splits.items() if split not in out}
    splits = {**out, **rest}
    data = {**found.data, "holdout": share, "holdout_seed": seed}
    labelled, digest = found.labelled | set(out), _digest(found.task, splits)
    return replace(found, splits=splits, labelled=labelled, data=data, digest=digest)


def _digest(task: str, splits: Mapping[str, Sequence[Example]]) -> str:
    """Return a digest of all that is read of examples; test labels do not enter it."""
    return of_value(
        [
            [split, one.id, json.dumps(_read(task, one, answers=split != "test"), sort_keys=True)]
            for split, examples in splits.items()
            for one in examples
        ]
    )


def _read(task: str, one: Example, *, answers: bool) -> Any:
    """Return what is read of an example: fields, label and parts of speech."""
    keys = _ANSWER_KEYS.get(task, frozenset())
    label = one.label if answers or keys else None
    whole = [one.fields, label, one.meta.get("pos")]
    return whole if answers else _without(whole, keys)


def _without(value: Any, names: Set[str]) -> Any:
    """Return a JSON value without the keys of these names, however deep."""
    if isinstance(value, Mapping):
        return {name: _without(one, names) for name, one in value.items() if name not in names}
    if isinstance(value, list):
        return [_without(one, names) for one in value]
    return value
