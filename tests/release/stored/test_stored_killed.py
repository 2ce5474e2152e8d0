"""A publisher killed at any write leaves no half release, and the next run the same bytes."""

from __future__ import annotations

import signal
from pathlib import Path

import moto_store
import pytest
from killed_upload import publish_until

from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.release.stored.marker import MARKER, published_versions
from pipeline.release.stored.upload import publish


def _survives(write: int, after: bool, bucket: Address, release: Path, private: Path) -> None:
    place, store = bucket / "mini/1.0.0", ObjectStore("s3")
    code = publish_until(release, place, private, write=write, after=after)
    assert code == -signal.SIGKILL
    is_published = MARKER in store.find(place)
    versions = published_versions(store, bucket / "mini")
    assert versions.keys() == ({"1.0.0"} if is_published else set())
    stored = publish(release, place, private)
    assert stored.new != is_published
    objects = moto_store.contents(place)
    assert objects.pop(MARKER) == stored.marker.content()
    paths = (path for path in release.rglob("*") if path.is_file())
    assert objects == {
        f"{stored.marker.files}/{path.relative_to(release).as_posix()}": path.read_bytes()
        for path in paths
    }
    left = {path.name for path in (private / "mini/1.0.0").iterdir()}
    assert left == {stored.marker.files}


def _writes(release: Path) -> int:
    return sum(path.is_file() for path in release.rglob("*")) + 2


def test_a_killed_publisher_is_gone_on_with(
    bucket: Address, releases: list[Path], tmp_path: Path
) -> None:
    """Of all moments the one before the marker: every file is there, and no release."""
    _survives(_writes(releases[0]), False, bucket, releases[0], tmp_path)


@pytest.mark.full
def test_a_publisher_killed_at_every_write_is_gone_on_with(
    bucket: Address, releases: list[Path], tmp_path: Path
) -> None:
    """Before each write, which is after the one before it, and after the last one."""
    last = _writes(releases[0])
    for moment in range(1, last + 2):
        place, private = bucket / str(moment), tmp_path / str(moment)
        _survives(min(moment, last), moment > last, place, releases[0], private)
