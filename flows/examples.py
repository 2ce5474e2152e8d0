"""Examples of a task by split: of a release, of official files, of what klue split wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core import schemas
from pipeline.core.errors import InputError, SchemaError, StoreError
from pipeline.core.fingerprint import of_value
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.report.official import official_examples
from pipeline.tasks.example import Example
from pipeline.tasks.registry import TASKS
from pipeline.tasks.splits import SPLITS

#: What `klue split` writes.
_SPLIT_FILE: Final = "examples.parquet"
#: The text that examples share which belong together: they are held out together.
_SHARED: Final = {"nli": "premise", "mrc": "context", "re": "sentence"}


@dataclass(frozen=True)
class Examples:
    """Examples of one task: by split, what they are of, and a digest of all of them.

    `labelled` are the splits whose labels are at hand. `data` tells of a release its name, version,
    hash and the digest of the task's spec, of other places the folder's name.
    """

    task: str
    splits: Mapping[str, Sequence[Example]]
    labelled: frozenset[str]
    data: Mapping[str, Any]
    digest: str


def tasks_at(place: Path) -> tuple[str, ...]:
    """Return the ids of the tasks whose examples a folder holds, in their usual order."""
    if (place / "manifest.json").is_file():
        found = {entry.task for entry in read_manifest(place).tasks.values()}
    elif (place / _SPLIT_FILE).is_file():
        found = set(_split_file(place)["task"].to_pylist())
    else:
        found = set(official_examples(_folder(place)).tasks)
    return tuple(task for task in TASKS if task in found)


def examples_at(place: Path, task: str, *, holdout: float | None = None, seed: int = 0) -> Examples:
    """Return the examples of a task that a folder holds.

    With `holdout` that share of the labelled examples, a keyed draw, is the dev split and the rest
    is learnt from: for files of one split. Raises InputError for a folder without the task, and
    where train or dev is missing.
    """
    _folder(place)
    if (place / "manifest.json").is_file():
        found = _of_release(place, task)
    else:
        found = _of_tables(place, task)
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


def _folder(place: Path) -> Path:
    if not place.is_dir():
        what = "is a file" if place.exists() else "no such folder"
        raise InputError(
            f"{place}: {what}; give the folder of a release, of official KLUE files, or one that"
            " klue split wrote"
        )
    return place


def _of_release(place: Path, task: str) -> Examples:
    manifest = read_manifest(place)
    entry = next((one for one in manifest.tasks.values() if one.task == task), None)
    if entry is None:
        there = ", ".join(one.task for one in manifest.tasks.values())
        raise InputError(f"{place}: holds no examples of {task}; it holds {there}")
    known = private_folder(place).is_dir() and _readable(place, task)
    splits: dict[str, Sequence[Example]] = {
        split: list(examples_of(read_split(place, task, split, labels=known), task))
        for split in SPLITS
    }
    labelled = frozenset(SPLITS if known else SPLITS[:2])
    data = {
        "release": manifest.name,
        "version": manifest.version,
        "hash": manifest.release_hash,
        "spec_digest": entry.spec_digest,
        "simulated": manifest.simulated,
    }
    return Examples(task, splits, labelled, data, _digest(splits))


def _readable(place: Path, task: str) -> bool:
    """Return whether the private labels are there, and whoever asks may read them."""
    try:
        read_split(place, task, "test", columns=["guid"], labels=True)
    except (StoreError, PermissionError):
        return False
    return True


def _of_tables(place: Path, task: str) -> Examples:
    if (place / _SPLIT_FILE).is_file():
        table = _split_file(place)
        table = table.filter(pc.equal(table["task"], task))
    else:
        official = official_examples(place)
        if task not in official.tasks:
            told = f"it holds {', '.join(official.tasks)}"
            raise InputError(f"{place}: holds no official files of {task}; {told}")
        table = official.tasks[task].examples
    if not table.num_rows:
        raise InputError(f"{place}: holds no examples of {task}")
    splits: dict[str, list[Example]] = {split: [] for split in SPLITS}
    for row in table.sort_by("id").to_pylist():
        splits[row["split"]].append(_example(row))
    held = {split: examples for split, examples in splits.items() if examples}
    return Examples(task, held, frozenset(held), {"files": place.name}, _digest(held))


def _split_file(place: Path) -> pa.Table:
    try:
        return schemas.check(pq.read_table(place / _SPLIT_FILE), "examples")
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise InputError(
            f"{place / _SPLIT_FILE}: is no table of examples ({type(error).__name__}); give a"
            " folder that klue split wrote"
        ) from None


def _example(row: Mapping[str, Any]) -> Example:
    return Example(
        row["id"],
        row["source"],
        parsed(row["fields"]),
        parsed(row["label"]),
        row["sampler"],
        row["date"],
        parsed(row["meta"]) if row["meta"] else {},
    )


def _held_out(found: Examples, share: float, seed: int) -> Examples:
    if not 0 < share < 1:
        raise InputError(f"--holdout {share} is out of range; allowed: above 0 and below 1")
    everything = [one for split in ("train", "dev") for one in found.splits.get(split, ())]
    shared = _SHARED.get(found.task)
    out: dict[str, list[Example]] = {"train": [], "dev": []}
    for one in everything:
        key = one.fields[shared] if shared else one.id
        out["dev" if draw(seed, "holdout", key) < share else "train"].append(one)
    rest = {split: one for split, one in found.splits.items() if split not in out}
    splits = {**out, **rest}
    data = {**found.data, "holdout": share, "holdout_seed": seed}
    return replace(
        found, splits=splits, labelled=found.labelled | set(out), data=data, digest=_digest(splits)
    )


def _digest(splits: Mapping[str, Sequence[Example]]) -> str:
    """Return a digest of all that is read of examples; test labels do not enter it."""
    return of_value(
        [
            [
                split,
                one.id,
                json.dumps(
                    [one.fields, one.label if split != "test" else None],
                    ensure_ascii=False,
                    sort_keys=True,
                ),
            ]
            for split, examples in splits.items()
            for one in examples
        ]
    )
