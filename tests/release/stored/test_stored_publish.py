"""Releases published in object stores: whole or not there, by one of all publishers."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import moto_store
import pytest

from flows.publish.verified import verify_release
from pipeline.core.errors import InputError, StoreError
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address, address_of
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.stored.download import fetch
from pipeline.release.stored.marker import MARKER, published_versions, read_marker
from pipeline.release.stored.private import private_place
from pipeline.release.stored.upload import publish

VERSION = "mini/1.0.0"


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _stored(release: Path) -> dict[str, bytes]:
    """Return what a store has of a release by the layout that docs/object-stores.md describes."""
    digest = sha256((release / "manifest.json").read_bytes()).hexdigest()
    return {f"{digest[:16]}/{path}": content for path, content in _files(release).items()}


def _objects(place: Address) -> dict[str, bytes]:
    store = ObjectStore(place.scheme)
    return {key: store.read(place / key, most=2**30) or b"" for key in store.find(place)}


@pytest.fixture
def before_write(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], None]:
    """Do something before the n-th write of an object, once."""

    def arrange(number: int, deed: Callable[[], object]) -> None:
        real, calls = ObjectStore.create, list[Address]()

        def create(self: ObjectStore, target: Address, content: Path | bytes) -> bool:
            calls.append(target)
            if len(calls) == number:
                deed()
            return real(self, target, content)

        monkeypatch.setattr(ObjectStore, "create", create)

    return arrange


def _writes(release: Path) -> int:
    """Return how many objects a publisher writes: files, a second try of one, the marker."""
    return len(_files(release)) + 2


def test_a_release_in_a_store_is_its_files_and_a_marker(
    bucket: Address, releases: list[Path], tmp_path: Path
) -> None:
    private = moto_store.new_bucket()
    stored = publish(releases[0], bucket / VERSION, private)
    assert stored.new
    objects = moto_store.contents(bucket / VERSION)
    marker = json.loads(objects.pop(MARKER))
    assert objects == _stored(releases[0])
    assert marker == {
        "layout": 1,
        "name": "mini",
        "version": "1.0.0",
        "files": stored.marker.files,
        "manifest": sha256((releases[0] / "manifest.json").read_bytes()).hexdigest(),
        "release_hash": read_manifest(releases[0]).release_hash,
    }
    assert moto_store.contents(private / VERSION / stored.marker.files) == _files(
        private_folder(releases[0])
    )
    fetch(bucket / VERSION, tmp_path / "back" / VERSION, private=private)
    assert _files(tmp_path / "back" / VERSION) == _files(releases[0])
    assert all(check.ok for check in verify_release(tmp_path / "back" / VERSION))
    assert not publish(releases[0], bucket / VERSION, private).new


def test_private_files_on_a_file_system_are_their_owners_alone(
    memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    stored = publish(releases[0], memory / VERSION, tmp_path / "private")
    place = tmp_path / "private" / VERSION / stored.marker.files
    assert _files(place) == _files(private_folder(releases[0]))
    assert {path.stat().st_mode & 0o077 for path in (place, *place.rglob("*"))} == {0}
    labels = {path.read_bytes() for path in private_folder(releases[0]).rglob("labels/*")}
    assert labels
    assert not labels & set(_objects(memory).values())


@pytest.mark.parametrize("private", ["memory://BUCKET", "memory://BUCKET/labels"])
def test_private_files_are_kept_out_of_the_bucket(private: str, memory: Address) -> None:
    option = Path(private.replace("BUCKET", memory.bucket))
    with pytest.raises(InputError, match="is in the bucket of --releases"):
        private_place(option, memory / "releases")
    assert private_place(Path("memory://elsewhere/labels"), memory) == address_of(
        "memory://elsewhere/labels"
    )


@pytest.mark.parametrize("moment", [1, 2, -3, -2, -1])
def test_of_two_publishers_one_wins(
    moment: int,
    memory: Address,
    releases: list[Path],
    tmp_path: Path,
    before_write: Callable[[int, Callable[[], object]], None],
) -> None:
    """The second publishes everything between two writes of the first, wherever that is."""
    slow, fast = releases
    writes = _writes(slow)
    number = moment if moment > 0 else writes + 1 + moment
    before_write(number, lambda: publish(fast, memory / VERSION, tmp_path / "fast"))
    with pytest.raises(StoreError, match="is published with other content"):
        publish(slow, memory / VERSION, tmp_path / "slow")
    objects = _objects(memory / VERSION)
    assert json.loads(objects.pop(MARKER))["release_hash"] == read_manifest(fast).release_hash
    assert objects == _stored(fast)  # the loser took its own files away
    fetch(memory / VERSION, tmp_path / "back" / VERSION, private=tmp_path / "fast")
    assert _files(tmp_path / "back" / VERSION) == _files(fast)


@pytest.mark.full
def test_of_two_publishers_one_wins_at_every_moment(
    memory: Address,
    releases: list[Path],
    tmp_path: Path,
    before_write: Callable[[int, Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow, fast = releases
    for number in range(1, _writes(slow) + 1):
        place = memory / str(number) / VERSION
        before_write(number, partial(publish, fast, place, tmp_path / "fast"))
        with pytest.raises(StoreError, match="is published with other content"):
            publish(slow, place, tmp_path / "slow")
        monkeypatch.undo()
        objects = _objects(place)
        assert objects.pop(MARKER)
        assert objects == _stored(fast)


def test_two_publishers_of_the_same_release_agree(
    memory: Address,
    releases: list[Path],
    tmp_path: Path,
    before_write: Callable[[int, Callable[[], object]], None],
) -> None:
    new = list[bool]()
    again = lambda: new.append(  # noqa: E731
        publish(releases[0], memory / VERSION, tmp_path / "second").new
    )
    before_write(9, again)
    new.append(publish(releases[0], memory / VERSION, tmp_path / "first").new)
    assert new == [True, False]
    objects = _objects(memory / VERSION)
    assert objects.pop(MARKER)
    assert objects == _stored(releases[0])


def test_what_is_published_is_never_overwritten(
    memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    publish(releases[0], memory / VERSION, tmp_path)
    before = _objects(memory)
    with pytest.raises(StoreError, match=r"raise `release.version` in the build file"):
        publish(releases[1], memory / VERSION, tmp_path)
    assert _objects(memory) == before


def test_a_release_that_a_last_check_refuses_is_not_published(
    memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    def refused() -> None:
        assert len(_objects(memory / VERSION)) == len(_files(releases[0])), "all but the marker"
        raise StoreError("another version came meanwhile")

    with pytest.raises(StoreError, match="came meanwhile"):
        publish(releases[0], memory / VERSION, tmp_path, check=refused)
    assert published_versions(ObjectStore(memory.scheme), memory / "mini") == {}
    assert publish(releases[0], memory / VERSION, tmp_path).new
    assert not publish(releases[0], memory / VERSION, tmp_path, check=refused).new


def test_files_of_a_publisher_that_died_are_no_release_and_go(
    memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    store = ObjectStore("memory")
    for path, content in _stored(releases[1]).items():
        store.create(memory / VERSION / path, content)  # all but the marker
    assert published_versions(store, memory / "mini") == {}
    with pytest.raises(StoreError, match="no release is there"):
        fetch(memory / VERSION, tmp_path / "back")
    publish(releases[0], memory / VERSION, tmp_path)
    assert published_versions(store, memory / "mini").keys() == {"1.0.0"}
    assert _objects(memory / VERSION).keys() == {MARKER, *_stored(releases[0])}


def test_an_object_with_other_content_in_the_way_is_named(
    memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    path = next(path for path in _stored(releases[0]) if path.endswith("README.md"))
    ObjectStore("memory").create(memory / VERSION / path, b"of somebody else")
    with pytest.raises(StoreError, match=r"README.md: is there with other content"):
        publish(releases[0], memory / VERSION, tmp_path)
    assert read_marker(ObjectStore("memory"), memory / VERSION) is None


def test_a_store_that_overwrites_is_refused(
    memory: Address, releases: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some stores take a conditional write and ignore the condition."""
    from fsspec.implementations.memory import MemoryFileSystem

    real = MemoryFileSystem.pipe_file
    monkeypatch.setattr(
        MemoryFileSystem,
        "pipe_file",
        lambda self, path, value, **_: real(self, path, value),
    )
    with pytest.raises(StoreError, match="overwrites objects although it was asked not to"):
        publish(releases[0], memory / VERSION, tmp_path)
    assert read_marker(ObjectStore("memory"), memory / VERSION) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layout": 2}, "made by a newer version of this tool: layout 2, this one reads 1; update"),
        ({"manifest": "f" * 64}, r"release.json: damaged"),
        ({"files": "../../elsewhere"}, r"release.json: damaged"),
        ({"more": 1}, r"release.json: damaged \(more\)"),
    ],
    ids=["newer", "manifest", "files", "more"],
)
def test_a_marker_of_a_newer_version_and_a_damaged_one_are_told_apart(
    change: dict[str, object],
    message: str,
    memory: Address,
    releases: list[Path],
    tmp_path: Path,
) -> None:
    publish(releases[0], memory / VERSION, tmp_path)
    store, marker = ObjectStore("memory"), memory / VERSION / MARKER
    data = json.loads(store.read(marker, most=9999) or b"")
    store.remove([marker])
    store.create(marker, json.dumps({**data, **change}).encode())
    before = _objects(memory)
    for deed in (
        lambda: fetch(memory / VERSION, tmp_path / "back"),
        lambda: published_versions(store, memory / "mini"),
        lambda: publish(releases[1], memory / VERSION, tmp_path),
    ):
        with pytest.raises(StoreError, match=message):
            deed()
    assert _objects(memory) == before
