"""A release on disk, and what a comparison sees of it or of one that is being made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.registry import task_of
from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.core.errors import StoreError
from pipeline.core.files import reason_of
from pipeline.core.fingerprint import of_file
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.jsontext import canonical
from pipeline.release import tables
from pipeline.release.manifest import (
    Files,
    Manifest,
    PrivateManifest,
    build_manifest,
    private_folder,
    read_manifest,
    read_private_manifest,
)
from pipeline.release.material import Material
from pipeline.release.soft_labels import SOFT_LABEL
from pipeline.release.tables import COLUMNS, Row, blank

_TEST: Split = "test"


def released_splits(folder: Path) -> dict[str, dict[str, Split]]:
    """Return the split of every example of a release: by task id, then by guid, in order.

    What a later version keeps to. Raises StoreError for a folder that is no sound release.
    """
    return {
        entry.task: {
            guid: split
            for split in SPLITS
            for guid in read_split(folder, entry.task, split, columns=["guid"])["guid"].to_pylist()
        }
        for entry in read_manifest(folder).tasks.values()
    }


def read_split(
    folder: Path,
    task: str,
    split: Split,
    *,
    columns: Sequence[str] | None = None,
    labels: bool = False,
) -> pa.Table:
    """Return the rows of a split of a task (by its id or config), or some of their columns.

    With `labels` the test split comes from the private folder. Raises StoreError when the file is
    not there, is damaged, or has other columns than this version writes.
    """
    entry = task_of(task)
    private = labels and split == _TEST
    place = private_folder(folder) if private else folder
    path = f"labels/{entry.config}.parquet" if private else f"{entry.config}/{FILES[split]}.parquet"
    return read_parquet(place / path, COLUMNS[entry.id].accepts, columns)


def read_parquet(
    path: Path, accepts: Callable[[pa.Schema], bool], columns: Sequence[str] | None = None
) -> pa.Table:
    """Read a Parquet file of a release whose schema is accepted; raises StoreError."""
    if not path.is_file():
        raise StoreError(f"{path}: is not there; give the folder of a whole release")
    try:
        with BoundedFile(path) as file:
            if not accepts(file.schema):
                raise StoreError(f"{path}: has other columns than a release; klue verify says more")
            return file.read(columns)
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            f"{path}: damaged ({reason_of(error)}); fetch or build the release again"
        ) from None


_READ: Final = 1_024


@dataclass(frozen=True)
class Known:
    """Digests of an example: its text, its label (None: withheld) and what else betrays that.

    `soft_label` is None where the release does not have it.
    """

    split: Split
    text: bytes
    label: bytes | None
    rest: bytes
    soft_label: bytes | None = None


@dataclass(frozen=True)
class Published:
    """A release folder; its private folder is None where it is absent or may not be read."""

    folder: Path
    manifest: Manifest
    private: PrivateManifest | None

    @classmethod
    def at(cls, folder: Path) -> Published:
        """Open a release; raises StoreError for a folder without a sound manifest."""
        manifest = read_manifest(folder)
        try:
            private = read_private_manifest(private_folder(folder))
        except (OSError, StoreError):
            private = None
        return cls(folder, manifest, private)

    def digest(self, config: str, split: Split, *, hidden: bool) -> str | None:
        """Return the digests of a split, and of its private labels, as one; '' for no file.

        Raises StoreError for a file that is not the one that was released.
        """
        digest = _digest_of(self.folder, _public(config, split), self.manifest.files)
        if hidden and split == _TEST and self.private:
            private = private_folder(self.folder)
            digest += _digest_of(private, _labels(config), self.private.files)
        return digest

    def rows(self, config: str, split: Split, *, hidden: bool) -> Iterator[tuple[str, Known]]:
        """Yield the examples of a split; raises StoreError for a missing or damaged table."""
        if _public(config, split) not in self.manifest.files:
            return
        path = self.folder / _public(config, split)
        if hidden and split == _TEST:
            path = private_folder(self.folder) / _labels(config)
        table = read_parquet(path, COLUMNS[task_of(config).id].accepts)
        yield from _iter_known(table, config, split)


@dataclass(frozen=True)
class Planned:
    """A release in the making: no file of it has been written."""

    material: Material

    @cached_property
    def manifest(self) -> Manifest:
        """Return what its manifest will say, without files."""
        return build_manifest(self.material, {}, {})

    def digest(self, config: str, split: Split, *, hidden: bool) -> str | None:  # noqa: ARG002
        """Return None: nothing is written yet."""
        return None

    def rows(self, config: str, split: Split, *, hidden: bool) -> Iterator[tuple[str, Known]]:
        """Yield the examples of a split."""
        labels = hidden or split != _TEST
        if config in self.material.tasks:
            part = self.material.tasks[config]
            examples = part.examples.filter(pc.equal(part.examples["split"], split))
            yield from _iter_known(
                tables.rows(examples, part.task.id, labels=labels), config, split
            )


#: A release as a comparison sees it.
ReleaseView = Published | Planned


def _iter_known(table: pa.Table, config: str, split: Split) -> Iterator[tuple[str, Known]]:
    columns = COLUMNS[task_of(config).id]
    known = {*columns.answer, SOFT_LABEL}
    others = [path for path in columns.hidden_in_test if path not in known]
    batches = table.to_batches(max_chunksize=_READ)
    for row in (row for batch in batches for row in batch.to_pylist()):
        label = [_at(row, path) for path in columns.answer]
        yield (
            row["guid"],
            Known(
                split,
                text=_digest(blank(row, columns.hidden_in_test)),
                label=_digest(label) if any(map(_has_value, label)) else None,
                rest=_digest([_at(row, path) for path in others]),
                soft_label=_digest(soft) if (soft := row.get(SOFT_LABEL)) is not None else None,
            ),
        )


def _at(row: Row, path: str) -> Any:
    """Return the value at a path of columns; a dot leads into a list of objects."""
    name, _, rest = path.partition(".")
    return [_at(element, rest) for element in row[name] or ()] if rest else row[name]


def _has_value(value: Any) -> bool:
    """Return whether there is a value: one that is not null, in a list not only nulls."""
    if isinstance(value, list) and value:
        return any(element is not None for element in value)
    return value is not None and value != []


def _digest(value: Any) -> bytes:
    return blake2b(canonical(value).encode(), digest_size=12).digest()


def _digest_of(folder: Path, path: str, files: Files) -> str:
    if path not in files:
        return ""
    place = folder / path
    if not place.is_file() or of_file(place) != files[path].sha256:
        raise StoreError(
            f"{place}: is gone, or was changed since the release was written; `klue verify` says"
            " what else is wrong; fetch or build the release again"
        )
    return files[path].sha256


def _public(config: str, split: Split) -> str:
    return f"{config}/{FILES[split]}.parquet"


def _labels(config: str) -> str:
    return f"labels/{config}.parquet"
