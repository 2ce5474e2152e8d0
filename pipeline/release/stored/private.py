"""Where the private files of a release in an object store are: never in the bucket of that one.

A policy that opens a bucket opens all of it. The place is a folder, or an address of another
bucket; the private files of a release lie below it in NAME/VERSION/FILES, where FILES names the
manifest that they belong to, so that those of two publishers never meet.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import input_errors, make_private
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address, address_of
from pipeline.core.store import MANIFEST
from pipeline.release.stored.marker import Marker

#: The place below which private files lie.
PrivatePlace = Address | Path


def private_place(option: Path, releases: Address) -> PrivatePlace:
    """Return the place of an option; raises InputError for one in the bucket of the releases."""
    address = address_of(option)
    if address is None:
        return option.absolute()
    if (address.scheme, address.bucket) == (releases.scheme, releases.bucket):
        raise InputError(
            f"--private {address}: is in the bucket of --releases, and whoever may read that bucket"
            " could read the test labels; give another bucket, or a folder"
        )
    return address


def place_of(private: PrivatePlace, marker: Marker) -> PrivatePlace:
    """Return where the private files of a release lie."""
    return private / marker.name / marker.version / marker.files


def is_kept(private: PrivatePlace, marker: Marker) -> bool:
    """Return whether the private files of a release are at their place, as far as a look tells."""
    manifest = place_of(private, marker) / MANIFEST
    if isinstance(manifest, Path):
        return manifest.is_file()
    return ObjectStore(manifest.scheme).stat(manifest) is not None


def copy_private(source: Path, place: Path) -> None:
    """Copy a private folder to its place, for its owner alone; the place appears as a whole.

    Raises InputError when it cannot be written, StoreError for another folder that is there.
    """
    with input_errors(place, "written"):
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as making:
                whole = Path(making, place.name)
                shutil.copytree(source, whole)
                make_private(whole)
                whole.rename(place)
        if (place / MANIFEST).read_bytes() != (source / MANIFEST).read_bytes():
            raise StoreError(
                f"{place}: holds other private files than those of its release; move it away and"
                " run again"
            )
