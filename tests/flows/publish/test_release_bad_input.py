"""What cannot become a release ends with one clear error, and leaves the old one as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mini
import pyarrow.parquet as pq
import pytest
import yaml
from annotation_stories import bad, klue
from release_stories import (
    Built,
    build_file,
    copied,
    files,
    imported,
    private,
    refused,
    released,
    sample,
    splits_of,
    whole,
)

#: Two tasks are enough here, and quicker to write.
TASKS = ("--tasks", "tc,dst", "--workers", 2)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return a release of two tasks, with the store of the sample."""
    whole_one = sample(tmp_path_factory)
    work, releases = copied(whole_one, tmp_path_factory.mktemp("bad"))
    shutil.rmtree(releases)
    return released(whole_one.file, work, releases, *TASKS)


@pytest.fixture(scope="module")
def copy(built: Built) -> tuple[Path, Path]:
    """Return a work directory and releases that these tests may try to harm."""
    return built.work, built.releases


@pytest.fixture
def places(copy: tuple[Path, Path]) -> Iterator[tuple[object, ...]]:
    """Return the options of a build there; afterwards the old release is the same, and alone."""
    work, releases = copy
    before = whole(releases / "sample" / "1.0.0")
    yield ("--work", work, "--releases", releases, *TASKS)
    assert whole(releases / "sample" / "1.0.0") == before
    found = {one.relative_to(releases).as_posix() for one in releases.glob("*/*")}
    assert found == {"sample/1.0.0", "sample/1.0.0.private"}


def test_too_few_examples_name_the_constraint(tmp_path: Path, places: tuple[object, ...]) -> None:
    file = build_file(tmp_path, candidates={"sizes": {"tc": 2}}, release={"version": "1.1.0"})
    told = refused(file, *places)
    assert "tc" in told
    assert "train" in told or "dev" in told or "test" in told
    assert "size" in told or "examples" in told


def test_gold_without_votes_says_what_to_do(
    built: Built, tmp_path: Path, places: tuple[object, ...]
) -> None:
    votes = private(built.release) / "votes"
    release = {"version": "1.1.0"}
    file = build_file(tmp_path, annotation=imported([votes / "wos.parquet"]), release=release)
    told = refused(file, *places)
    assert "tc: no vote about its" in told
    assert "klue import" in told


def test_no_batches_and_no_votes(tmp_path: Path, places: tuple[object, ...]) -> None:
    file = build_file(tmp_path, annotation={"mode": "imported"}, release={"version": "1.1.0"})
    told = refused(file, *places)
    assert "no batch of" in told
    assert "--until annotate" in told


def test_a_build_file_without_answers_has_no_release(
    tmp_path: Path, places: tuple[object, ...]
) -> None:
    file = build_file(tmp_path, annotation=None)
    told = refused(file, *places)
    assert "annotation: is missing" in told


def test_a_version_with_other_content_is_not_overwritten(
    tmp_path: Path, places: tuple[object, ...]
) -> None:
    file = build_file(tmp_path, release={"contact": "klue@example.org"})
    told = refused(file, *places, code=1)
    assert "version 1.0.0 is there with other content" in told
    assert "release.version" in told


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ({"version": "1.0"}, "release.version"),
        ({"withdrawn": "absent.yaml"}, "absent.yaml"),
        ({"against": ["absent.txt"]}, "release.against.0"),
        ({"formats": ["squad"]}, "release.formats"),
    ],
)
def test_settings_of_a_release_are_checked(
    tmp_path: Path, places: tuple[object, ...], release: dict[str, Any], said: str
) -> None:
    file = build_file(tmp_path, release=release)
    assert said in refused(file, *places)


def test_withdrawn_ids_that_nothing_has(tmp_path: Path, places: tuple[object, ...]) -> None:
    file = tmp_path / "withdrawn.yaml"
    entry = {"id": "tc-c00000000000000000000", "reason": "wrong"}
    file.write_text(yaml.safe_dump({"withdrawn": [entry]}), "utf-8")
    release = {"version": "1.1.0", "withdrawn": str(file)}
    told = refused(build_file(tmp_path / "b", release=release), *places)
    assert "release.withdrawn" in told
    assert entry["id"] in told


