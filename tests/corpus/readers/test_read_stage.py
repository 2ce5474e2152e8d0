"""The stage `read`: keys, sections and ledger rows of what the readers yield."""

from __future__ import annotations

import gzip
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.core.errors import ConservationError
from pipeline.core.fingerprint import of_path
from pipeline.core.ids import record_id, unit_id
from pipeline.core.stage import call
from pipeline.corpus import read
from pipeline.corpus.readers import lines
from pipeline.corpus.readers.base import READERS, Document, Options, Reader, Record, Rejected

Write = Callable[[str, bytes | str], Path]
Rows = dict[str, list[dict[str, Any]]]


def _read(reader: str, *paths: Path, name: str = "", **options: object) -> Rows:
    """Read the inputs of a source `toy` and return the rows of each table."""
    given = {"columns": {}, "encoding": "utf-8", "delimiter": ",", "header": True, **options}
    made = call(
        "pipeline.corpus.read",
        work=Path("unused"),
        source="toy",
        raw=tuple(of_path(path) for path in paths),
        params={
            "inputs": [{"name": name or p.name, "reader": reader, "options": given} for p in paths]
        },
        arguments={"paths": [str(p) for p in paths]},
    )
    rows: Rows = {"documents": [], "ledger": [], "infoboxes": []}
    for shard in read.STAGE.shards(made):
        for table_name, table in read.STAGE.run(made, shard).tables.items():
            rows[table_name] += table.to_pylist()
    return rows


def test_documents_without_id_are_named_by_line_and_later_input(write: Write) -> None:
    first, second = write("1/a.txt", "하나\n\n둘\n"), write("2/a.txt", "셋\n")
    documents = _read("text", first, second, first)["documents"]
    assert [(d["key"], d["text"]) for d in documents] == [
        ("00000001", "하나"),
        ("00000003", "둘"),
        ("2.00000001", "셋"),
        ("3.00000001", "하나"),
        ("3.00000003", "둘"),
    ]
    assert [d["id"] for d in documents] == [unit_id("toy", d["key"], "document") for d in documents]


def test_an_id_of_its_own_is_the_key_in_every_input(write: Write) -> None:
    one = write("a.csv", "text,id\n하나,7\n")
    documents = _read("csv", one, one, columns={"key": "id"})["documents"]
    assert [d["key"] for d in documents] == ["7", "7"]


CONTENT = {
    "parakqc": "0\t1\t몇 시야?\n",
    "csv": "text\n글\n",
    "tsv": "text\n글\n",
    "jsonl": '{"text": "글"}\n',
    "headlines": '{"title": "글"}\n',
}


@pytest.mark.parametrize("reader", CONTENT)
def test_every_reader_without_ids_leaves_the_naming_to_the_stage(write: Write, reader: str) -> None:
    path = write("a.jsonl", CONTENT[reader])
    keys = [d["key"] for d in _read(reader, path, path)["documents"]]
    line = "00000002" if reader in {"csv", "tsv"} else "00000001"
    assert keys == [line, f"2.{line}"]


def test_rows_of_parquet_without_ids_are_named_by_the_stage(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["글"]}), path)
    keys = [d["key"] for d in _read("parquet", path, path)["documents"]]
    assert keys == ["00000001", "2.00000001"]


def test_records_of_two_inputs_with_one_file_name_have_ids_of_their_own(write: Write) -> None:
    first, second = write("1/a.txt", "\n글\n"), write("2/a.txt", "\n글\n")
    rows = _read("text", first, second)["ledger"]
    assert [(r["file"], r["line"]) for r in rows] == [("a.txt", 1), ("a.txt", 1)]
    assert rows[0]["unit"] == record_id("toy", "a.txt", 1)
    assert rows[1]["unit"] == record_id("toy", "2:a.txt", 1)


def test_a_text_without_sections_given_is_one_and_one_with_none_has_none(write: Write) -> None:
    (line,) = _read("text", write("a.txt", " 한 줄 \n"))["documents"]
    assert line["sections"] == [{"title": "", "level": 1, "start": 0, "end": 5}]
    (notes,) = _read("text_files", write("b.txt", "== 각주 ==\n1. 어느 책\n"))["documents"]
    assert notes["sections"] == []


def _silent(record: Record, options: Options) -> Iterator[Document | Rejected]:
    return iter([])


def test_a_record_that_yields_nothing_is_a_bug_that_is_told(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("pipeline.corpus.readers.silent")
    vars(module).update(READER=Reader(lines.scan_lines, _silent))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(READERS.places, "silent", f"{module.__name__}:READER")
    with pytest.raises(ConservationError, match=r"^a\.txt:1: the reader made neither"):
        _read("silent", write("a.txt", "글\n"))


def test_a_file_of_no_reviews_is_in_the_ledger(write: Write) -> None:
    rows = _read("nsmc", write("7.json", "[]"))
    assert rows["documents"] == []
    assert [(r["rule"], r["action"], r["file"]) for r in rows["ledger"]] == [
        ("read.empty@1", "drop", "7.json")
    ]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize(
    ("reader", "file", "text"),
    [
        ("csv", "kim.csv", 'text\n글\n"",""\n\n'),
        ("jsonl", "kim.jsonl", '{"text": "글"}\n{\n'),
        ("text", "kim.txt", "하나\n\n"),
        ("files", "kim.txt", "하나\n\n"),
        ("text_files", "kim.txt", "하나\n\n"),
    ],
)
def test_the_name_that_a_build_gives_stands_for_the_file(
    write: Write, reader: str, file: str, text: str, suffix: str
) -> None:
    data = gzip.compress(text.encode()) if suffix else text
    if suffix and reader == "text_files":
        pytest.skip("takes no packed files")
    path = write(f"{file}{suffix}", data)
    own, named = (_read(reader, path, name=name) for name in ("", "a"))
    assert "kim" not in str(named)
    assert len(named["documents"]) == len(own["documents"]) > 0
    assert {row["file"] for rows in named.values() for row in rows} == {"a"}


def test_the_name_stands_for_that_of_an_archive(write: Write, tmp_path: Path) -> None:
    path = tmp_path / "kim.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1.txt", "하나")
        archive.writestr("2.png", "")
    rows = _read("text_files", path, name="a")
    assert [d["file"] for d in rows["documents"]] == ["a!1.txt"]
    assert [d["file"] for d in rows["ledger"]] == ["a!2.png"]
