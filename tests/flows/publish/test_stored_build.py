"""The sample built to an object store: the bytes of a build to a folder, one of all builders."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import mini
import moto_store
import pytest
from release_stories import SAMPLE, Built, build_file, copied, private, refused, released, sample

from flows.publish.verified import verify_release
from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.release.stored.download import fetch
from pipeline.release.stored.marker import published_versions, require_marker


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory)


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _stored(place: Address) -> dict[str, bytes]:
    """Return the public files of the release at a place."""
    return moto_store.contents(place / require_marker(ObjectStore("s3"), place).files)


def test_a_build_to_a_store_is_a_release_with_its_labels_elsewhere(
    built: Built, bucket: Address, tmp_path: Path
) -> None:
    work, _ = copied(built, tmp_path)
    options = ("--private", tmp_path / "labels", "--tasks", "dp")
    released(SAMPLE, work, Path(str(bucket)), *options)
    place = bucket / "sample" / "1.0.0"
    marker = require_marker(ObjectStore("s3"), place)
    out = tmp_path / "copy" / "1.0.0"
    fetch(place, out, private=tmp_path / "labels")
    assert [check.detail for check in verify_release(out) if not check.ok] == []
    assert (private(out) / "labels" / "dp.parquet").is_file()
    assert moto_store.contents(bucket).keys() == {
        "sample/1.0.0/release.json",
        *(f"sample/1.0.0/{marker.files}/{name}" for name in _files(out)),
    }


@pytest.mark.full
def test_a_build_to_a_store_has_the_bytes_of_one_to_a_folder(
    built: Built, bucket: Address, tmp_path: Path
) -> None:
    work, _ = copied(built, tmp_path)
    words = (work, Path(str(bucket / "r")), "--private", tmp_path / "labels")
    result = released(SAMPLE, *words).result
    assert result["release"] == f"{bucket}/r/sample/1.0.0"
    assert result["release_hash"] == built.result["release_hash"]
    place = bucket / "r" / "sample" / "1.0.0"
    assert _stored(place) == _files(built.release)
    marker = require_marker(ObjectStore("s3"), place)
    labels = tmp_path / "labels" / "sample" / "1.0.0" / marker.files
    assert _files(labels) == _files(private(built.release))


@pytest.mark.full
def test_a_later_version_follows_the_one_in_the_store(
    built: Built, bucket: Address, tmp_path: Path
) -> None:
    """Another machine, which has nothing but the store, makes what a folder of releases makes."""
    file = build_file(tmp_path, release={"version": "1.0.1"})
    work, releases = copied(built, tmp_path / "local")
    local = released(file, work, releases)
    options = ("--private", tmp_path / "labels")
    released(SAMPLE, copied(built, tmp_path / "a")[0], Path(str(bucket)), *options)
    later = released(file, copied(built, tmp_path / "b")[0], Path(str(bucket)), *options)
    assert later.result["release_hash"] == local.result["release_hash"]
    assert _stored(bucket / "sample" / "1.0.1") == _files(local.release)


@pytest.mark.full
def test_two_builds_that_meet_in_a_store(built: Built, bucket: Address, tmp_path: Path) -> None:
    options = ("--releases", str(bucket), "--private", tmp_path / "labels")
    first = copied(built, tmp_path / "a")[0]
    released(SAMPLE, first, Path(str(bucket)), *options[2:])
    before = moto_store.contents(bucket)
    again = released(SAMPLE, first, Path(str(bucket)), *options[2:])
    assert again.result["release_hash"] == built.result["release_hash"]
    other = build_file(tmp_path, release={"maintainer": "가람시 말뭉치 모임"})
    work = copied(built, tmp_path / "b")[0]
    message = refused(other, "--work", work, *options, code=1)
    assert "is published with other content" in message
    assert moto_store.contents(bucket) == before
    later = build_file(tmp_path, release={"maintainer": "가람시 말뭉치 모임", "version": "1.0.1"})
    released(later, work, Path(str(bucket)), *options[2:])
    assert published_versions(ObjectStore("s3"), bucket / "sample").keys() == {"1.0.0", "1.0.1"}


@pytest.mark.full
@pytest.mark.parametrize("write", [1, 40, "release.json"])
def test_a_build_that_is_killed_publishes_when_it_runs_again(
    write: int | str, built: Built, bucket: Address, tmp_path: Path
) -> None:
    work, _ = copied(built, tmp_path)
    words = ["--work", work, "--releases", bucket, "--private", tmp_path / "labels"]
    code = (
        "import os, signal, sys\n"
        "from pipeline.core.objects.access import ObjectStore\n"
        "from flows.main import main\n"
        "real, writes = ObjectStore.create, []\n"
        "def create(*arguments):\n"
        "    writes.append(arguments)\n"
        f"    if {write!r} in (len(writes), arguments[1].name):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(*arguments)\n"
        "ObjectStore.create = create\n"
        "sys.exit(main())\n"
    )
    command = [sys.executable, "-c", code, "build", SAMPLE, *words]
    done = subprocess.run([*map(str, command)], cwd=mini.ROOT, capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert published_versions(ObjectStore("s3"), bucket / "sample") == {}
    again = released(SAMPLE, work, Path(str(bucket)), "--private", tmp_path / "labels")
    assert again.result["release_hash"] == built.result["release_hash"]
    assert _stored(bucket / "sample" / "1.0.0") == _files(built.release)
