"""CSV, TSV, JSON lines and Parquet: columns, rows, faults, stray quotes, round trips."""

from __future__ import annotations

import csv
import datetime
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.core.io import delimited
from pipeline.corpus.readers.base import Document, Options, Reader, Record
from pipeline.corpus.readers.records import Columns
from pipeline.corpus.readers.rows import CSV, JSONL, TSV

Write = Callable[[str, bytes | str], Path]
MAP = {"key": "no", "text": "body", "title": "head", "date": "day", "mood": "mood"}
HEADER = "no,body,head,day,mood\n"


def test_columns_feed_fields_and_meta(read: Read, write: Write) -> None:
    path = write("a.csv", HEADER + '7,"줄 하나\n줄 ""둘""",제목,2020.01.02.,좋음\n8,둘,,,\n')
    first, second = read("csv", path, columns=MAP).documents
    assert (first.key, first.text, first.title) == ("7", '줄 하나\n줄 "둘"', "제목")
    assert (first.date, first.meta, first.line) == ("2020-01-02", (("mood", "좋음"),), 2)
    assert (second.key, second.title, second.date, second.meta) == ("8", None, None, ())
    assert second.line == 4


def test_without_key_and_url_there_is_no_key(read: Read, write: Write) -> None:
    found = read("csv", write("a.csv", "text\n하나\n둘\n"))
    assert [(d.key, d.line) for d in found.documents] == [("", 2), ("", 3)]


def test_without_header_columns_are_numbers(read: Read, write: Write) -> None:
    path = write("a.csv", "x,하나\ny,둘\n")
    found = read("csv", path, header=False, columns={"key": "0", "text": "1"})
    assert [(d.key, d.text) for d in found.documents] == [("x", "하나"), ("y", "둘")]
    with pytest.raises(InputError, match=r"takes numbers from 0 to 1; given: '2' \(for text\)"):
        read("csv", path, header=False, columns={"text": "2"})
    with pytest.raises(InputError, match=r"given: 'text' \(for text\)"):
        read("csv", path, header=False)


def test_another_delimiter(read: Read, write: Write) -> None:
    path = write("a.csv", "text;no\n하나, 둘;1\n")
    assert read("csv", path, delimiter=";").texts == ["하나, 둘"]
    with pytest.raises(InputError, match="delimiter must be one ASCII character"):
        read("csv", path, delimiter="::")


def test_a_missing_column_names_those_found_and_the_option(read: Read, write: Write) -> None:
    path = write("a.csv", "번호,내용\n1,글\n")
    with pytest.raises(InputError) as error:
        read("csv", path, columns={"key": "번호", "title": "제목"})
    message = str(error.value)
    assert "'text' (for text)" in message and "'제목' (for title)" in message
    assert "it has: '번호', '내용'; set `columns: {text: COLUMN, title: COLUMN}`" in message


def test_a_row_taken_for_a_header_is_not_shown(read: Read, write: Write) -> None:
    cells = ["홍길동", "hong@mail.example", "010-1234-5678", "no one", "", "x" * 99]
    cells += "가나다라마바사"
    path = write("a.csv", ",".join(cells) + "\n" + "," * (len(cells) - 1) + "\n")
    with pytest.raises(InputError) as error:
        read("csv", path)
    message = str(error.value)
    shown = f"number 1, number 2, number 3, 'no one', number 5, '{'x' * 30}', number 7"
    assert f"it has: {shown}" in message and "number 12 and 1 more; set" in message
    assert not any(secret in message for secret in ("홍", "mail", "1234", "사"))
    assert "for a file without header, set `header: false`" in message


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="*"), min_size=2),
        min_size=1,
    )
)
def test_no_cell_beyond_ascii_is_in_an_error_in_full(cells: list[str]) -> None:
    with pytest.raises(InputError) as error:
        Columns({"text": "\x00"}).find(Path("a.csv"), cells)
    for cell in cells:
        if not cell.isascii():
            assert repr(cell) not in str(error.value)


def test_a_column_that_is_there_twice_is_an_error(read: Read, write: Write) -> None:
    with pytest.raises(InputError, match="column 'text' is there twice"):
        read("csv", write("a.csv", "text,text\n1,2\n"))


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_a_header_alone_is_an_error(read: Read, write: Write, name: str) -> None:
    with pytest.raises(InputError, match="holds a header and no rows"):
        read(name, write("a.csv", "text\n"))


def test_a_header_in_another_encoding_is_an_error_with_a_hint(read: Read, write: Write) -> None:
    path = write("a.csv", "내용\n글\n".encode("cp949"))
    with pytest.raises(InputError, match=r"header cannot be read.*set encoding: cp949"):
        read("csv", path, columns={"text": "내용"})
    assert read("csv", path, columns={"text": "내용"}, encoding="cp949").texts == ["글"]


