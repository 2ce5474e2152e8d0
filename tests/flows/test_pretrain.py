"""`klue pretrain-corpus`: the same bytes whatever the number of workers, and after kills."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import mini
import pytest

from pipeline.core.fingerprint import ROOT

SAMPLE = ROOT / "data" / "builds" / "sample-pretrain.yaml"


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _words(folder: Path, workers: int) -> list[str]:
    out, work = folder / "out", folder / "work"
    words = ["pretrain-corpus", SAMPLE, "--out", out, "--work", work, "--workers", workers]
    return mini.command(*words, "--json")


def _run(folder: Path, workers: int) -> dict[str, object]:
    done = subprocess.run(_words(folder, workers), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    record: dict[str, object] = json.loads(done.stdout)
    return record


@pytest.mark.full
def test_workers_and_kills_change_no_byte(tmp_path: Path) -> None:
    first = _run(tmp_path / "one", 1)
    two = tmp_path / "two"
    for seconds in (4, 5, 6, 7):
        process = subprocess.Popen(
            _words(two, 2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    second = _run(two, 2)
    assert first["corpus_hash"] == second["corpus_hash"]
    assert _files(tmp_path / "one" / "out") == _files(two / "out")
    again = _run(two, 1)
    assert all(stage["skipped"] for stage in again["stages"])  # type: ignore[attr-defined]
    assert mini.klue("verify", two / "out").returncode == 0


@pytest.mark.full
def test_another_corpus_is_never_overwritten(tmp_path: Path) -> None:
    _run(tmp_path, 1)
    (tmp_path / "out" / "text" / "part-00000.txt").write_text("x\n", "utf-8")
    done = subprocess.run(_words(tmp_path, 1), capture_output=True, text=True)
    assert done.returncode != 0
    assert "was changed (files, text" in done.stderr
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("x", "utf-8")
    done = mini.klue("pretrain-corpus", SAMPLE, "--out", other, "--work", tmp_path / "work")
    assert "is there and not empty" in done.stderr
