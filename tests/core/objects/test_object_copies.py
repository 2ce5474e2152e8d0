"""Local copies of objects: what the store has, brought once."""

from __future__ import annotations

from pathlib import Path

import moto_store
import pytest

from pipeline.core.errors import InputError
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.core.objects.copies import copy_of


@pytest.fixture
def bucket() -> Address:
    return moto_store.memory_bucket()


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were read, in order."""
    read, real = list[str](), ObjectStore.download

    def download(self: ObjectStore, source: Address, target: Path) -> None:
        read.append(source.key)
        real(self, source, target)

    monkeypatch.setattr(ObjectStore, "download", download)
    return read


def _put(place: Address, content: bytes) -> None:
    store = ObjectStore(place.scheme)
    store.remove([place])
    store.create(place, content)


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_an_object_is_brought_once(bucket: Address, downloads: list[str], tmp_path: Path) -> None:
    _put(bucket / "raw" / "news.jsonl", b"1")
    copies = [copy_of(bucket / "raw" / "news.jsonl", tmp_path) for _ in range(3)]
    assert {copy.name for copy in copies} == {"news.jsonl"}
    assert copies[0].read_bytes() == b"1"
    assert downloads == ["raw/news.jsonl"]
    _put(bucket / "raw" / "news.jsonl", b"2")  # of the same size
    assert copy_of(bucket / "raw" / "news.jsonl", tmp_path).read_bytes() == b"2"


def test_a_folder_follows_the_store(bucket: Address, downloads: list[str], tmp_path: Path) -> None:
    first = {"a.json": b"a", "b/c.json": b"c", "d.json": b"d"}
    for name, content in first.items():
        _put(bucket / "raw" / name, content)
    assert _files(copy_of(bucket / "raw", tmp_path)) == first
    ObjectStore("memory").remove([bucket / "raw" / "a.json"])
    _put(bucket / "raw" / "b/c.json", b"changed")
    _put(bucket / "raw" / "e.json", b"e")
    downloads.clear()
    second = {"b/c.json": b"changed", "d.json": b"d", "e.json": b"e"}
    assert _files(copy_of(bucket / "raw", tmp_path)) == second
    assert downloads == ["raw/b/c.json", "raw/e.json"]  # what is new is read, and that alone


def test_a_copy_that_was_cut_is_brought_again(bucket: Address, tmp_path: Path) -> None:
    _put(bucket / "x.txt", b"whole")
    copy = copy_of(bucket / "x.txt", tmp_path)
    copy.write_bytes(b"who")
    notes = copy.parent.with_name(f"{copy.parent.name}.jsonl")
    notes.write_text(notes.read_text() + '["x.t', "utf-8")  # a run was killed while it wrote
    assert copy_of(bucket / "x.txt", tmp_path).read_bytes() == b"whole"


def test_a_pattern_leaves_out_what_cannot_match(bucket: Address, tmp_path: Path) -> None:
    for name in ("a.csv", "b/c.csv", "b/d.txt"):
        _put(bucket / "raw" / name, b"x")
    copy = copy_of(bucket / "raw", tmp_path, pattern="**/*.csv")
    assert _files(copy).keys() == {"a.csv", "b/c.csv"}


def test_a_prefix_that_becomes_an_object_is_one_file(bucket: Address, tmp_path: Path) -> None:
    _put(bucket / "raw" / "x", b"1")
    assert copy_of(bucket / "raw", tmp_path).is_dir()
    ObjectStore("memory").remove([bucket / "raw" / "x"])
    _put(bucket / "raw", b"2")
    assert copy_of(bucket / "raw", tmp_path).read_bytes() == b"2"


def test_nothing_there_and_an_object_that_keeps_changing_are_errors(
    bucket: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="no such object, and none below it"):
        copy_of(bucket / "raw", tmp_path)
    _put(bucket / "x", b"0")
    real = ObjectStore.download

    def download(self: ObjectStore, source: Address, target: Path) -> None:
        real(self, source, target)
        _put(source, (self.read(source, most=9) or b"") + b"1")

    monkeypatch.setattr(ObjectStore, "download", download)
    with pytest.raises(InputError, match="changes while it is read"):
        copy_of(bucket / "x", tmp_path)


@pytest.mark.parametrize("key", ["../../up.txt", "/root.txt", "a//b.txt"])
def test_keys_that_lead_out_are_refused(
    key: str, bucket: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever writes to the bucket chooses the keys: none may name a place outside the copies."""
    found = ObjectStore("memory").stat
    _put(bucket / "x", b"1")
    listing = {key: found(bucket / "x")}
    monkeypatch.setattr(ObjectStore, "find", lambda *_: listing)
    with pytest.raises(InputError, match="no path of a file"):
        copy_of(bucket / "raw", tmp_path / "copies")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