def test_rows_of_another_width_and_broken_rows_cost_themselves(read: Read, write: Write) -> None:
    path = write("a.csv", "no,text\n1,하나\n2\n3,셋,넷\n4,다\r섯\n\n5,\n6,여섯\n")
    found = read("csv", path)
    assert found.texts == ["하나", "여섯"]
    assert [(r.rule, r.line) for r in found.rejected] == [
        ("read.malformed@1", 3),
        ("read.malformed@1", 4),
        ("read.malformed@1", 5),
        ("read.empty@1", 6),
        ("read.empty@1", 7),
    ]
    assert found.rejected[0].reason == "has 1 field, the first line has 2"


def test_a_broken_cell_inside_quotes_costs_its_row(read: Read, write: Write) -> None:
    path = write("a.csv", b'no,text\n1,"a\n\xff\xff\nb"\n2,ok\n3,a\0b\n')
    found = read("csv", path)
    assert (found.texts, found.rules) == (["ok"], ["read.encoding@1"] * 2)
    assert [r.line for r in found.rejected] == [2, 6]


def test_a_stray_quote_does_not_swallow_the_file(read: Read, write: Write, small_cap: int) -> None:
    rows = "".join(f"{i},{i}번째 글\n" for i in range(3, 200))
    found = read("csv", write("a.csv", f'no,text\n1,하나\n2,"열린 채\n{rows}'))
    assert len(found.texts) == 198
    assert [(r.rule, r.line) for r in found.rejected] == [("read.malformed@1", 3)]
    assert "a quote opens on this line and is not closed" in found.rejected[0].reason


def test_a_stray_quote_at_the_end_of_the_file(read: Read, write: Write) -> None:
    found = read("csv", write("a.csv", 'no,text\n1,"열린 채\n2,둘\n3,셋'))
    assert (found.texts, found.rules) == (["둘", "셋"], ["read.malformed@1"])


def test_quotes_within_a_field_are_characters(read: Read, write: Write) -> None:
    found = read("csv", write("a.csv", 'no,text\n1,그는 "왔다"고 했다\n2,5" 화면\n3,셋\n'))
    assert found.texts == ['그는 "왔다"고 했다', '5" 화면', "셋"]


def test_a_file_full_of_open_quotes_is_an_error(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch, small_cap: int
) -> None:
    monkeypatch.setattr(delimited, "MAX_UNCLOSED", 5)
    with pytest.raises(InputError, match="more than 5 quotes are never closed"):
        read("csv", write("a.csv", "no,text\n" + 'x","\n' * 5000))


def test_a_row_longer_than_the_library_allows_is_read(read: Read, write: Write) -> None:
    long = "가" * 200_000
    assert read("csv", write("a.csv", f'no,text\n1,"{long}"\n')).texts == [long]


def test_a_line_above_the_cap_within_a_table(read: Read, write: Write, small_cap: int) -> None:
    path = write("a.csv", "no,text\n1," + "가" * 2000 + "\n2,둘\n")
    for name, options in (("csv", {}), ("tsv", {"columns": {"text": "no,text"}})):
        found = read(name, path, **options)
        assert (len(found.texts), found.rules) == (1, ["read.too_long@1"])


def test_tsv_has_no_quoting(read: Read, write: Write) -> None:
    found = read("tsv", write("a.tsv", 'id\ttext\r\n1\t"열린 글\r\n2\t"닫힌" 글\r\n3\ta\tb\r\n'))
    assert found.texts == ['"열린 글', '"닫힌" 글']
    assert found.rules == ["read.malformed@1"]


def test_jsonl_columns_and_meta(read: Read, write: Write) -> None:
    rows = [
        {"no": 7, "body": "하나", "head": None, "day": 20200102, "mood": ["a", 1], "extra": "-"},
        {"no": "x8", "body": "둘", "head": "제목"},
    ]
    path = write("a.jsonl", "\n".join(json.dumps(r, ensure_ascii=False) for r in rows))
    first, second = read("jsonl", path, columns=MAP).documents
    assert (first.key, first.title, first.date) == ("7", None, "2020-01-02")
    assert first.meta == (("mood", '["a",1]'),)
    assert (second.key, second.title, second.date, second.meta) == ("x8", "제목", None, ())


