"""Publishing beside other builds: a version follows all that were there when it gets its name."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import moto_store
import pytest

from flows.plan.release import ReleasePlan
from flows.plan.stored import StoredReleases
from flows.publish.publish import require_same_versions
from pipeline.core.errors import StoreError
from pipeline.core.objects.access import ObjectStore
from pipeline.release.stored.marker import MARKER, mark

VERSIONS = ("1.0.0", "1.1.0", "2.0.0")


def _plan(place: Path, *earlier: str, stored: StoredReleases | None = None) -> ReleasePlan:
    versions = [place / name for name in earlier]
    nothing = ([], versions, (), frozenset[str](), b"")
    return ReleasePlan("mini", "1.2.0", place / "1.2.0", *nothing, stored)


@pytest.mark.parametrize("is_stored", [False, True], ids=["folder", "store"])
def test_a_version_that_another_build_published_meanwhile_is_told(
    tmp_path: Path, is_stored: bool
) -> None:
    folder, stored, place = tmp_path / "mini", None, str(tmp_path / "mini")
    if is_stored:
        bucket = moto_store.memory_bucket()
        stored, place = StoredReleases(bucket, tmp_path / "labels", tmp_path), f"{bucket}/mini"
        for version in VERSIONS:
            digest = sha256(version.encode()).hexdigest()
            marker = mark(version.encode(), name="mini", version=version, release_hash=digest)
            address = bucket / "mini" / version / MARKER
            assert ObjectStore(bucket.scheme).create(address, marker.content())
    else:
        for version in VERSIONS:
            (folder / version).mkdir(parents=True)
    require_same_versions(
        _plan(folder, *VERSIONS[:2], stored=stored)
    )  # a later one decides nothing
    for earlier, told in (((VERSIONS[0],), "1.1.0 was"), ((), "1.0.0 and 1.1.0 were")):
        with pytest.raises(StoreError, match=rf"{place}: {told} published .* run the build again"):
            require_same_versions(_plan(folder, *earlier, stored=stored))
