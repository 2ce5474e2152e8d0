"""Shards of earlier calls, taken over where the same code would read the same.

A call of other inputs or settings often shares shards with an earlier one: the files of a source
that stayed, the units that a changed rule did not touch. Their tables are linked, not made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

from pipeline.core import store
from pipeline.core.errors import StoreError
from pipeline.core.files import replacing
from pipeline.core.fingerprint import of_file
from pipeline.core.stage import Call, stage_of


@dataclass(frozen=True)
class Finished:
    """A finished shard of an earlier call: its folder, label, counts and files, as in a marker."""

    folder: Path
    label: str
    counts: dict[str, Any]
    files: dict[str, dict[str, Any]]


def find_shards(call: Call) -> dict[str, Finished]:
    """Return the finished shards of other calls of the same stage and source, by key."""
    found: dict[str, Finished] = {}
    for folder in sorted(call.folder.parent.glob(f"{call.stage}-*")):
        if folder not in (call.folder, store.partial_of(call.folder)):
            with suppress(StoreError, OSError, LookupError, ValueError):  # no more of a damaged one
                for key, shard in _shards_of(folder, call):
                    found.setdefault(key, shard)
    return found


def _shards_of(folder: Path, call: Call) -> Iterator[tuple[str, Finished]]:
    """Yield the shards of a call, finished or not, with their keys."""
    manifest = store.read_manifest(folder, missing_ok=True)
    if manifest is not None:
        for label, shard in manifest.shards.items():
            files = {name: manifest.files[name] for name in shard["files"]}
            yield shard["key"], Finished(folder, label, shard["counts"], files)
    elif stage_of(call.module).verify is None:  # else nobody knows yet whether they are valid
        for path in sorted(folder.glob(f"*{store.DONE}")):
            marker = json.loads(path.read_text("utf-8"))
            if key := marker.get("key"):
                label = path.name.removesuffix(store.DONE)
                yield key, Finished(folder, label, marker["counts"], marker["files"])


def take_over(shard: Finished, folder: Path, label: str) -> dict[str, dict[str, Any]] | None:
    """Link the tables of a shard into the folder of another call, under another label.

    Returns its files, or None if one is not what it was: then the shard must be made again.
    """
    files: dict[str, dict[str, Any]] = {}
    for name, entry in shard.files.items():
        source = shard.folder / name
        target = folder / f"{name.removesuffix(f'-{shard.label}.parquet')}-{label}.parquet"
        try:
            if of_file(source) != entry["sha256"]:
                return None
        except OSError:
            return None
        _link(source, target)
        files[target.name] = entry
    return files


def _link(source: Path, target: Path) -> None:
    """Give a file a second name; where the file system has no links, copy it."""
    with replacing(target) as temporary:
        temporary.unlink(missing_ok=True)
        try:
            os.link(source, temporary)
        except OSError:
            copyfile(source, temporary)
