"""`klue store`: lists what a work folder holds, and removes only what no build needs."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1]))

import mini


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mini.write(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def changed(build: Path) -> Path:
    path = build.with_name("changed.yaml")
    rule = "cleaning: {without: [noise.hashtag@1]}\n"
    path.write_text(build.read_text("utf-8") + rule, "utf-8")
    return path


@pytest.fixture(scope="module")
def two_runs(build: Path, changed: Path) -> Path:
    """Return a work folder in which a build ran, and ran again with another rule."""
    work = build.parent / "work"
    mini.built(build, work, "--workers", 1)
    mini.built(changed, work, "--workers", 1)
    return work


@pytest.fixture
def work(two_runs: Path, tmp_path: Path) -> Path:
    """Return a copy of it, with files of people and others beside the store."""
    work = tmp_path / "work"
    shutil.copytree(two_runs, work)
    for place in ("annotation/tc/main/votes.jsonl", "releases/mini-1.0.0.json", "store/nsmc/mine"):
        (work / place).parent.mkdir(parents=True, exist_ok=True)
        (work / place).write_text("kept")
    return work


def _store(*words: object) -> dict[str, Any]:
    done = mini.klue("store", *words, "--json")
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def _files(work: Path) -> dict[str, bytes]:
    paths = (path for path in work.rglob("*") if path.is_file() and path.name != "lock")
    return {path.relative_to(work).as_posix(): path.read_bytes() for path in paths}


def _unfinished(work: Path) -> None:
    """Leave the note of a run that was killed before its end, and lose that of the last run."""
    note = work / "builds" / "mini.corpus.json"
    note.rename(note.with_suffix(".unfinished"))


def test_the_list_tells_builds_outputs_and_what_nobody_uses(work: Path) -> None:
    record = _store("ls", "--work", work)
    (build,) = record["builds"]
    assert (build["build"], build["finished"]) == ("mini.corpus", True)
    used = [row for row in record["outputs"] if row["builds"]]
    unused = [row for row in record["outputs"] if not row["builds"]]
    assert build["outputs"] == len(used) == 3 * 6 + 2 * 2 + 1
    assert {row["builds"][0] for row in used} == {"mini.corpus"}
    stages = {"clean", "pii", "score", "toxicity", "sign", "dedup"}
    assert {row["stage"] for row in unused} == stages
    assert record["bytes"] == sum(row["bytes"] for row in record["outputs"])
    assert 0 < record["unused_bytes"] == sum(row["bytes"] for row in unused) < record["bytes"]
    shown = mini.klue("store", "ls", "--work", work).stdout
    assert "mini.corpus" in shown and "no build" in shown


def test_the_last_run_repeats_no_stage_after_the_removal(
    build: Path, changed: Path, work: Path
) -> None:
    before = _files(work)
    asked = _store("gc", "--work", work, "--dry-run")
    assert _files(work) == before
    removed = _store("gc", "--work", work)
    assert (asked["removed"], asked["bytes"]) == (removed["removed"], removed["bytes"])
    after = _files(work)
    gone = {f"store/{row['source']}/{row['folder']}" for row in removed["removed"]}
    assert gone and {str(Path(name).parent) for name in before.keys() - after.keys()} == gone
    assert after.items() <= before.items()
    assert all(stage["skipped"] for stage in mini.built(changed, work)["stages"])
    assert _store("gc", "--work", work)["removed"] == []
    first = {stage["stage"] for stage in mini.built(build, work)["stages"] if stage["skipped"]}
    assert first == {"read", "select", "segment"}


def test_a_run_that_was_stopped_keeps_what_it_finished(changed: Path, work: Path) -> None:
    _unfinished(work)
    folders = (work / "store" / "all").glob("dedup-*")
    last = max(folders, key=lambda path: path.stat().st_mtime_ns)
    last.rename(last.with_name(f"{last.name}.partial"))  # killed before its renaming
    (row,) = _store("ls", "--work", work)["builds"]
    assert not row["finished"]
    _store("gc", "--work", work)
    assert last.with_name(f"{last.name}.partial").is_dir()
    assert all(stage["skipped"] for stage in mini.built(changed, work)["stages"])
    (row,) = _store("ls", "--work", work)["builds"]
    assert row["finished"]


def test_nothing_is_removed_while_a_run_uses_the_folder(work: Path) -> None:
    before = _files(work)
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = mini.klue("store", "gc", "--work", work)
        assert _store("ls", "--work", work)["builds"]
    assert done.returncode != 0
    assert "another run is using this work directory" in done.stderr
    assert _files(work) == before


@pytest.mark.parametrize("fault", ["damaged", "none", "no store", "absent"])
def test_without_notes_to_go_by_nothing_is_removed(work: Path, fault: str) -> None:
    note = work / "builds" / "mini.corpus.json"
    if fault == "damaged":
        note.write_text("[1]")
    elif fault == "none":
        note.unlink()
    before = _files(work)
    place = {"no store": work / "builds", "absent": work / "x"}.get(fault, work)
    done = mini.klue("store", "gc", "--work", place)
    told = {
        "damaged": "damaged; run the build again",
        "none": "holds no note of a build",
        "no store": "is no work folder",
        "absent": "no such folder",
    }
    assert done.returncode != 0 and told[fault] in done.stderr
    assert "Traceback" not in done.stderr
    assert _files(work) == before
    assert not (work / "x").exists()


@pytest.mark.full
def test_a_removal_killed_at_any_file_loses_nothing_that_is_needed(
    changed: Path, work: Path
) -> None:
    code = (
        "import os, signal, sys; from flows.commands.store import gc; from pathlib import Path\n"
        "unlink, left = os.unlink, int(sys.argv[2])\n"
        "def fall(*args, **options):\n"
        "    global left; left -= 1\n"
        "    os.kill(os.getpid(), signal.SIGKILL) if left < 0 else unlink(*args, **options)\n"
        "os.unlink = fall\n"
        "gc(Path(sys.argv[1]))\n"
    )
    for files in (0, 1, 7, 19):
        words = [sys.executable, "-c", code, str(work), str(files)]
        assert subprocess.run(words, check=False, cwd=mini.ROOT).returncode < 0
        _store("ls", "--work", work)
    assert all(stage["skipped"] for stage in mini.built(changed, work)["stages"])
    _store("gc", "--work", work)
    assert _store("ls", "--work", work)["unused_bytes"] == 0
    assert not list((work / "store").rglob("*.removed"))