def test_a_file_that_test_examples_leak_into_stops_the_release(
    built: Built, tmp_path: Path, places: tuple[object, ...]
) -> None:
    """Here it is a file of pretraining text that holds a headline of the test split."""
    test = pq.read_table(built.release / "ynat" / "test.parquet").to_pylist()
    file = tmp_path / "pretraining.txt"
    file.write_text("\n".join(["아무 상관 없는 줄", test[0]["title"]]) + "\n", "utf-8")
    release = {"version": "1.1.0", "against": [str(file)]}
    told = refused(build_file(tmp_path / "b", release=release), *places)
    assert "leak stops the release" in told
    assert test[0]["guid"] in told
    assert "pretraining.txt" in told


#: Runs a command on a disk that is full as soon as a text is to be written below a folder.
FULL = """\
import errno, sys
from pathlib import Path
from flows.main import main
from pipeline.core import store

place, write = Path(sys.argv.pop(1)), store.write_text

def full(path, text):
    if path.is_relative_to(place):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))
    write(path, text)

if __name__ == "__main__":
    store.write_text = full
    main()
"""


def test_a_full_disk_leaves_nothing_behind(
    copy: tuple[Path, Path], tmp_path: Path, places: tuple[object, ...]
) -> None:
    """Another release beside the old one: the disk is full when its tables are written."""
    script = tmp_path / "full.py"
    script.write_text(FULL, "utf-8")
    file = build_file(tmp_path, release={"name": "other"})
    words = [sys.executable, str(script), str(copy[1]), "build", str(file), *map(str, places)]
    environment = {**os.environ, "PYTHONPATH": str(mini.ROOT)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "No space left on device" in done.stderr
    assert "make room" in done.stderr
    assert "Traceback" not in done.stderr
    assert [one for one in files(copy[1]) if "sample" not in one.parts] == []
    (copy[1] / "other").rmdir()


@pytest.fixture
def release(built: Built, tmp_path: Path) -> Iterator[tuple[Path, tuple[object, ...]]]:
    """Return a release that may be damaged, and the options that build it; it is mended after."""
    folder = built.release
    for one in (folder, private(folder)):
        shutil.copytree(one, tmp_path / "whole" / one.name)
    yield folder, ("--work", built.work, "--releases", built.releases, *TASKS)
    for one in (folder, private(folder)):
        shutil.rmtree(one)
        shutil.copytree(tmp_path / "whole" / one.name, one)


def _edit(path: Path) -> None:
    """Change a value of a Parquet file, as a helpful hand would."""
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)


def _failing(folder: Path) -> set[str]:
    told = klue("verify", folder, "--json")
    assert told.exit_code == 1
    assert "Traceback" not in told.stderr
    found = json.loads(told.stdout)
    assert found["ok"] is False
    return {one["name"] for one in found["checks"] if not one["ok"]}


def test_an_edited_parquet_file_is_found(
    release: tuple[Path, tuple[object, ...]], tmp_path: Path
) -> None:
    folder, options = release
    _edit(folder / "ynat" / "train.parquet")
    assert "files" in _failing(folder)
    before = whole(folder)
    file = build_file(tmp_path / "b", release={"contact": "klue@example.org"})
    told = refused(file, *options, code=1)
    assert "1.0.0" in told
    assert whole(folder) == before


def test_the_same_build_does_not_take_an_edited_release_for_its_own(
    built: Built, release: tuple[Path, tuple[object, ...]]
) -> None:
    folder, options = release
    _edit(folder / "ynat" / "train.parquet")
    before = whole(folder)
    assert "ynat/train.parquet" in refused(built.file, *options, code=1)
    assert whole(folder) == before


def test_a_byte_that_changed_is_found_when_building_again(
    built: Built, release: tuple[Path, tuple[object, ...]]
) -> None:
    """The file keeps its length, as when a disk loses a bit."""
    folder, options = release
    path = folder / "ynat" / "train.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    assert "files" in _failing(folder)
    assert "ynat/train.parquet" in refused(built.file, *options, code=1)


def test_a_manifest_of_a_newer_version_is_told(
    release: tuple[Path, tuple[object, ...]], tmp_path: Path
) -> None:
    folder, options = release
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**manifest, "format": manifest["format"] + 1}), "utf-8")
    before = whole(folder)
    assert _failing(folder) == {"manifest"}
    assert "newer version" in klue("verify", folder).stdout
    assert "newer version" in bad("diff", folder, folder, code=1)
    assert "newer version" in bad("convert", folder, "--out", tmp_path / "out", code=1)
    next_ = build_file(tmp_path / "b", release={"version": "1.1.0"})
    assert "newer version" in refused(next_, *options, code=1)
    assert whole(folder) == before
    assert splits_of(folder, "tc")
