"""The release that is checked, and what a check says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pyarrow as pa

from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.core.errors import StoreError
from pipeline.core.files import reason_of
from pipeline.core.io.parquet import BoundedFile
from pipeline.release.contained import released_file
from pipeline.release.manifest import Manifest
from pipeline.release.privacy import OPEN, origin_of
from pipeline.release.tables import COLUMNS

#: The stage, and the ledger, of patches that were applied to a release.
ERRATA: Final = "errata"


@dataclass(frozen=True)
class Check:
    """A check by name, whether it holds, and what was found."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class Subject:
    """A release with a readable manifest; `private` is None where the private folder is not."""

    folder: Path
    manifest: Manifest
    private: Path | None

    def table(
        self, path: str, columns: Sequence[str] | None = None, *, private: bool = False
    ) -> pa.Table:
        """Return a table, or some columns of it.

        Raises StoreError when the file is not there, is no Parquet, or lacks a column.
        """
        root = self.private if private else self.folder
        if root is None:
            raise StoreError(f"{path} is not there")
        place = released_file(root, path, {} if private else self.manifest.files)
        try:
            with BoundedFile(place) as file:
                lacking = sorted(set(columns or ()) - set(file.schema.names))
                if lacking:
                    raise StoreError(f"{path} lacks the column {lacking[0]!r}")
                return file.read(columns)
        except (OSError, pa.ArrowException) as error:
            raise StoreError(f"{path} cannot be read ({reason_of(error)})") from None

    def file(self, path: str) -> Path:
        """Return a public file; raises StoreError for one that is not as it is listed."""
        return released_file(self.folder, path, self.manifest.files)

    def split(self, config: str, split: Split, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a public split, or some columns of it; raises StoreError."""
        return self.table(f"{config}/{FILES[split]}.parquet", columns)

    def labelled_tables(self, config: str) -> Iterator[tuple[str, pa.Table]]:
        """Yield every table of a config that has labels, with its path: all but the public test.

        Raises StoreError for one that cannot be read, or has other columns.
        """
        columns = COLUMNS[self.manifest.tasks[config].task]
        places = [(f"{config}/{FILES[split]}.parquet", False) for split in OPEN]
        if self.private is not None:
            places.append((f"labels/{config}.parquet", True))
        for path, private in places:
            table = self.table(path, private=private)
            if not columns.accepts(table.schema):
                raise StoreError(f"{path} has other columns than its config")
            yield path, table

    @cached_property
    def guids(self) -> dict[str, dict[Split, list[str]]]:
        """Return the guids of every config and split, as they stand in the files."""
        return {
            config: {
                split: self.split(config, split, ["guid"])["guid"].to_pylist() for split in SPLITS
            }
            for config in self.manifest.tasks
        }

    def open_items(self, config: str) -> frozenset[str]:
        """Return the ids about which judgements may be public.

        They are the train and dev examples, and what only such were made from, as far as the items
        without a split are known (to the private gold).
        """
        guids = self.guids[config]
        is_open = {guid for split in OPEN for guid in guids[split]}
        items = set(guids["test"])
        if self.private is not None:
            items.update(
                self.table(f"gold/{config}.parquet", ["item"], private=True)["item"].to_pylist()
            )
        closed = {origin_of(item) for item in items - is_open}
        return frozenset(is_open | ({origin_of(guid) for guid in is_open} - closed - {""}))
