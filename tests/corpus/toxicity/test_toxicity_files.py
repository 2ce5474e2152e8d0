"""Scored files: plain text as JSONL, other forms with two columns more, nothing on an error."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.commands.text_files import score_file
from pipeline.core.errors import InputError
from pipeline.core.io import guess_source, read_batches
from pipeline.corpus.toxicity.scoring import Detector, as_table, load


@pytest.fixture(scope="module")
def words() -> Detector:
    return load("lexicon")


def _written(folder: Path, data: bytes, name: str = "in.txt") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_lines_become_objects(tmp_path: Path, words: Detector) -> None:
    given = _written(tmp_path, '노을이 "곱다"\r\n\n개자식아\n\u2028끝\n'.encode() + b"\xff\n")
    out = tmp_path / "out.jsonl.gz"
    rows, unscored, unreadable = score_file(guess_source(given), out, words)
    assert (rows, unscored, [row.line for row in unreadable]) == (4, 1, [5])
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).split(b"\n")[:-1]]
    assert rows == [
        {"text": '노을이 "곱다"', "gender_bias": 0.0, "hate": 0.0},
        {"text": "", "gender_bias": None, "hate": None},
        {"text": "개자식아", "gender_bias": 0.0, "hate": 1.0},
        {"text": "\u2028끝", "gender_bias": 0.0, "hate": 0.0},
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), max_size=5))
def test_texts_come_through_whole(
    tmp_path_factory: pytest.TempPathFactory, words: Detector, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    given = _written(folder, "\n".join(["처음", *texts]).encode())
    source = guess_source(given)
    read = [t for b in read_batches(source, quarantine=id) for t in b.texts.to_pylist()]
    score_file(source, folder / "out.jsonl", words)
    rows = (folder / "out.jsonl").read_bytes().split(b"\n")[:-1]
    assert [json.loads(row)["text"] for row in rows] == read


class _Broken:
    """A detector that fails at the second text it is given."""

    name, digest = "broken", "0" * 64

    def score(self, texts: pa.Array) -> pa.Table:
        if "나" in texts.to_pylist():
            raise InputError("broken")
        return as_table(*([0.0] * len(texts),) * 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["in.txt", "in.csv"])
def test_nothing_is_left_of_an_error(tmp_path: Path, name: str) -> None:
    given = _written(tmp_path, "text\n가\n나\n".encode(), name)
    out = tmp_path / ("out.jsonl" if name == "in.txt" else "out.csv")
    with pytest.raises(InputError, match="broken"):
        score_file(guess_source(given), out, _Broken())
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_wrong_outputs_are_told(tmp_path: Path, words: Detector) -> None:
    given = _written(tmp_path, "가\n".encode())
    for name in ("out.csv", "out.txt", "out.parquet"):
        with pytest.raises(InputError, match="plain text are JSONL"):
            score_file(guess_source(given), tmp_path / name, words)
    with pytest.raises(InputError, match=r"none/out\.jsonl: "):
        score_file(guess_source(given), tmp_path / "none" / "out.jsonl", words)


def test_a_column_of_texts_is_not_overwritten(tmp_path: Path, words: Detector) -> None:
    given = _written(tmp_path, b'{"hate": "x"}\n', "in.jsonl")
    with pytest.raises(InputError, match="column hate, which is to hold scores"):
        score_file(guess_source(given, text="hate"), tmp_path / "out.jsonl", words)
