"""What a file's name and first bytes say, and files that are refused as a whole."""

from __future__ import annotations

import codecs
import gzip
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from text_files import read, write

from pipeline.core.errors import InputError
from pipeline.core.io import guess_source


@pytest.mark.parametrize(
    ("name", "form", "delimiter", "quoted"),
    [
        ("a.txt", "text", ",", True),
        ("A.JSONL", "jsonl", ",", True),
        ("a.b.ndjson.gz", "jsonl", ",", True),
        ("a.csv.zst", "csv", ",", True),
        ("a.tsv", "csv", "\t", False),
        ("a.tsv.gz", "csv", "\t", False),
        ("a.tsv.csv", "csv", ",", True),
        ("a.parquet", "parquet", ",", True),
    ],
)
def test_form_is_told_by_the_name(name: str, form: str, delimiter: str, quoted: bool) -> None:
    found = guess_source(Path(name))
    assert (found.form, found.delimiter, found.quoted) == (form, delimiter, quoted)


@pytest.mark.parametrize("name", ["a", "a.json", "a.xlsx", "a.gz", "a.parquet.gz"])
def test_a_name_that_says_nothing_needs_a_form(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("x", "utf-8")
    with pytest.raises(InputError, match=r"allowed endings: \.txt"):
        guess_source(Path(name))
    assert guess_source(Path(name), form="jsonl").form == "jsonl"


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="form 'xml'"):
        guess_source(Path("a.txt"), form="xml")
    with pytest.raises(InputError, match="delimiter"):
        guess_source(Path("a.csv"), delimiter=";;")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.txt", bytes(range(256)) * 100, "binary"),
        ("a.txt", b"\0" * 100, "NUL"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + b"x" * 100, "PNG"),
        ("a.txt", gzip.compress(b"hello", mtime=0), r"name it \.gz"),
        ("a.jsonl", b"PK\x03\x04" + b"a" * 50, "zip"),
        ("a.csv", "한글".encode("utf-16"), "UTF-16"),
        ("a.csv", "한글".encode("utf-32"), "UTF-32"),
        ("a.csv", codecs.BOM_UTF32_BE + "한글".encode("utf-32-be"), "UTF-32"),
        ("a.txt", "한국어 문장입니다 그렇지요".encode("cp949") * 9, "CP949"),
        ("a.csv", b"item,annotator,label\n" + "a,b,긍정\n".encode("cp949"), "CP949"),
        ("a.txt.gz", b"plain text", r"no \.gz file"),
        ("a.txt.zst", gzip.compress(b"a", mtime=0), r"no \.zst file"),
        ("a.txt.gz", gzip.compress(b"\0" * 1000, mtime=0), "NUL"),
        ("a.parquet", b"plain text, not at all Parquet", "Parquet"),
        ("a.parquet", b"", "Parquet"),
        ("a.txt", b"PAR1....PAR1", "Parquet"),
    ],
    ids=range(16),
)
def test_binary_files_are_refused(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        read(write(tmp_path, name, data))


@pytest.mark.parametrize(
    "line",
    ["긍정".encode("cp949"), "긍정".encode()[:-1], "caf\xe9s".encode("latin-1"), b"\xff\xfe"],
    ids=["cp949", "cut off", "latin-1", "no text"],
)
def test_a_faulty_line_among_lines_of_utf_8_is_left_to_the_rows(
    line: bytes, tmp_path: Path
) -> None:
    rows, quarantined = read(write(tmp_path, "a.txt", "첫째 줄입니다.\n".encode() + line + b"\n"))
    assert len(rows) == 1
    assert [fault.line for fault in quarantined] == [2]


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.parquet"])
def test_what_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(guess_source(tmp_path / name))
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="folder"):
        read(guess_source(tmp_path / name))
    os.mkfifo(tmp_path / f"pipe{name}")
    with pytest.raises(InputError, match="pipe"):
        read(guess_source(tmp_path / f"pipe{name}"))


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.zst"])
def test_a_cut_off_file_says_how_far_it_got(name: str, tmp_path: Path) -> None:
    plain = os.urandom(400_000).hex().encode().replace(b"7", b"\n")
    pack = gzip.compress if name.endswith("gz") else zstandard.ZstdCompressor().compress
    with pytest.raises(InputError, match=r"cut off after [1-9][\d,]* lines"):
        read(write(tmp_path, name, pack(plain)[:-20]))


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    packed = gzip.compress(b"some lines of text\n" * 1000, mtime=0)
    with pytest.raises(InputError, match="damaged"):
        read(write(tmp_path, "a.txt.gz", packed[:20] + b"\xff\xff\xff\xff" + packed[24:]))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", b'{"document":"a"}\n{"document":"b","id":1}\n'),
        ("a.csv", b"id,document\n1,a\n"),
        ("a.csv", b"id,document\n"),
    ],
    ids=range(3),
)
def test_a_missing_column_is_told_with_those_that_exist(
    name: str, data: bytes, tmp_path: Path
) -> None:
    source = write(tmp_path, name, data)
    with pytest.raises(InputError, match=r"no column 'text'; it has: .*'document'"):
        read(source)
    assert read(guess_source(source.path, text="document"))[1] == []


def test_a_column_that_holds_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": [1, 2], "t": ["a", "b"]}), path)
    with pytest.raises(InputError, match="'text' is int64; allowed: string"):
        read(guess_source(path))
    with pytest.raises(InputError, match="no column 'x'; it has: 'text', 't'"):
        read(guess_source(path, text="x"))
    with pytest.raises(InputError, match="2 columns 'text'"):
        read(write(tmp_path, "a.csv", b"text,text\n"))
