"""Rows of good files, rows that cannot be read, and the bounds of a batch."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from text_files import SECRET, as_jsonl, faults, read, rewrite, texts_of, write

from pipeline.core.errors import InputError
from pipeline.core.io import batch, delimited, guess_source


def test_text_has_one_text_a_line_and_blank_lines_stay(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", "\ufeff하나\r\n\n둘\x0b셋\r넷\n끝".encode())
    (part,), bad = read(source)
    assert part.texts.to_pylist() == ["하나", "", "둘\x0b셋\r넷", "끝"]
    assert part.rows.to_pylist() == [0, 1, 2, 3]
    assert part.lines.to_pylist() == [1, 2, 3, 4]
    assert not bad


def test_jsonl_gives_texts_and_columns(tmp_path: Path) -> None:
    data = as_jsonl(
        {"text": "가", "source": "신문"},
        {"text": "", "source": None},
        {"source": "n", "text": "\u2028"},
    )
    (part,), bad = read(write(tmp_path, "a.jsonl", data), ("source", "none"))
    assert part.texts.to_pylist() == ["가", "", "\u2028"]
    assert part.columns["source"].to_pylist() == ["신문", None, "n"]
    assert part.columns["none"].to_pylist() == [None] * 3
    assert not bad


def test_jsonl_values_of_other_types_are_told_as_spelt(tmp_path: Path) -> None:
    data = as_jsonl(*({"text": "가", "x": x} for x in (1, 2.5, True, {"a": [1]}, None)))
    (part,), _ = read(write(tmp_path, "a.jsonl", data), ("x",))
    assert part.columns["x"].to_pylist() == ["1", "2.5", "true", '{"a":[1]}', None]


def test_csv_rows_have_their_physical_line(tmp_path: Path) -> None:
    data = 'id,text,source\r\n1,"두\n줄",s\r\n2,끝,"a ""b"""\r\n'
    (part,), bad = read(write(tmp_path, "a.csv", ("\ufeff" + data).encode()), ("source", "none"))
    assert part.texts.to_pylist() == ["두\n줄", "끝"]
    assert part.lines.to_pylist() == [2, 4]
    assert part.columns["source"].to_pylist() == ["s", 'a "b"']
    assert part.columns["none"].null_count == 2
    assert not bad


def test_tsv_quotes_are_characters(tmp_path: Path) -> None:
    assert texts_of(write(tmp_path, "a.tsv", b'text\tx\n"a\t1\nb"\t2\n')) == ['"a', 'b"']


