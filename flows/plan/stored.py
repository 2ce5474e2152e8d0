"""Releases of a build in an object store: what earlier versions it has, and a mirror of them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flows.plan.raw_files import OBJECTS
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_file, of_value
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address, address_of
from pipeline.core.store import MANIFEST
from pipeline.release.manifest import private_folder
from pipeline.release.stored.download import fetch
from pipeline.release.stored.marker import Marker, published_versions
from pipeline.release.stored.private import PrivatePlace, private_place

#: Where the private files of releases in an object store lie, unless --private says another place.
PRIVATE: Final = Path("data/private")


@dataclass(frozen=True)
class StoredReleases:
    """The releases at `place`, private files at `private`, and the folder of their mirror.

    The mirror is RELEASES of a build in all but name: it is on this machine's file system, and can
    be made again.
    """

    place: Address
    private: PrivatePlace
    mirror: Path

    def pull(self, name: str, version: str) -> None:
        """Make the mirror hold the published versions of a release, but for `version`.

        Raises StoreError and RetryError as `fetch` does.
        """
        published = published_versions(ObjectStore(self.place.scheme), self.place / name)
        published.pop(version, None)
        folder = self.mirror / name
        for path in [path for path in folder.glob("*.*.*") if path.suffix != ".private"]:
            if path.name != version and not is_copy(path, published.get(path.name)):
                discard(path)
        for other in published:
            fetch(self.place / name / other, folder / other)


def stored_releases(releases: Path, private: Path | None, work: Path) -> StoredReleases | None:
    """Return the releases of the options of a build, None for a folder of them.

    Raises InputError for options that do not go together.
    """
    place = address_of(releases)
    refuse(
        f"--private {private}",
        (
            place is None and private is not None,
            "is for --releases in an object store; on a file system private files lie beside the"
            " public ones",
        ),
    )
    if place is None:
        return None
    mirror = work / OBJECTS / "releases" / of_value(str(place))[:16]
    return StoredReleases(place, private_place(private or PRIVATE, place), mirror)


def is_copy(folder: Path, marker: Marker | None) -> bool:
    """Return whether a folder of the mirror is the release of a marker."""
    manifest = folder / MANIFEST
    return marker is not None and manifest.is_file() and of_file(manifest) == marker.manifest


def discard(folder: Path) -> None:
    """Remove a release from the mirror; it is another one than the store has, or none there."""
    for place in (folder, private_folder(folder)):
        if place.exists():
            shutil.rmtree(place)
