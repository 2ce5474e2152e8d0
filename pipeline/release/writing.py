"""Writes a release: the public folder NAME/VERSION and the private one NAME/VERSION.private.

Releases are published atomically: both folders are made under temporary names beside their final
ones, checked there, and renamed, the private one first. A version that exists is never changed: the
same content leaves it as it is, other content is an error.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core import schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file
from pipeline.core.memory import give_back
from pipeline.release import tables
from pipeline.release.croissant import croissant
from pipeline.release.folder import ROWS, FolderWriter
from pipeline.release.manifest import (
    FORMAT,
    Manifest,
    PrivateManifest,
    build_manifest,
    private_folder,
    read_manifest,
    read_private_manifest,
    write_manifest,
)
from pipeline.release.material import Material, TaskMaterial
from pipeline.release.privacy import PRIVATE_LEDGERS, Judgements, open_constraints, public_names

#: Looks at the public and the private folder before they get their names; raises to stop that.
Checked = Callable[[Path, Path], None]
Manifests = tuple[Manifest, PrivateManifest]
#: Writes the public and the private folder.
Make = Callable[[Path, Path], Manifests]


@dataclass(frozen=True)
class Written:
    """A release that exists now; `new` says that it did not exist before."""

    release_hash: str
    folder: Path
    new: bool


def write(material: Material, folder: Path, *, check: Checked | None = None) -> Written:
    """Write a release to `folder` (RELEASES/NAME/VERSION) and its private files beside it.

    croissant.json and the manifests are made of all that is written before them. `check` is given
    both folders, whole but without their names. Raises what it raises, InputError as `licence_of`
    does, and StoreError when the folder holds the version with other content, cannot be written, or
    another run writes beside it; whatever was there is then as it was.
    """
    return publish(folder, partial(_make, material), check=check)


def publish(folder: Path, make: Make, *, check: Checked | None = None) -> Written:
    """Give a release its place: `make` writes both folders under other names; see `write`."""
    places = _Places.of(folder)
    try:
        places.final.parent.mkdir(parents=True, exist_ok=True)
        with _alone(places.final.parent):
            left = places.clean()
            try:
                manifest, private = make(places.making, places.making_private)
                if check is not None:
                    check(places.making, places.making_private)
                new = _publish(manifest, private, places, left)
            finally:
                places.clean()
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise StoreError(
            f"{folder}: cannot be written: {error.strerror or type(error).__name__}; what was there"
            f" is untouched; {'make room' if full else 'give another --releases'} and run again"
        ) from None
    return Written(manifest.release_hash, places.final, new)


@dataclass(frozen=True)
class _Places:
    final: Path
    private: Path
    making: Path
    making_private: Path

    @classmethod
    def of(cls, folder: Path) -> _Places:
        final, private = folder.resolve(), private_folder(folder)
        temporary = (path.with_name(f".{path.name}.partial") for path in (final, private))
        return cls(final, private, *temporary)

    def clean(self) -> str | None:
        manifest = self.making / store.MANIFEST
        left = of_file(manifest) if manifest.is_file() else None
        for place in (self.making, self.making_private):
            if place.exists():
                shutil.rmtree(place)
        return left


def _make(material: Material, making: Path, private_making: Path) -> Manifests:
    names = public_names(material)
    give_back()
    public, private = FolderWriter(making), FolderWriter(private_making, mode=0o700)
    for config in material.tasks:
        _task(material.tasks[config], names, public, private)
        give_back()
    for stage, paths in sorted(material.corpus.items()):
        public.stream(f"ledger/corpus/{stage}.parquet", _ledgers(paths), schemas.LEDGER)
    for path, text in sorted(material.texts.items()):
        public.text(path, text)
    for path, table in sorted(material.tables.items()):
        public.table(path, table)
    card = croissant(material.facts, public.files)
    public.text("croissant.json", json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return seal(public, private, build_manifest(material, public.files, private.files))


def seal(public: FolderWriter, private: FolderWriter, manifest: Manifest) -> Manifests:
    """Write both manifests, the last files, and close the private folder to all but its owner."""
    write_manifest(public.root, manifest)
    private_manifest = PrivateManifest(
        format=FORMAT,
        name=manifest.name,
        version=manifest.version,
        files=private.files,
        manifest=of_file(public.root / store.MANIFEST),
    )
    write_manifest(private.root, private_manifest)
    for place in private.root.rglob("*"):
        place.chmod(0o700 if place.is_dir() else 0o600)
    return manifest, private_manifest


def _task(
    task: TaskMaterial, names: Mapping[str, str], public: FolderWriter, private: FolderWriter
) -> None:
    config, key = task.task.config, task.task.id
    for split in SPLITS:
        is_own = pc.equal(task.examples["split"], split)
        rows = tables.rows(task.examples.filter(is_own), key, labels=split != "test")
        public.table(f"{config}/{FILES[split]}.parquet", rows)
        if split == "test":
            rows = tables.rows(task.examples.filter(is_own), key, labels=True)
            private.table(f"labels/{config}.parquet", rows)
    judgements = Judgements(task, names)
    public.table(f"votes/{config}.parquet", sort_rows(judgements.votes()))
    private.table(f"votes/{config}.parquet", sort_rows(task.votes))
    private.table(f"gold/{config}.parquet", sort_rows(task.gold))
    for stage, table in sorted(task.ledgers.items()):
        rows, closed = judgements.ledger(stage, table)
        if stage not in PRIVATE_LEDGERS:
            public.table(f"ledger/{config}/{stage}.parquet", sort_rows(rows))
        private.table(f"ledger/{config}/{stage}.parquet", sort_rows(closed))
    constraints = f"ledger/{config}/constraints.parquet"
    public.table(constraints, open_constraints(task.constraints, task.examples))
    private.table(constraints, task.constraints)
    public.table(f"ledger/{config}/leaks.parquet", sort_rows(task.leaks))


def sort_rows(table: pa.Table) -> pa.Table:
    """Return a table with its rows in the order of all its columns."""
    return table.sort_by([(name, "ascending") for name in table.column_names])


def _ledgers(paths: Sequence[Path]) -> Iterator[pa.Table]:
    for path in sorted(paths, key=lambda path: (path.parent.parent.name, path.name)):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=ROWS):
                yield schemas.check(pa.Table.from_batches([batch]), "ledger")


def _publish(
    manifest: Manifest, private: PrivateManifest, places: _Places, left: str | None
) -> bool:
    """Give both folders their names; tells whether they are new (`left` is what `clean` found)."""
    if places.final.exists():
        earlier = read_manifest(places.final).release_hash
        if earlier != manifest.release_hash:
            raise StoreError(
                f"{places.final}: version {manifest.version} is there with other content (release"
                f" hash {earlier[:12]}, this build makes {manifest.release_hash[:12]}) and is never"
                " overwritten; raise `release.version` in the build file"
            )
        return False
    stood = _stands(private, places.private, left)
    try:
        if not stood:
            places.making_private.rename(places.private)
        places.making.rename(places.final)
    except BaseException:
        if not (stood or places.final.exists() or places.making_private.exists()):
            places.private.rename(places.making_private)
        raise
    return True


def _stands(private: PrivateManifest, folder: Path, left: str | None) -> bool:
    """Tell whether these private files have their name; those that a killed run left go.

    Raises StoreError for other private files without a release.
    """
    if not folder.exists():
        return False
    try:
        published = read_private_manifest(folder)
    except StoreError:
        published = None
    if published == private:
        return True
    if published is None or published.manifest != left:
        raise StoreError(
            f"{folder}: private files of a release that is not there; move the folder away, or"
            " bring its release back, and run again"
        )
    shutil.rmtree(folder)
    return False


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with ExitStack() as stack:
        handle = os.open(folder, os.O_RDONLY)
        stack.callback(os.close, handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{folder}: another run writes a release there; wait for it") from None
        yield
