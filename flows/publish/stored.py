"""The release of a build and its object store: what is there already, and the upload."""

from __future__ import annotations

from collections.abc import Callable

from flows.plan.release import ReleasePlan
from flows.plan.stored import discard, is_copy
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.release.stored.marker import published_versions, read_marker
from pipeline.release.stored.private import is_kept
from pipeline.release.stored.upload import Stored, publish


def clear_mirror(release: ReleasePlan) -> None:
    """Make room in the mirror for a release: what the store has is compared when it is published.

    What lies there is a copy, or what a build left that was killed or lost to another.
    """
    if release.stored is not None:
        discard(release.folder)


def published_names(release: ReleasePlan) -> list[str]:
    """Return the names of all versions of a release that are published now, and of other folders.

    Raises what a store raises that cannot be read.
    """
    if release.stored is None:
        return [folder.name for folder in release.folder.parent.glob("*.*.*")]
    place = release.stored.place
    return [*published_versions(ObjectStore(place.scheme), place / release.name)]


def store_release(release: ReleasePlan, check: Callable[[], None]) -> Stored | None:
    """Publish a release that lies in the mirror; returns None where there is no object store.

    Raises what `publish` raises.
    """
    if release.stored is None:
        return None
    return publish(release.folder, _place(release), release.stored.private, check=check)


def find_stored(release: ReleasePlan) -> Stored | None:
    """Return where the release in the mirror is published with its private files, if it is."""
    if release.stored is None:
        return None
    place = _place(release)
    marker = read_marker(ObjectStore(place.scheme), place)
    if marker is None or not is_copy(release.folder, marker):
        return None
    kept = is_kept(release.stored.private, marker)
    return Stored(place, marker, new=False) if kept else None


def _place(release: ReleasePlan) -> Address:
    assert release.stored is not None
    return release.stored.place / release.name / release.version
