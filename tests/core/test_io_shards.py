"""Files that are refused before work starts, with the reason, and those that pass."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.core.errors import InputError
from pipeline.core.io import batch, guess_source
from pipeline.core.io.shards import check_json, check_shard
from pipeline.core.io.streams import open_stream


def _refused(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        check_shard(guess_source(path))
    return str(error.value)


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.parquet"])
def test_an_empty_file_is_refused(name: str, tmp_path: Path) -> None:
    assert "is empty" in _refused(tmp_path / name, b"")


def test_a_file_without_a_row_is_refused(tmp_path: Path) -> None:
    assert "holds no row" in _refused(tmp_path / "a.csv", b"id,text\n")
    assert "holds no row" in _refused(tmp_path / "a.txt.gz", gzip.compress(b""))
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "a.parquet")
    data = (tmp_path / "a.parquet").read_bytes()
    assert "holds no row" in _refused(tmp_path / "a.parquet", data)


@pytest.mark.parametrize("cut", [1, 2])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_file_that_ends_within_a_character_is_refused(
    cut: int, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    name = "a.txt" if pack is bytes else "a.txt.gz"
    data = "첫째 줄\n둘째 줄".encode()[:-cut]
    assert "ends within a character" in _refused(tmp_path / name, pack(data))


def test_a_giant_line_is_refused_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "LIMIT", 1000)
    message = _refused(tmp_path / "a.txt", b"short\n" * 3 + b"x" * 5000 + b"\nshort\n")
    assert "a.txt:4: the line is longer than 1,000 bytes" in message


def test_a_missing_column_and_a_cut_packed_file_are_refused(tmp_path: Path) -> None:
    assert "has no column 'text'" in _refused(tmp_path / "a.csv", b"id,title\n1,b\n")
    assert "has no column 'text'" in _refused(tmp_path / "a.jsonl", b'{"title": "b"}\n')
    packed = gzip.compress("가나다라마바사\n".encode() * 1000)
    assert "cut off" in _refused(tmp_path / "a.txt.gz", packed[: len(packed) // 2])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", "끝".encode()),
        ("b.txt", "한 줄\n\n셋째 줄\n".encode()),
        ("c.txt", "한 줄\n".encode() + b"bad \xff byte\n"),
        ("d.jsonl", b'{"text": "a"}'),
        ("e.csv", b"text\na\n"),
    ],
    ids=["no line end", "blank line", "a bad line", "one object", "one row"],
)
def test_other_files_pass(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    check_shard(guess_source(tmp_path / name))


@pytest.mark.parametrize(
    ("data", "is_whole"),
    [
        ('[{"a": 1}]\n', True),
        ('{"document": []}', True),
        ('{"a": 1}\n{"a": 2}\n', True),
        ('[{"a": 1}', False),
        ('{"document": []', False),
        ("", False),
    ],
)
def test_json_ends_as_it_began(data: str, is_whole: bool, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(data, "utf-8")
    with open_stream(tmp_path / "a.json") as stream:
        if is_whole:
            check_json(stream)
        else:
            with pytest.raises(InputError, match="does not end as JSON does"):
                check_json(stream)