def test_parquet_gives_any_string_type(tmp_path: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        path = tmp_path / "a.parquet"
        pq.write_table(pa.table({"n": [1, 2, 3], "text": pa.array(["가", "", "가"], kind)}), path)
        (part,), bad = read(guess_source(path), ("n",))
        assert part.texts.to_pylist() == ["가", "", "가"]
        assert part.columns["n"].to_pylist() == ["1", "2", "3"]
        assert not bad


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.txt.gz", "a.jsonl.zst"])
def test_an_empty_file_has_no_rows(name: str, tmp_path: Path) -> None:
    source = write(tmp_path, name, b"")
    assert read(source) == ([], [])
    rewrite(source, tmp_path / f"out{name}")
    assert read(guess_source(tmp_path / f"out{name}")) == ([], [])


def test_packed_files_are_read_through_all_members(tmp_path: Path) -> None:
    halves = ["가\n".encode(), "나\n다".encode()]
    packed = b"".join(gzip.compress(h, mtime=0) for h in halves)
    assert texts_of(write(tmp_path, "a.txt.gz", packed)) == ["가", "나", "다"]
    packed = b"".join(zstandard.ZstdCompressor().compress(h) for h in halves)
    assert texts_of(write(tmp_path, "a.txt.zst", packed)) == ["가", "나", "다"]


BAD_JSON = [
    (b"{broken", "file.malformed@1"),
    (b'["text"]', "file.malformed@1"),
    (b'{"text":"a"}{"text":"b"}', "file.malformed@1"),
    (b'{"text":"a","x":NaN}', "file.malformed@1"),
    (b'{"text":"a","x":-Infinity}', "file.malformed@1"),
    (b'{"text":"seen","text":"not seen"}', "file.malformed@1"),
    (b'{"text":"a","te\\u0078t":"b"}', "file.malformed@1"),
    (b'{"text":"a","x":' + b"[" * 9000 + b"]" * 9000 + b"}", "file.malformed@1"),
    (b'{"text":"a","x":' + b'{"y":' * 600 + b"1" + b"}" * 601, "file.malformed@1"),
    (b'{"text":"\\ud800"}', "file.encoding@1"),
    (b'{"text":"a","x":"\\udc00"}', "file.encoding@1"),
    (b'{"text":"\xff"}', "file.encoding@1"),
    (b'{"text":"a","x":"\xff"}', "file.encoding@1"),
    (b'{"text":"a\0"}', "file.encoding@1"),
    (b'{"text":"a"}\0', "file.encoding@1"),
    (b'{"text":"a\\u0000"}', "file.encoding@1"),
    (b'{"other":"a"}', "file.missing@1"),
    (b'{"text":null}', "file.missing@1"),
    (b'{"text":5}', "file.missing@1"),
    (b'{"text":1e999}', "file.missing@1"),
    (b'{"text":["a"]}', "file.missing@1"),
    (b"", "file.blank@1"),
    (b" \r", "file.blank@1"),
]


@pytest.mark.parametrize(("line", "rule"), BAD_JSON, ids=range(len(BAD_JSON)))
@pytest.mark.parametrize("around", [1, 400])
def test_a_bad_json_line_is_quarantined_among_good_ones(
    line: bytes, rule: str, around: int, tmp_path: Path
) -> None:
    good = as_jsonl({"text": "좋다"}) * around
    source = write(tmp_path, "a.jsonl", good + line + b"\n" + good)
    parts, bad = read(source)
    assert [(q.row, q.line, q.rule) for q in bad] == [(around, around + 1, rule)]
    assert sum(len(p) for p in parts) == 2 * around
    assert rewrite(source, tmp_path / "out.jsonl") == good * 2


def test_an_object_over_lines_does_not_shift_the_texts(tmp_path: Path) -> None:
    lines = [b'{"text":', b'"a"}', b'{"text":"b"}{"text":"c"}', b'{"text":"d"}']
    source = write(tmp_path, "a.jsonl", b"\n".join(lines))
    (part,), bad = read(source)
    assert (part.texts.to_pylist(), part.rows.to_pylist()) == (["d"], [3])
    assert [q.row for q in bad] == [0, 1, 2]


def test_many_bad_lines_are_told_one_by_one(tmp_path: Path) -> None:
    lines = [b'{"text":"a"}' if i % 3 else b"{" for i in range(3000)]
    source = write(tmp_path, "a.jsonl", b"\n".join(lines))
    assert [row for row, _, _ in faults(source)] == list(range(0, 3000, 3))


def test_bad_text_lines(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", "가나다라마바사\n".encode() * 9 + b"\xff\xfe\na\0b\nend")
    assert faults(source) == [(9, 10, "file.encoding@1"), (10, 11, "file.encoding@1")]
    assert rewrite(source, tmp_path / "o.txt") == "가나다라마바사\n".encode() * 9 + b"end"


def test_bad_csv_rows(tmp_path: Path) -> None:
    rows = [
        b"a,text",
        b"1,good",
        b"1,2,3",
        b"only",
        b"",
        b'1,"x"y',
        b"1,\xff\xff",
        b"1,a\0b",
        b'1,"opens',
        b"1,next",
        b'"\xff\n",good\xed\xa0\x80',
        b"1,a\rb",
        b"1,end",
    ]
    source = write(tmp_path, "a.csv", b"\n".join(rows))
    parts, _ = read(source)
    assert [t for p in parts for t in p.texts.to_pylist()] == ["good", "next", "end"]
    assert [(line, rule.split(".")[1]) for _, line, rule in faults(source)] == [
        (3, "malformed@1"),
        (4, "malformed@1"),
        (5, "blank@1"),
        (6, "malformed@1"),
        (7, "encoding@1"),
        (8, "encoding@1"),
        (9, "malformed@1"),
        (11, "encoding@1"),
        (13, "malformed@1"),
    ]
    assert rewrite(source, tmp_path / "o.csv") == b"a,text\n1,good\n1,next\n1,end"


def test_more_stray_quotes_than_csv_can_have(tmp_path: Path) -> None:
    data = b"a,text\n" + b'1,"open\n' * (delimited.MAX_UNCLOSED + 2)
    with pytest.raises(InputError, match="never closed"):
        read(write(tmp_path, "a.csv", data))


def test_bad_parquet_texts(tmp_path: Path) -> None:
    raw = pa.array([b"a", None, b"\xff", b"a\0", b"end"], pa.binary())
    texts = pa.StringArray.from_buffers(5, raw.buffers()[1], raw.buffers()[2], raw.buffers()[0], 1)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": texts, "n": range(5)}), path)
    source = guess_source(path)
    assert faults(source) == [
        (1, 2, "file.missing@1"),
        (2, 3, "file.encoding@1"),
        (3, 4, "file.encoding@1"),
    ]
    rewrite(source, tmp_path / "o.parquet")
    assert pq.read_table(tmp_path / "o.parquet").to_pydict() == {"text": ["a", "end"], "n": [0, 4]}


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=range(2))
@pytest.mark.parametrize("extra", [0, 1, 5, 10, 11, 12, 500])
def test_long_lines_are_passed_by(
    extra: int, ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "LIMIT", 10)
    lines = [b"short", b"x" * (10 + extra), b"y" * 10, b"", b"z" * (10 + extra)]
    for name, head in (("a.txt", []), ("a.csv", [b"text"])):
        source = write(tmp_path, name, ending.join(head + lines))
        long = [] if not extra else [1, 4]
        found = [f for f in faults(source) if f[2] != "file.blank@1"]
        assert found == [(r, r + 1 + len(head), "file.too_long@1") for r in long]


def test_a_long_line_at_the_real_limit(tmp_path: Path) -> None:
    long = b'{"text":"' + b"x" * batch.LIMIT + b'"}\n'
    source = write(tmp_path, "a.jsonl", as_jsonl({"text": "a"}) + long + as_jsonl({"text": "b"}))
    assert faults(source) == [(1, 2, "file.too_long@1")]
    assert texts_of(source) == ["a", "b"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_reasons_hold_no_content(name: str, tmp_path: Path) -> None:
    lines = [f'{SECRET} "{SECRET}', f'{{"{SECRET}": "{SECRET}", }}', f'"{SECRET}"{SECRET},,,']
    head = '{"text": "a"}' if name == "a.jsonl" else "text,x" if name == "a.csv" else "text\tx"
    _, bad = read(write(tmp_path, name, "\n".join([head, *lines]).encode()))
    assert len(bad) >= 2
    assert not [q for q in bad if SECRET in q.reason]


def test_batches_are_bounded(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", b"a\n" * 120_001 + b"end")
    sizes = [len(b) for b in read(source)[0]]
    assert max(sizes) <= batch.ROWS
    assert sum(sizes) == 120_002
    source = write(tmp_path, "b.csv", b"text\n" + b"a" * 99_999 + b"\n" + b"a" * 99_999 * 50)
    assert max(len(b.data) for b in read(source)[0]) <= batch.BYTES + batch.LIMIT
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["x" * 100_000 + str(i) for i in range(200)]}), path)
    parts = read(guess_source(path), whole=True)[0]
    assert max(p.texts.nbytes for p in parts) <= batch.BYTES