@pytest.mark.parametrize(
    ("line", "rule", "reason"),
    [
        ('{"text": ', "read.malformed@1", "is not JSON"),
        ("['하나']", "read.malformed@1", "is not JSON"),
        ('["하나"]', "read.malformed@1", "is a JSON list, not an object"),
        ('"하나"', "read.malformed@1", "is a JSON str, not an object"),
        ('{"text": NaN}', "read.malformed@1", "is not JSON"),
        ("[" * 100_000, "read.malformed@1", "is not JSON"),
        ('{"txt": "하나"}', "read.missing_field@1", "has no field 'text'"),
        ('{"text": null}', "read.missing_field@1", "has no field 'text'"),
        ('{"text": 7}', "read.malformed@1", "field 'text' must be text, given: int"),
        ('{"text": ["하나"]}', "read.malformed@1", "field 'text' must be text, given: list"),
        ('{"text": "하나", "id": 1.5}', "read.malformed@1", "field 'id' must be text or a whole"),
        ('{"text": "하나", "id": true}', "read.malformed@1", "given: bool"),
        ('{"text": "하나", "id": null}', "read.missing_field@1", "has no field 'id'"),
        ('{"text": "하나", "id": ""}', "read.missing_field@1", "has no field 'id'"),
        ('{"text": "하나"}', "read.missing_field@1", "has no field 'id'"),
        ('{"text": "", "id": 1}', "read.empty@1", "the text is empty"),
        ('{"text": " \\n\\u3000", "id": 1}', "read.empty@1", "the text is empty"),
        ('{"text": "\\ud800", "id": 1}', "read.encoding@1", "half of a surrogate pair"),
        ('{"text": "\\udc00x", "id": 1}', "read.encoding@1", "half of a surrogate pair"),
        ('{"text": "a\\u0000b", "id": 1}', "read.encoding@1", "field 'text' holds a NUL"),
        ("", "read.empty@1", "the line is blank"),
    ],
)
def test_each_fault_of_a_json_line(
    read: Read, write: Write, line: str, rule: str, reason: str
) -> None:
    path = write("a.jsonl", line + '\n{"text": "좋은 줄", "id": 2}\n')
    found = read("jsonl", path, columns={"key": "id"})
    assert (found.texts, found.rules) == (["좋은 줄"], [rule])
    assert reason in found.rejected[0].reason
    assert "하나" not in found.rejected[0].reason


def test_a_json_line_that_is_not_utf8(read: Read, write: Write) -> None:
    path = write("a.jsonl", '{"text": "글"}\n'.encode("cp949"))
    assert "set encoding: cp949" in read("jsonl", path).rejected[0].reason
    assert read("jsonl", path, encoding="cp949").texts == ["글"]


