"""Publishes the folder of a release in an object store: private files, public files, the marker."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError, StoreError
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.core.store import MANIFEST
from pipeline.release.manifest import Files, private_folder, read_manifest, read_private_manifest
from pipeline.release.stored.marker import MARKER, Marker, mark, read_marker, require_marker
from pipeline.release.stored.private import PrivatePlace, copy_private, place_of

#: The folder of the files of a publisher, whether it won, lost or was killed.
_FILES: Final = re.compile(r"[0-9a-f]{16}/.")


@dataclass(frozen=True)
class Stored:
    """A release that exists in a store now; `new` says that it did not exist before."""

    place: Address
    marker: Marker
    new: bool

    @property
    def files(self) -> Address:
        """Return where its public files lie."""
        return self.place / self.marker.files


def publish(
    folder: Path,
    place: Address,
    private: PrivatePlace,
    *,
    check: Callable[[], None] = lambda: None,
) -> Stored:
    """Publish a release folder at `place` (.../NAME/VERSION), and keep its private files.

    These are kept first, below `private`; `check` may raise last, before the marker of a new
    version is written. A run that was killed is gone on with. Raises StoreError
    when `place` holds the version with other content, also when another publisher was faster, and
    for a store that overwrites what is there; what was published is then as it was.
    """
    store = ObjectStore(place.scheme)
    manifest, content = read_manifest(folder), (folder / MANIFEST).read_bytes()
    about = {"name": manifest.name, "version": manifest.version}
    marker = mark(content, release_hash=manifest.release_hash, **about)
    before = read_marker(store, place)
    if before is None or before == marker:
        _keep_private(folder, marker, private)
    new = False
    if before is None:
        try:
            put_files(store, folder, manifest.files, place / marker.files)
            _require_conditions(store, place / marker.files / MANIFEST, content)
        except StoreError:
            if read_marker(store, place) is None:
                raise  # else a faster publisher has taken these files away
        check()
        new = store.create(place / MARKER, marker.content())
        before = marker if new else require_marker(store, place)
    _remove_others(store, place, before)
    _require_equal(before, marker, place)
    return Stored(place, before, new)


def put_files(store: ObjectStore, folder: Path, files: Files, place: Address) -> None:
    """Write the files of a folder, and its manifest last; what is there already is compared.

    Raises StoreError for an object of other content.
    """
    there = store.find(place)
    for path, entry in sorted(files.items()):
        if path in there or not store.create(place / path, folder / path):
            _require_same(store, place / path, entry.sha256)
    manifest = (folder / MANIFEST).read_bytes()
    if not store.create(place / MANIFEST, manifest):
        _require_same(store, place / MANIFEST, sha256(manifest).hexdigest())


def _require_same(store: ObjectStore, address: Address, digest: str) -> None:
    if store.digest(address) != digest:
        raise StoreError(
            f"{address}: is there with other content than its release has, and nothing is"
            " overwritten; remove this object and run again"
        )


def _require_conditions(store: ObjectStore, address: Address, content: bytes) -> None:
    """Raise StoreError for a store that writes an object, of the same bytes, where there is one."""
    if store.create(address, content):
        raise StoreError(
            f"{address}: this store overwrites objects although it was asked not to"
            " (If-None-Match), so that two publishers could undo each other; take another store"
        )


def _remove_others(store: ObjectStore, place: Address, winner: Marker) -> None:
    """Remove the files of publishers that lost or were killed: no marker will ever name them."""
    keys = [key for key in store.find(place) if _FILES.match(key)]
    others = [place / key for key in keys if not key.startswith(f"{winner.files}/")]
    with suppress(InputError):  # who may not remove objects leaves them; nobody reads them
        store.remove(others)


def _require_equal(before: Marker, marker: Marker, place: Address) -> None:
    if before.release_hash != marker.release_hash:
        raise StoreError(
            f"{place}: version {marker.version} is published with other content (release hash"
            f" {before.release_hash[:12]}, this build makes {marker.release_hash[:12]}) and is"
            " never overwritten; raise `release.version` in the build file"
        )


def _keep_private(folder: Path, marker: Marker, private: PrivatePlace) -> None:
    source = private_folder(folder)
    place = place_of(private, marker)
    if isinstance(place, Address):
        files = read_private_manifest(source).files
        put_files(ObjectStore(place.scheme), source, files, place)
    else:
        copy_private(source, place)
