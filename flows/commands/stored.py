"""Releases in object stores, for commands that take RELEASE: a local copy; `klue fetch`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from flows.view.console import Result, print_line
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, refuse, walk
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address, address_of
from pipeline.core.user_cache import cache_folder
from pipeline.release.manifest import private_folder
from pipeline.release.stored.download import fetch, fetch_as_it_is
from pipeline.release.stored.marker import require_marker
from pipeline.release.stored.private import PrivatePlace

#: Copies that were not used for longest are removed beyond so many bytes.
MOST_BYTES: Final = 20 * 2**30


def local_release(place: Address) -> Path:
    """Return a checked copy of a release in the user's cache, brought there once.

    The copy has no private files: `klue fetch --private` brings these. Raises StoreError for no
    release, and for an object that is not what its manifest says.
    """
    marker = require_marker(ObjectStore(place.scheme), place)
    copy = _cache() / marker.manifest
    with input_errors(copy, "written"):
        fetch(place, copy / marker.name / marker.version)
        os.utime(copy)
        _trim(copy.parent, kept=copy)
    return copy / marker.name / marker.version


@contextmanager
def release_as_it_is(place: Address) -> Iterator[Path]:
    """Give a copy of what lies at an address, for as long as it is looked at."""
    with input_errors(_cache(), "written"):
        _cache().mkdir(mode=0o700, parents=True, exist_ok=True)
        making = TemporaryDirectory(prefix=".verify-", dir=_cache())
    with making as folder:
        target = Path(folder) / "release"
        fetch_as_it_is(place, target)
        yield target


def fetch_release(folder: Path, out: Path, private: Path | None = None) -> Result:
    """Copy a release out of an object store to a new folder, private files beside it if asked for.

    Raises InputError for a place that is taken, and StoreError as `fetch` does.
    """
    place = address_of(folder)
    if place is None:
        raise InputError(f"{folder}: is on a file system already; give s3://BUCKET/.../VERSION")
    taken = out.exists() or private_folder(out).exists()
    refuse(f"--out {out}", (taken, "is there; give a new folder"))
    source: PrivatePlace | None = None
    if private is not None:
        source = address_of(private) or private.absolute()
    marker = fetch(place, out, private=source)
    record = {
        "release": str(out),
        "private": str(private_folder(out)) if private is not None else None,
        "release_hash": marker.release_hash,
    }
    return record, _show_fetched


def _show_fetched(record: dict[str, Any]) -> None:
    print_line(f"release  {record['release']}")
    if record["private"] is not None:
        print_line(f"private  {record['private']}")
    print_line(f"hash     {record['release_hash']}")


def _cache() -> Path:
    try:
        return cache_folder() / "releases"
    except RuntimeError:
        raise InputError("no home folder is known for the cache; set XDG_CACHE_HOME") from None


def _trim(folder: Path, *, kept: Path) -> None:
    """Remove the copies that were not used for longest, until the others are not too large."""
    copies = sorted(folder.glob("[0-9a-f]*"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for copy in copies:
        total += sum(path.stat().st_size for path in walk(copy))
        if total > MOST_BYTES and copy != kept:
            shutil.rmtree(copy)
