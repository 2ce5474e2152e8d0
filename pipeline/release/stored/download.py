"""Brings a release out of an object store to a folder, checked against its manifest."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import input_errors, leads_out, make_private
from pipeline.core.fingerprint import of_file
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.core.store import MANIFEST
from pipeline.release.contained import MOST_BYTES
from pipeline.release.manifest import (
    Files,
    Manifest,
    PrivateManifest,
    private_folder,
    read_as,
    read_private_manifest,
)
from pipeline.release.stored.marker import Marker, require_marker
from pipeline.release.stored.private import PrivatePlace, copy_private, place_of

M = TypeVar("M", Manifest, PrivateManifest)


def fetch(place: Address, target: Path, *, private: PrivatePlace | None = None) -> Marker:
    """Bring the release at `place` to the folder `target`, which appears as a whole.

    With `private` its private files come beside it. A folder that is there is kept. Raises
    StoreError for no release, and for an object that is not what the manifest says.
    """
    store = ObjectStore(place.scheme)
    marker = require_marker(store, place)
    with input_errors(target, "written"):
        target.parent.mkdir(parents=True, exist_ok=True)
        if private is not None and not private_folder(target).exists():
            _fetch_private(place_of(private, marker), private_folder(target), marker)
        if not target.exists():
            with TemporaryDirectory(prefix=".fetch-", dir=target.parent) as making:
                whole = Path(making, target.name)
                _bring_public(store, place / marker.files, whole, marker)
                with suppress(FileExistsError):  # another run brought it
                    whole.rename(target)
    return marker


def fetch_as_it_is(place: Address, target: Path) -> Marker:
    """Bring what is at `place` to a new folder for `klue verify`, whatever was done to it.

    A missing object is left out. One of another size than listed, or that is not listed, becomes a
    hole of its size: its content does not matter. Raises StoreError where there is no release, and
    for a manifest that is not the one that was published.
    """
    store = ObjectStore(place.scheme)
    marker = require_marker(store, place)
    source = place / marker.files
    manifest = _bring_manifest(store, source, target, marker.manifest, Manifest)
    for path, found in store.find(source).items():
        if path == MANIFEST or leads_out(path):
            continue
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        entry = manifest.files.get(path)
        if entry is not None and entry.bytes == found.size:
            store.download(source / path, target / path)
        else:
            with (target / path).open("wb") as hole:
                hole.truncate(found.size)
    return marker


def _bring_public(store: ObjectStore, source: Address, folder: Path, marker: Marker) -> None:
    manifest = _bring_manifest(store, source, folder, marker.manifest, Manifest)
    _bring_files(store, source, folder, manifest.files)


def _fetch_private(source: PrivatePlace, target: Path, marker: Marker) -> None:
    if isinstance(source, Path):
        if not (source / MANIFEST).is_file():
            raise StoreError(f"{source}: the private files of the release are not there")
        _require_belongs(read_private_manifest(source), marker, source)
        copy_private(source, target)
        return
    store = ObjectStore(source.scheme)
    with TemporaryDirectory(prefix=".fetch-", dir=target.parent) as making:
        whole = Path(making, target.name)
        manifest = _bring_manifest(store, source, whole, None, PrivateManifest)
        _require_belongs(manifest, marker, source)
        _bring_files(store, source, whole, manifest.files)
        make_private(whole)
        whole.rename(target)


def _require_belongs(manifest: PrivateManifest, marker: Marker, source: PrivatePlace) -> None:
    if manifest.manifest != marker.manifest:
        raise StoreError(f"{source}: holds the private files of another release")


def _bring_manifest(
    store: ObjectStore, source: Address, folder: Path, digest: str | None, model: type[M]
) -> M:
    """Write the manifest of a new folder and return it; raises StoreError for another one."""
    content = store.read(source / MANIFEST, most=MOST_BYTES)
    if content is None or (digest is not None and sha256(content).hexdigest() != digest):
        state = "is not there" if content is None else "is not the one that was published"
        raise StoreError(f"{source / MANIFEST}: {state}; ask who published the release")
    folder.mkdir(mode=0o700, parents=True)
    (folder / MANIFEST).write_bytes(content)
    try:
        return read_as(folder, model)
    except (InputError, StoreError) as error:
        raise type(error)(str(error).replace(str(folder), str(source))) from None


def _bring_files(store: ObjectStore, source: Address, folder: Path, files: Files) -> None:
    there = store.find(source)
    for path, entry in files.items():
        _require(not leads_out(path), source, path, "leads out of the release")
        _require(path in there, source, path, "is not there")
        _require(there[path].size == entry.bytes, source, path, "has another size than listed")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        store.download(source / path, folder / path)
        same = of_file(folder / path) == entry.sha256
        _require(same, source, path, "has other content than listed")


def _require(holds: bool, source: Address, path: str, fault: str) -> None:
    if not holds:
        raise StoreError(
            f"{source}: {path!r} {fault}; `klue verify` says what else is wrong; ask who published"
            " the release"
        )
