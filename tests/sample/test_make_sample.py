"""The committed sample corpora are what make_sample.py writes."""

from __future__ import annotations

import bz2
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    words = [sys.executable, str(SAMPLE / "make_sample.py"), "--out", str(out)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _content(path) for path in paths}


def _content(path: Path) -> bytes:
    """Return what a file holds, unpacked: packed bytes differ between versions of zlib."""
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress}.get(path.suffix)
    return unpack(path.read_bytes()) if unpack else path.read_bytes()


def test_the_corpora_and_gold_are_made_again_byte_for_byte(made: Path) -> None:
    committed = _files(SAMPLE / "corpora") | {"gold.jsonl": _content(SAMPLE / "gold.jsonl")}
    again = _files(made)
    assert again.keys() == committed.keys()
    assert [name for name, data in again.items() if data != committed[name]] == []


def test_the_archives_carry_no_clock_time(made: Path) -> None:
    assert (made / "airbnb" / "reviews.csv.gz").read_bytes()[4:8] == bytes(4)