def test_parquet_rows(read: Read, tmp_path: Path) -> None:
    table = pa.table(
        {
            "no": [7, 8, 9],
            "body": ["하나", "둘", None],
            "day": pa.array([datetime.date(2020, 1, 2), None, None]),
            "mood": pa.array([["a"], None, None], pa.list_(pa.string())),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    columns = {"key": "no", "text": "body", "date": "day", "mood": "mood"}
    found = read("parquet", tmp_path / "a.parquet", columns=columns)
    assert [(d.key, d.text, d.date, d.meta, d.line) for d in found.documents] == [
        ("7", "하나", "2020-01-02", (("mood", '["a"]'),), 1),
        ("8", "둘", None, (), 2),
    ]
    assert found.rules == ["read.missing_field@1"]
    with pytest.raises(InputError, match=r"no column 'text' \(for text\); it has: 'no', 'body'"):
        read("parquet", tmp_path / "a.parquet")


def test_faulty_parquet(read: Read, write: Write, tmp_path: Path, small_cap: int) -> None:
    bad = pa.array([b"\xff\xfe", b"ok", b"x" * 2000]).cast(pa.binary())
    text = pa.StringArray.from_buffers(3, bad.buffers()[1], bad.buffers()[2])
    pq.write_table(pa.table({"text": text, "raw": bad}), tmp_path / "a.parquet")
    found = read("parquet", tmp_path / "a.parquet")
    assert (found.texts, found.rules) == (["ok"], ["read.encoding@1", "read.too_large@1"])
    found = read("parquet", tmp_path / "a.parquet", columns={"raw": "raw"})
    assert found.rules == ["read.encoding@1", "read.malformed@1", "read.malformed@1"]
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match="is empty"):
        read("parquet", tmp_path / "b.parquet")
    data = (tmp_path / "a.parquet").read_bytes()
    for broken in (data[: len(data) // 2], b"no parquet at all"):
        with pytest.raises(InputError, match="damaged or no Parquet file"):
            read("parquet", write("c.parquet", broken))


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
FILLED = TEXT.filter(lambda text: bool(text) and not text.isspace())


def _documents(reader: Reader, path: Path, options: Options) -> list[Document]:
    found: list[Document] = []
    for record in reader.scan(path, options):
        assert isinstance(record, Record)
        for document in reader.parse(record, options):
            assert isinstance(document, Document)
            found.append(document)
    return found


@given(rows=st.lists(st.tuples(FILLED, FILLED, TEXT), min_size=1, max_size=8))
def test_any_rows_survive_csv_and_jsonl(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    options = Options(columns={"key": "id", "text": "text", "note": "note"})
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow(("id", "note", "text"))
        writer.writerows((key, note, text) for key, text, note in rows)
    lines = [orjson.dumps({"id": k, "text": t, "note": n}) for k, t, n in rows]
    (folder / "a.jsonl").write_bytes(b"\n".join(lines))
    for reader, name in ((CSV, "a.csv"), (JSONL, "a.jsonl")):
        found = _documents(reader, folder / name, options)
        assert [(d.key, d.text, dict(d.meta).get("note", "")) for d in found] == rows


@given(rows=st.lists(st.tuples(FILLED, FILLED), min_size=1, max_size=8))
def test_any_rows_without_tabs_and_line_feeds_survive_tsv(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "a.tsv"
    clean = [("k" + _one_line(key), "t" + _one_line(text)) for key, text in rows]
    body = "".join(f"{key}\t{text}\n" for key, text in clean)
    path.write_bytes(("id\ttext\n" + body).encode())
    found = _documents(TSV, path, Options(columns={"key": "id"}))
    assert [(d.key, d.text) for d in found] == clean


def _one_line(text: str) -> str:
    return text.translate({9: " ", 10: " ", 13: " "})


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_readers(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("noise") / "a.csv"
    path.write_bytes(b"text\n" + data)
    for reader in (CSV, JSONL, TSV):
        try:
            for record in reader.scan(path, Options()):
                if isinstance(record, Record):
                    list(reader.parse(record, Options()))
        except InputError as error:
            assert "a.csv" in str(error)


def test_packed_tables(read: Read, write: Write) -> None:
    path = write("a.csv.gz", gzip.compress("text\n하나\n".encode()))
    assert read("csv", path).texts == ["하나"]


@pytest.mark.parametrize("late", ['"쉼표, 있는 글"', '"쉼표 없는 글"', '""', '그는 "좋다"고 했다'])
def test_a_stray_quote_costs_its_own_row_and_no_other(read: Read, write: Write, late: str) -> None:
    rows = [f"{n},글 {n},2020-01-01" for n in range(1, 200)]
    rows[9] = '10,"닫지 않은 글,2020-01-01'
    rows[149] = f"150,{late},2020-01-01"
    path = write("a.csv", "\n".join(["id,text,date", *rows]) + "\n")
    found = read("csv", path, columns={"key": "id"})
    keys = {document.key for document in found.documents}
    empty = {"150"} if late == '""' else set()
    assert keys == {str(n) for n in range(1, 200)} - {"10"} - empty
    first = found.rejected[0]
    assert (first.rule, first.line) == ("read.malformed@1", 11)


def test_a_quoted_text_of_several_lines_is_one_row(read: Read, write: Write) -> None:
    path = write("a.csv", 'id,text\n1,"첫 줄\n\n""둘째"", 줄"\n2,글\n')
    found = read("csv", path, columns={"key": "id"})
    assert [d.text for d in found.documents] == ['첫 줄\n\n"둘째", 줄', "글"]
    assert not found.rejected


def test_text_behind_a_closing_quote_is_malformed(read: Read, write: Write) -> None:
    found = read("csv", write("a.csv", 'id,text\n1,"닫고"더\n2,글\n'), columns={"key": "id"})
    assert [d.key for d in found.documents] == ["2"]
    assert [r.rule for r in found.rejected] == ["read.malformed@1"]


@pytest.mark.parametrize("reader", ["news_jsonl", "files", "lines", "headlines"])
@pytest.mark.parametrize(
    "more",
    ['"id": 1, "id": 2', '"a": 1, "a": "x: y"', '"a" :1, "\\u0061":2', '"meta": {"a": 1, "a": 2}'],
)
@pytest.mark.parametrize("rows", [1, 3])
def test_an_object_with_a_key_twice_is_quarantined(
    read: Read, write: Write, reader: str, more: str, rows: int
) -> None:
    named = {"text": "글이다.", "title": "글이다.", "body": "글이다."}
    good = [json.dumps({**named, "id": f"k{n}"}) for n in range(rows)]
    bad = json.dumps(named)[:-1] + f", {more}}}"
    found = read(reader, write("a.jsonl", "\n".join([*good, bad])))
    assert found.rules == ["read.malformed@1"]
    assert found.rejected[0].reason == "has a key more than once"
    assert len(found.texts) == rows
