"""Releases brought out of stores: checked, or as they are for those who look for faults."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import moto_store
import pyarrow.parquet as pq
import pytest

from flows.publish.verified import verify_release
from pipeline.core.errors import StoreError
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.release.manifest import private_folder
from pipeline.release.stored.download import fetch, fetch_as_it_is
from pipeline.release.stored.upload import Stored, publish

TABLE = "ynat/train.parquet"


@pytest.fixture
def stored(memory: Address, releases: list[Path], tmp_path: Path) -> Stored:
    return publish(releases[0], memory / "mini/1.0.0", tmp_path / "private")


def _replace(address: Address, content: bytes | None) -> None:
    store = ObjectStore(address.scheme)
    store.remove([address])
    if content is not None:
        store.create(address, content)


def _faults(stored: Stored, folder: Path) -> str:
    fetch_as_it_is(stored.place, folder)
    return "; ".join(check.detail for check in verify_release(folder) if not check.ok)


def test_an_untouched_release_verifies(stored: Stored, tmp_path: Path) -> None:
    assert _faults(stored, tmp_path / "back") == ""


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"PAR1", "has another size than listed"),
        (None, "is not there"),
        ("same size", "has other content than listed"),
    ],
    ids=["cut", "gone", "changed"],
)
def test_a_changed_object_is_found(
    content: bytes | str | None, fault: str, stored: Stored, releases: list[Path], tmp_path: Path
) -> None:
    if content == "same size":
        changed = bytearray((releases[0] / TABLE).read_bytes())
        changed[len(changed) // 2] ^= 1
        content = bytes(changed)
    assert not isinstance(content, str)
    _replace(stored.files / TABLE, content)
    with pytest.raises(StoreError, match=f"'{TABLE}' {fault}"):
        fetch(stored.place, tmp_path / "copy" / "1.0.0")
    assert list((tmp_path / "copy").iterdir()) == []  # no half copy stays
    assert TABLE in _faults(stored, tmp_path / "back")


def test_an_object_beside_the_files_is_found_and_not_read(
    stored: Stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ObjectStore("memory").create(stored.files / "extra.bin", b"x" * 2**20)
    real, read = ObjectStore.download, list[str]()

    def download(self: ObjectStore, source: Address, target: Path) -> None:
        read.append(source.name)
        real(self, source, target)

    monkeypatch.setattr(ObjectStore, "download", download)
    assert "extra.bin" in _faults(stored, tmp_path / "back")
    assert "extra.bin" not in read


def test_another_manifest_is_refused(stored: Stored, tmp_path: Path) -> None:
    manifest = stored.files / "manifest.json"
    content = ObjectStore("memory").read(manifest, most=2**20) or b""
    _replace(manifest, content + b" ")
    for deed in (fetch, fetch_as_it_is):
        with pytest.raises(StoreError, match=r"manifest.json: is not the one that was published"):
            deed(stored.place, tmp_path / "back")


def test_a_path_that_leads_out_is_refused(
    memory: Address, releases: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manifest is input too: it may come from anybody who can write to the bucket."""
    from hashlib import sha256

    from pipeline.release.stored.marker import MARKER, mark

    data = json.loads((releases[0] / "manifest.json").read_bytes())
    data["files"]["../../out.txt"] = data["files"].pop(TABLE)
    content = json.dumps(data).encode()
    marker = mark(content, name="mini", version="1.0.0", release_hash=data["release_hash"])
    store, place = ObjectStore("memory"), memory / "mini" / "1.0.0"
    store.create(place / marker.files / "manifest.json", content)
    for path in set(data["files"]) - {"../../out.txt"}:
        store.create(place / marker.files / path, releases[0] / path)
    store.create(place / MARKER, marker.content())
    assert marker.manifest == sha256(content).hexdigest()
    with pytest.raises(StoreError, match="leads out of the release"):
        fetch(place, tmp_path / "a" / "b" / "1.0.0")
    assert not list(tmp_path.rglob("out.txt"))


def test_private_files_of_another_release_are_refused(
    stored: Stored, memory: Address, releases: list[Path], tmp_path: Path
) -> None:
    other = publish(releases[1], memory / "mini/1.0.1", tmp_path / "other")
    taken = tmp_path / "private/mini/1.0.0"
    (taken / stored.marker.files).rename(tmp_path / "away")
    with pytest.raises(StoreError, match="the private files of the release are not there"):
        fetch(stored.place, tmp_path / "back", private=tmp_path / "private")
    (tmp_path / "other/mini/1.0.0" / other.marker.files).rename(taken / stored.marker.files)
    with pytest.raises(StoreError, match="private files of another release"):
        fetch(stored.place, tmp_path / "back", private=tmp_path / "private")
    assert not (tmp_path / "back").exists()
    assert not private_folder(tmp_path / "back").exists()


def test_duckdb_reads_a_published_table(
    bucket: Address, releases: list[Path], tmp_path: Path
) -> None:
    """By a registered file system: its own extension for S3 is a download."""
    stored = publish(releases[0], bucket / "mini/1.0.0", tmp_path)
    with duckdb.connect() as database:
        database.register_filesystem(moto_store.files())
        query = (
            f"SELECT label, count(*) FROM '{stored.files / TABLE}' GROUP BY label ORDER BY label"
        )
        counted = database.sql(query).fetchall()
    labels = pq.read_table(releases[0] / TABLE)["label"].to_pylist()
    assert counted == [(label, labels.count(label)) for label in sorted(set(labels))]
