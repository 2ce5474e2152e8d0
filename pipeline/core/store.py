"""The content-addressed store: stage outputs named by fingerprint, written atomically.

    WORK/store/SOURCE/STAGE-FINGERPRINT/           manifest.json, TABLE-LABEL.parquet ...
    WORK/store/SOURCE/STAGE-FINGERPRINT.partial/   the same while it is made, with LABEL.done.json

A shard is done when its ``done`` file exists; a stage is done when its folder has its final name.
Both appear by rename, so that killing the process at any moment leaves only whole shards. The work
directory holds labels of test and names of annotators: its owner alone can read it.
"""

from __future__ import annotations

import fcntl
import json
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.core import schemas
from pipeline.core.errors import InputError, SchemaError, StoreError
from pipeline.core.files import make_private, replacing
from pipeline.core.fingerprint import of_file, of_value
from pipeline.core.ledger import Counts
from pipeline.core.wording import verb

MANIFEST = "manifest.json"
#: Bytes of a stored table that are read at once.
_PART: Final = 1 << 22
DONE = ".done.json"


@dataclass(frozen=True)
class Manifest:
    """The record of a finished stage; nothing in it depends on time, host, workers or history.

    `shards` are those that a later call may take over, by label: key, counts and names of files.
    """

    stage: str
    source: str
    fingerprint: str
    inputs: list[str]
    params: dict[str, Any]
    code: dict[str, str]
    versions: dict[str, str]
    counts: Counts
    files: dict[str, dict[str, Any]]
    shards: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """Return the digest of all files' names and contents."""
        return of_value(self.files)


def read_manifest(folder: Path, *, missing_ok: bool = False) -> Manifest | None:
    """Return the manifest of a finished stage, or None when there is no such folder.

    With `missing_ok` a folder without a manifest is none either. Raises StoreError when the
    manifest cannot be read.
    """
    path = folder / MANIFEST
    if not folder.is_dir() or (missing_ok and not path.exists()):
        return None
    try:
        data = json.loads(path.read_text("utf-8"))
        manifest = Manifest(**{**data, "counts": Counts(**data["counts"])})
        damaged = [
            name
            for name, entry in manifest.files.items()
            if not has_full_length(folder / name, entry)
        ]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(
            f"{path}: unreadable ({type(error).__name__}); remove the folder {folder} and run again"
        ) from None
    if damaged:
        names = f"{', '.join(damaged[:3])} {verb(len(damaged), 'is', 'are')}"
        raise StoreError(f"{folder}: {names} missing or cut off; remove the folder and run again")
    return manifest


def has_full_length(path: Path, entry: dict[str, Any]) -> bool:
    """Return whether a table has its full length; `klue verify` checks its digest."""
    return path.is_file() and path.stat().st_size == entry["bytes"]


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the files of a finished stage, by name."""
    manifest = read_manifest(folder, missing_ok=True)
    return {n: entry["sha256"] for n, entry in manifest.files.items()} if manifest else {}


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a stage into its folder."""
    write_json(folder / MANIFEST, asdict(manifest))


def publish(folder: Path) -> None:
    """Remove the markers from a partial folder with a manifest, and give it its final name.

    Its files are readable by their owner alone.
    """
    partial = partial_of(folder)
    make_private(partial)
    for path in partial.glob("*.json"):
        if path.name != MANIFEST:
            path.unlink()
    partial.rename(folder)


def partial_of(folder: Path) -> Path:
    """Return the folder of a stage that is not finished."""
    return folder.with_name(folder.name + ".partial")


def write_table(folder: Path, name: str, label: str, table: pa.Table) -> dict[str, dict[str, Any]]:
    """Check a table and write it as one Parquet file; returns its name, size, rows and digest."""
    path = folder / f"{name}-{label}.parquet"
    write_parquet(path, schemas.check(table, name))
    return {
        path.name: {
            "bytes": path.stat().st_size,
            "rows": table.num_rows,
            "sha256": of_file(path),
        }
    }


def write_parquet(path: Path, table: pa.Table) -> None:
    """Write a Parquet file atomically and with the same bytes every time.

    Ids and texts hardly repeat, and zstd shortens what does: dictionaries would cost time and room.
    """
    with replacing(path) as temporary:
        pq.write_table(
            table, temporary, compression="zstd", row_group_size=65536, use_dictionary=False
        )


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically, with sorted keys."""
    write_text(path, json_text(value))


def json_text(value: object) -> str:
    """Return the text of a JSON file."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8."""
    with replacing(path) as temporary:
        temporary.write_text(text, "utf-8")


def read_table(path: Path, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read one stored table, or some columns of it, and check it against its schema."""
    with _reading(path) as file:
        table = _read_in_parts(file, None if columns is None else list(columns))
        return schemas.check(table, name, columns)


def read_batches(
    path: Path, name: str, columns: Sequence[str], rows: int
) -> Iterator[pa.RecordBatch]:
    """Read some columns of one stored table, so many rows at a time, and check them."""
    with _reading(path) as file:
        for batch in file.iter_batches(rows, columns=list(columns), use_threads=False):
            yield from schemas.check(pa.Table.from_batches([batch]), name, columns).to_batches()


def metadata(path: Path) -> pq.FileMetaData:
    """Return what the file of a stored table says of its rows and columns."""
    with _reading(path) as file:
        return file.metadata


@contextmanager
def _reading(path: Path) -> Iterator[pq.ParquetFile]:
    """Open the file of a stored table; raises StoreError for one that is damaged."""
    try:
        # Straight from the file: what finds data sets of many files takes as long as the reading.
        with pq.ParquetFile(path, pre_buffer=True) as file:
            yield file
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise StoreError(
            f"{path}: damaged ({type(error).__name__}); remove its folder and run again"
        ) from None


def _read_in_parts(file: pq.ParquetFile, columns: list[str] | None) -> pa.Table:
    """Return a table, read in parts of about `_PART` bytes: growing to its size would copy it."""
    meta = file.metadata
    size = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    if size <= _PART:
        return file.read(columns, use_threads=False)
    rows = max(meta.num_rows * _PART // size, 1)
    return pa.Table.from_batches(file.iter_batches(rows, columns=columns, use_threads=False))


def tables(folder: Path, name: str) -> list[Path]:
    """Return the files of one table of a stage, in shard order."""
    return sorted(folder.glob(f"{name}-*.parquet"))


def read_all(folder: Path, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read all shards of one table of a stage, or some columns; for reports and small tables."""
    parts = [read_table(path, name, columns) for path in tables(folder, name)]
    if parts:
        return pa.concat_tables(parts)
    return schemas.empty(name) if columns is None else schemas.empty(name).select(list(columns))


@contextmanager
def lock(work: Path) -> Iterator[None]:
    """Hold the work directory for one run, and let its owner alone read it.

    What an earlier run left readable for others is closed. Raises InputError for a file, and for
    what this user may not write; StoreError when the system fails, or another run holds it.
    """
    try:
        work.mkdir(mode=0o700, parents=True, exist_ok=True)
        if stat.S_IMODE(work.stat().st_mode) != 0o700:
            make_private(work)
        stream = (work / "lock").open("w")
    except OSError as error:
        is_place = isinstance(error, PermissionError | FileExistsError | NotADirectoryError)
        raise (InputError if is_place else StoreError)(
            f"{work}: cannot be used as work directory: {error.strerror}; give another --work"
        ) from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                f"{work}: another run is using this work directory; wait for it, or give another"
                " --work"
            ) from None
        try:
            yield
        finally:  # stages close their folders when they are done
            for place in work.iterdir():
                if place.name != "store":
                    make_private(place)
