"""Files of texts: what is read, what is refused, and that writing loses nothing."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import tablefile
from pipeline.core.errors import InputError
from pipeline.core.tablefile import Batch, Quarantined, Source, batch, delimited, jsonl, streams
from pipeline.core.tablefile.jsonl import JsonLines

SECRET = "비밀전화"
TEXTS = ["안녕하세요", "", "이모지 😀 \u2028 줄", 'he said "hi", \\ back', "탭\t끝", " 앞뒤 "]

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
LINE = TEXT.map(lambda t: t.replace("\n", " "))


def _read(
    source: Source, columns: tuple[str, ...] = (), *, whole: bool = False
) -> tuple[list[Batch], list[Quarantined]]:
    bad: list[Quarantined] = []
    good = list(tablefile.batches(source, quarantine=bad.append, columns=columns, whole=whole))
    rows = sorted([r for b in good for r in b.rows.to_pylist()] + [q.row for q in bad])
    assert rows == list(range(len(rows))), "a row is lost or there twice"
    return good, bad


def _texts(source: Source) -> list[str]:
    return [t for b in _read(source)[0] for t in b.texts.to_pylist()]


def _faults(source: Source) -> list[tuple[int, int, str]]:
    return [(q.row, q.line, q.rule) for q in _read(source)[1]]


def _file(folder: Path, name: str, data: bytes) -> Source:
    path = folder / name
    path.write_bytes(data)
    return tablefile.guess(path)


def _rewrite(source: Source, out: Path, change: dict[str, str] | None = None) -> bytes:
    with tablefile.writing(source, out, force=True) as writer:
        for part in _read(source, whole=True)[0]:
            texts = [(change or {}).get(t, t) for t in part.texts.to_pylist()]
            writer.write(part, pa.array(texts, pa.string()))
    return out.read_bytes()


def _jsonl(*records: object) -> bytes:
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


# What a name says


@pytest.mark.parametrize(
    ("name", "form", "delimiter", "quoted", "packing"),
    [
        ("a.txt", "text", ",", True, None),
        ("A.JSONL", "jsonl", ",", True, None),
        ("a.b.ndjson.gz", "jsonl", ",", True, "gzip"),
        ("a.csv.zst", "csv", ",", True, "zstd"),
        ("a.tsv", "csv", "\t", False, None),
        ("a.tsv.gz", "csv", "\t", False, "gzip"),
        ("a.tsv.csv", "csv", ",", True, None),
        ("a.parquet", "parquet", ",", True, None),
    ],
)
def test_form_is_told_by_the_name(
    name: str, form: str, delimiter: str, quoted: bool, packing: str | None
) -> None:
    found = tablefile.guess(Path(name))
    assert (found.form, found.delimiter, found.quoted) == (form, delimiter, quoted)
    assert found.packing == packing


@pytest.mark.parametrize("name", ["a", "a.json", "a.xlsx", "a.gz", "a.parquet.gz"])
def test_a_name_that_says_nothing_needs_a_form(name: str) -> None:
    with pytest.raises(InputError, match=r"allowed endings: \.txt"):
        tablefile.guess(Path(name))
    assert tablefile.guess(Path(name), form="jsonl").form == "jsonl"


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="form 'xml'"):
        tablefile.guess(Path("a.txt"), form="xml")
    with pytest.raises(InputError, match="delimiter"):
        tablefile.guess(Path("a.csv"), delimiter=";;")


# Good files


def test_text_has_one_text_a_line_and_blank_lines_stay(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", "\ufeff하나\r\n\n둘\x0b셋\r넷\n끝".encode())
    (part,), bad = _read(source)
    assert part.texts.to_pylist() == ["하나", "", "둘\x0b셋\r넷", "끝"]
    assert part.rows.to_pylist() == [0, 1, 2, 3]
    assert part.lines.to_pylist() == [1, 2, 3, 4]
    assert not bad


def test_jsonl_gives_texts_and_columns(tmp_path: Path) -> None:
    data = _jsonl(
        {"text": "가", "source": "신문"},
        {"text": "", "source": None},
        {"source": "n", "text": "\u2028"},
    )
    (part,), bad = _read(_file(tmp_path, "a.jsonl", data), ("source", "none"))
    assert part.texts.to_pylist() == ["가", "", "\u2028"]
    assert part.columns["source"].to_pylist() == ["신문", None, "n"]
    assert part.columns["none"].to_pylist() == [None] * 3
    assert not bad


def test_jsonl_values_of_other_types_are_told_as_spelt(tmp_path: Path) -> None:
    data = _jsonl(*({"text": "가", "x": x} for x in (1, 2.5, True, {"a": [1]}, None)))
    (part,), _ = _read(_file(tmp_path, "a.jsonl", data), ("x",))
    assert part.columns["x"].to_pylist() == ["1", "2.5", "true", '{"a":[1]}', None]


def test_csv_rows_have_their_physical_line(tmp_path: Path) -> None:
    data = 'id,text,source\r\n1,"두\n줄",s\r\n2,끝,"a ""b"""\r\n'
    (part,), bad = _read(_file(tmp_path, "a.csv", ("\ufeff" + data).encode()), ("source", "none"))
    assert part.texts.to_pylist() == ["두\n줄", "끝"]
    assert part.lines.to_pylist() == [2, 4]
    assert part.columns["source"].to_pylist() == ["s", 'a "b"']
    assert part.columns["none"].null_count == 2
    assert not bad


def test_tsv_quotes_are_characters(tmp_path: Path) -> None:
    assert _texts(_file(tmp_path, "a.tsv", b'text\tx\n"a\t1\nb"\t2\n')) == ['"a', 'b"']


def test_parquet_gives_any_string_type(tmp_path: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        path = tmp_path / "a.parquet"
        pq.write_table(pa.table({"n": [1, 2, 3], "text": pa.array(["가", "", "가"], kind)}), path)
        (part,), bad = _read(tablefile.guess(path), ("n",))
        assert part.texts.to_pylist() == ["가", "", "가"]
        assert part.columns["n"].to_pylist() == ["1", "2", "3"]
        assert not bad


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.txt.gz", "a.jsonl.zst"])
def test_an_empty_file_has_no_rows(name: str, tmp_path: Path) -> None:
    source = _file(tmp_path, name, b"")
    assert _read(source) == ([], [])
    _rewrite(source, tmp_path / f"out{name}")
    assert _read(tablefile.guess(tmp_path / f"out{name}")) == ([], [])


def test_packed_files_are_read_through_all_members(tmp_path: Path) -> None:
    halves = ["가\n".encode(), "나\n다".encode()]
    packed = b"".join(gzip.compress(h, mtime=0) for h in halves)
    assert _texts(_file(tmp_path, "a.txt.gz", packed)) == ["가", "나", "다"]
    packed = b"".join(zstandard.ZstdCompressor().compress(h) for h in halves)
    assert _texts(_file(tmp_path, "a.txt.zst", packed)) == ["가", "나", "다"]


# Bad rows

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
    good = _jsonl({"text": "좋다"}) * around
    source = _file(tmp_path, "a.jsonl", good + line + b"\n" + good)
    parts, bad = _read(source)
    assert [(q.row, q.line, q.rule) for q in bad] == [(around, around + 1, rule)]
    assert sum(len(p) for p in parts) == 2 * around
    assert _rewrite(source, tmp_path / "out.jsonl") == good * 2


def test_an_object_over_lines_does_not_shift_the_texts(tmp_path: Path) -> None:
    lines = [b'{"text":', b'"a"}', b'{"text":"b"}{"text":"c"}', b'{"text":"d"}']
    source = _file(tmp_path, "a.jsonl", b"\n".join(lines))
    (part,), bad = _read(source)
    assert (part.texts.to_pylist(), part.rows.to_pylist()) == (["d"], [3])
    assert [q.row for q in bad] == [0, 1, 2]


def test_many_bad_lines_are_told_one_by_one(tmp_path: Path) -> None:
    lines = [b'{"text":"a"}' if i % 3 else b"{" for i in range(3000)]
    source = _file(tmp_path, "a.jsonl", b"\n".join(lines))
    assert [row for row, _, _ in _faults(source)] == list(range(0, 3000, 3))


def test_bad_text_lines(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", "가나다라마바사\n".encode() * 9 + b"\xff\xfe\na\0b\nend")
    assert _faults(source) == [(9, 10, "file.encoding@1"), (10, 11, "file.encoding@1")]
    assert _rewrite(source, tmp_path / "o.txt") == "가나다라마바사\n".encode() * 9 + b"end"


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
    source = _file(tmp_path, "a.csv", b"\n".join(rows))
    parts, _ = _read(source)
    assert [t for p in parts for t in p.texts.to_pylist()] == ["good", "next", "end"]
    assert [(line, rule.split(".")[1]) for _, line, rule in _faults(source)] == [
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
    assert _rewrite(source, tmp_path / "o.csv") == b"a,text\n1,good\n1,next\n1,end"


def test_more_stray_quotes_than_csv_can_have(tmp_path: Path) -> None:
    data = b"a,text\n" + b'1,"open\n' * (delimited.MAX_UNCLOSED + 2)
    with pytest.raises(InputError, match="never closed"):
        _read(_file(tmp_path, "a.csv", data))


def test_bad_parquet_texts(tmp_path: Path) -> None:
    raw = pa.array([b"a", None, b"\xff", b"a\0", b"end"], pa.binary())
    texts = pa.StringArray.from_buffers(5, raw.buffers()[1], raw.buffers()[2], raw.buffers()[0], 1)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": texts, "n": range(5)}), path)
    source = tablefile.guess(path)
    assert _faults(source) == [
        (1, 2, "file.missing@1"),
        (2, 3, "file.encoding@1"),
        (3, 4, "file.encoding@1"),
    ]
    _rewrite(source, tmp_path / "o.parquet")
    assert pq.read_table(tmp_path / "o.parquet").to_pydict() == {"text": ["a", "end"], "n": [0, 4]}


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("extra", [0, 1, 5, 10, 11, 12, 500])
def test_long_lines_are_passed_by(
    extra: int, ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "LIMIT", 10)
    lines = [b"short", b"x" * (10 + extra), b"y" * 10, b"", b"z" * (10 + extra)]
    for name, head in (("a.txt", []), ("a.csv", [b"text"])):
        source = _file(tmp_path, name, ending.join(head + lines))
        long = [] if not extra else [1, 4]
        faults = [f for f in _faults(source) if f[2] != "file.blank@1"]
        assert faults == [(r, r + 1 + len(head), "file.too_long@1") for r in long]


def test_a_long_line_at_the_real_limit(tmp_path: Path) -> None:
    long = b'{"text":"' + b"x" * batch.LIMIT + b'"}\n'
    source = _file(tmp_path, "a.jsonl", _jsonl({"text": "a"}) + long + _jsonl({"text": "b"}))
    assert _faults(source) == [(1, 2, "file.too_long@1")]
    assert _texts(source) == ["a", "b"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_reasons_hold_no_content(name: str, tmp_path: Path) -> None:
    lines = [f'{SECRET} "{SECRET}', f'{{"{SECRET}": "{SECRET}", }}', f'"{SECRET}"{SECRET},,,']
    head = '{"text": "a"}' if name == "a.jsonl" else "text,x" if name == "a.csv" else "text\tx"
    _, bad = _read(_file(tmp_path, name, "\n".join([head, *lines]).encode()))
    assert len(bad) >= 2
    assert not [q for q in bad if SECRET in q.reason]


# Bad files


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.txt", bytes(range(256)) * 100, "binary"),
        ("a.txt", b"\0" * 100, "NUL"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + b"x" * 100, "PNG"),
        ("a.txt", gzip.compress(b"hello", mtime=0), r"name it \.gz"),
        ("a.jsonl", b"PK\x03\x04" + b"a" * 50, "zip"),
        ("a.csv", "한글".encode("utf-16"), "UTF-16"),
        ("a.txt", "한국어 문장입니다 그렇지요".encode("cp949") * 9, "CP949"),
        ("a.txt.gz", b"plain text", r"no \.gz file"),
        ("a.txt.zst", gzip.compress(b"a", mtime=0), r"no \.zst file"),
        ("a.txt.gz", gzip.compress(b"\0" * 1000, mtime=0), "NUL"),
        ("a.parquet", b"plain text, not at all Parquet", "Parquet"),
        ("a.parquet", b"", "Parquet"),
        ("a.txt", b"PAR1....PAR1", "Parquet"),
    ],
)
def test_binary_files_are_refused(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        _read(_file(tmp_path, name, data))


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.parquet"])
def test_what_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        _read(tablefile.guess(tmp_path / name))
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="folder"):
        _read(tablefile.guess(tmp_path / name))
    os.mkfifo(tmp_path / f"pipe{name}")
    with pytest.raises(InputError, match="pipe"):
        _read(tablefile.guess(tmp_path / f"pipe{name}"))


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.zst"])
def test_a_cut_off_file_says_how_far_it_got(name: str, tmp_path: Path) -> None:
    plain = os.urandom(400_000).hex().encode().replace(b"7", b"\n")
    pack = gzip.compress if name.endswith("gz") else zstandard.ZstdCompressor().compress
    with pytest.raises(InputError, match=r"cut off after [1-9][\d,]* lines"):
        _read(_file(tmp_path, name, pack(plain)[:-20]))


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    packed = gzip.compress(b"some lines of text\n" * 1000, mtime=0)
    with pytest.raises(InputError, match="damaged"):
        _read(_file(tmp_path, "a.txt.gz", packed[:20] + b"\xff\xff\xff\xff" + packed[24:]))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", b'{"document":"a"}\n{"document":"b","id":1}\n'),
        ("a.csv", b"id,document\n1,a\n"),
        ("a.csv", b"id,document\n"),
    ],
)
def test_a_missing_column_is_told_with_those_that_exist(
    name: str, data: bytes, tmp_path: Path
) -> None:
    source = _file(tmp_path, name, data)
    with pytest.raises(InputError, match=r"no column 'text'; it has: .*'document'"):
        _read(source)
    assert _read(tablefile.guess(source.path, text="document"))[1] == []


def test_a_column_that_holds_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": [1, 2], "t": ["a", "b"]}), path)
    with pytest.raises(InputError, match="'text' is int64; allowed: string"):
        _read(tablefile.guess(path))
    with pytest.raises(InputError, match="no column 'x'; it has: 'text', 't'"):
        _read(tablefile.guess(path, text="x"))
    with pytest.raises(InputError, match="2 columns 'text'"):
        _read(_file(tmp_path, "a.csv", b"text,text\n"))


# Bounds


def test_batches_are_bounded(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", b"a\n" * 120_001 + b"end")
    sizes = [len(b) for b in _read(source)[0]]
    assert max(sizes) <= batch.ROWS
    assert sum(sizes) == 120_002
    source = _file(tmp_path, "b.csv", b"text\n" + b"a" * 99_999 + b"\n" + b"a" * 99_999 * 50)
    assert max(len(b.data) for b in _read(source)[0]) <= batch.BYTES + batch.LIMIT
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["x" * 100_000 + str(i) for i in range(200)]}), path)
    parts = _read(tablefile.guess(path), whole=True)[0]
    assert max(p.texts.nbytes for p in parts) <= batch.BYTES


# Writing


def test_a_text_that_begins_with_a_mark_keeps_it_when_it_becomes_the_first(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", "long enough\nto be text\n\ufeff둘".encode() + b"\n\xff")
    (part,), _ = _read(source)
    with tablefile.writing(source, tmp_path / "o.txt") as writer:
        writer.write(part, pa.array(["\ufeff하나", *part.texts.to_pylist()[1:]]))
    assert _texts(tablefile.guess(tmp_path / "o.txt")) == ["\ufeff하나", "to be text", "\ufeff둘"]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.jsonl", "a.jsonl.zst"])
@given(data=st.data())
def test_identity_is_byte_for_byte(name: str, data: st.DataObject, folder: Path) -> None:
    lines = data.draw(st.lists(LINE, max_size=8))
    ends = data.draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=8, max_size=8))
    if "jsonl" in name:
        texts, spelt = lines, data.draw(st.booleans())
        lines = [json.dumps({"n": 1.50, "text": t}, ensure_ascii=spelt) for t in lines]
    else:
        lines = [t.rstrip("\r") for t in lines]
        texts = lines
    plain = "".join(line + end for line, end in zip(lines, ends, strict=False))
    plain = data.draw(st.sampled_from(["", "\ufeff"])) + plain
    source = _file(folder, name, b"")
    pack = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}
    source.path.write_bytes(pack.get(source.path.suffix, bytes)(plain.encode()))
    if not plain.startswith("\ufeff") and texts and texts[0].startswith("\ufeff"):
        return
    if _binary(plain):
        return
    assert _texts(source) == texts
    out = folder / "out.txt" if "txt" in name else folder / "out.jsonl"
    assert _rewrite(source, out) == plain.encode()


def _binary(plain: str) -> bool:
    strange = sum(c < " " or c == "\x7f" for c in plain)
    return strange * 4 > len(plain.encode())


@given(rows=st.lists(st.tuples(TEXT, TEXT), max_size=6), every=st.booleans())
def test_csv_round_trip(rows: list[tuple[str, str]], every: bool, folder: Path) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL)
    writer.writerows([("text", "x" * 200), *rows])
    source = _file(folder, "round.csv", stream.getvalue().encode())
    assert _texts(source) == [text for text, _ in rows]
    assert _rewrite(source, folder / "o.csv") == source.path.read_bytes()
    changed = _rewrite(source, folder / "o.csv", {t: f'{t}",\n' for t, _ in rows})
    again = list(csv.reader(io.StringIO(changed.decode(), newline="")))[1:]
    assert again == [[f'{t}",\n', x] for t, x in rows]


@given(texts=st.lists(TEXT, max_size=6))
def test_jsonl_and_parquet_take_any_new_text(texts: list[str], folder: Path) -> None:
    change = {str(i): text for i, text in enumerate(texts)}
    source = _file(folder, "new.jsonl", _jsonl(*({"text": k, "n": 1} for k in change)))
    lines = _rewrite(source, folder / "o.jsonl", change).split(b"\n")[:-1]
    assert [json.loads(line) for line in lines] == [{"text": t, "n": 1} for t in texts]
    path = folder / "new.parquet"
    pq.write_table(pa.table({"text": pa.array(list(change), pa.string())}), path)
    _rewrite(tablefile.guess(path), folder / "o.parquet", change)
    assert pq.read_table(folder / "o.parquet")["text"].to_pylist() == texts


def test_only_changed_lines_change(tmp_path: Path) -> None:
    lines = [
        '{ "a" : 1.50, "text" : "그대로" }',
        '{"z": 12345678901234567890123, "f": 1.50, "text": "바꿔", "a": [1, {"b": "가"}]}',
        '{"text": "바꿔", "f": 1.5}\r',
        '{"text": "\\uac00"}',
        '{"x":1e400,"text":"바꿔"}',
    ]
    source = _file(tmp_path, "a.jsonl", "\n".join(lines).encode())
    assert _rewrite(source, tmp_path / "o.jsonl", {"바꿔": "새 것"}).decode().split("\n") == [
        lines[0],
        '{"z":12345678901234567890123,"f":1.50,"text":"새 것","a":[1,{"b":"가"}]}',
        '{"text":"새 것","f":1.5}\r',
        lines[3],
        '{"x":1e400,"text":"새 것"}',
    ]
    source = _file(tmp_path, "a.txt", "하나\r\n둘\n셋".encode())
    assert _rewrite(source, tmp_path / "o.txt", {"하나": "1", "셋": "3"}) == "1\r\n둘\n3".encode()


def test_changed_csv_rows_keep_their_dialect(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.csv", b'"text";"x"\r\n"a";"1"\r\n"b";"2"\r\n')
    source = tablefile.guess(source.path, delimiter=";")
    assert _rewrite(source, tmp_path / "o.csv", {"a": "c"}) == (
        b'"text";"x"\r\n"c";"1"\r\n"b";"2"\r\n'
    )
    source = _file(tmp_path, "a.tsv", b'text\tx\n"a\t1\n')
    assert _rewrite(source, tmp_path / "o.tsv", {'"a': 'b"'}) == b'text\tx\nb"\t1\n'
    with pytest.raises(InputError, match="delimiter"):
        _rewrite(source, tmp_path / "p.tsv", {'"a': "b\tc"})
    assert not (tmp_path / "p.tsv").exists()


ADDS = pa.schema([("hate", pa.float64()), ("n", pa.int64())])


def _add(source: Source, out: Path) -> bytes:
    with tablefile.writing(source, out, adds=ADDS) as writer:
        for part in _read(source, whole=True)[0]:
            columns = {"n": pa.array(range(len(part))), "hate": pa.array([0.25] * len(part))}
            writer.write(part, columns=columns)
    return out.read_bytes()


def test_columns_are_added_and_replaced(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.jsonl", _jsonl({"n": "old", "text": "가"}, {"text": "나"}))
    assert _add(source, tmp_path / "o.jsonl").decode().split("\n") == [
        '{"n":0,"text":"가","hate":0.25}',
        '{"text":"나","hate":0.25,"n":1}',
        "",
    ]
    source = _file(tmp_path, "a.csv", 'n,text\nold,"가,"\nold,나\n'.encode())
    added = _add(source, tmp_path / "o.csv").decode()
    assert added == 'n,text,hate\n0,"가,",0.25\n1,나,0.25\n'
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"n": ["x", "y"], "text": ["가", "나"]}), path)
    _add(tablefile.guess(path), tmp_path / "o.parquet")
    assert pq.read_table(tmp_path / "o.parquet").to_pydict() == {
        "n": [0, 1],
        "text": ["가", "나"],
        "hate": [0.25, 0.25],
    }
    with pytest.raises(InputError, match="no room"):
        _add(_file(tmp_path, "a.txt", b"a"), tmp_path / "o.txt")


def test_added_columns_are_there_without_rows(tmp_path: Path) -> None:
    assert _add(_file(tmp_path, "a.csv", b"text\n"), tmp_path / "o.csv") == b"text,hate,n\n"
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), path)
    _add(tablefile.guess(path), tmp_path / "o.parquet")
    assert pq.read_table(tmp_path / "o.parquet").column_names == ["text", "hate", "n"]


def test_parquet_keeps_schema_metadata_and_codec(tmp_path: Path) -> None:
    words = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(
        [
            pa.field("id", pa.int16(), nullable=False, metadata={b"unit": b"one"}),
            pa.field("text", words),
            pa.field("list", pa.list_(pa.struct([("a", pa.string())]))),
        ],
        metadata={b"made by": "시험".encode()},
    )
    table = pa.table(
        [pa.array([1, 2], pa.int16()), pa.array(["가", "나"], words), [[{"a": "x"}], None]],
        schema=schema,
    )
    path, out = tmp_path / "a.parquet", tmp_path / "o.parquet"
    pq.write_table(table, path, compression="gzip")
    _rewrite(tablefile.guess(path), out, {"가": "다"})
    written = pq.ParquetFile(out)
    assert written.schema_arrow.equals(pq.read_schema(path), check_metadata=True)
    assert written.schema_arrow.metadata[b"made by"] == "시험".encode()
    assert written.metadata.row_group(0).column(0).compression == "GZIP"
    assert written.read().drop_columns("text").equals(table.drop_columns("text"))
    assert written.read()["text"].to_pylist() == ["다", "나"]


@pytest.mark.parametrize("name", ["o.jsonl.gz", "o.jsonl.zst"])
def test_output_is_packed_by_its_name_and_the_same_every_time(name: str, tmp_path: Path) -> None:
    source = _file(tmp_path, "a.jsonl", _jsonl(*({"text": t} for t in TEXTS)))
    first = _rewrite(source, tmp_path / name)
    assert first == _rewrite(source, tmp_path / f"again{name}")
    assert _texts(tablefile.guess(tmp_path / name)) == TEXTS


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", b"a\n")
    out = tmp_path / "o.txt"
    out.write_bytes(b"mine")
    with pytest.raises(InputError, match="exists"), tablefile.writing(source, out):
        pass
    (tmp_path / "link.txt").symlink_to(source.path)
    for same in (source.path, tmp_path / "link.txt", tmp_path / "." / "a.txt"):
        with (
            pytest.raises(InputError, match="is the input"),
            tablefile.writing(source, same, force=True),
        ):
            pass
    assert out.read_bytes() == b"mine"
    assert _rewrite(source, out) == b"a\n"


@pytest.mark.parametrize(
    ("out", "told"), [(".", "folder"), ("no/o.txt", "no folder"), ("o.csv", "another form")]
)
def test_an_unusable_output_is_told(out: str, told: str, tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", b"a\n")
    with pytest.raises(InputError, match=told), tablefile.writing(source, tmp_path / out):
        pass


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.parquet", "a.txt.gz"])
def test_an_error_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "a.parquet":
        pq.write_table(pa.table({"text": ["a"]}), path)
    else:
        plain = b"text\na\n" if name == "a.csv" else b'{"text":"a"}\n'
        path.write_bytes(gzip.compress(plain, mtime=0) if name.endswith("gz") else plain)
    source = tablefile.guess(path)
    with pytest.raises(KeyError), tablefile.writing(source, tmp_path / f"o{name}") as writer:
        for part in _read(source, whole=True)[0]:
            writer.write(part)
            raise KeyError
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_misuse_is_told(tmp_path: Path) -> None:
    source = _file(tmp_path, "a.txt", b"a\nb\n")
    (part,), _ = _read(source)
    with tablefile.writing(source, tmp_path / "o.txt") as writer:
        for texts in (pa.array(["a"]), pa.array(["a", None])):
            with pytest.raises(ValueError, match="texts"):
                writer.write(part, texts)
        with pytest.raises(ValueError, match="columns"):
            writer.write(part, columns={"x": pa.array([1, 2])})
        with pytest.raises(InputError, match="two lines"):
            writer.write(part, pa.array(["a\nb", "c"]))
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a"], "n": [1]}), path)
    (part,), _ = _read(tablefile.guess(path))
    with (
        tablefile.writing(tablefile.guess(path), tmp_path / "o.parquet") as writer,
        pytest.raises(ValueError, match="whole=True"),
    ):
        writer.write(part)


# The two ways of reading JSON lines

SEEDS = [b'{"text":"a","x":[1,{"y":null}]}', b'{"x":-1.5e3,"text":"\\ud83d\\ude00\\n"}', b"{}"]
MARKS = [*b'{}[]":,\\ \t\r\n\0\xff\xed0.-eE', *b"NaN", *b"Inf", *b"text"]


@st.composite
def _near_json(draw: st.DrawFn) -> bytes:
    line = bytearray(b"\n".join(draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=3))))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(line)))
        length = draw(st.integers(0, 2))
        line[place : place + length] = draw(st.lists(st.sampled_from(MARKS), max_size=2))
    return bytes(line)


@given(data=_near_json())
def test_blocks_are_read_as_their_lines_are(data: bytes) -> None:
    form = JsonLines(Source(Path("a.jsonl"), "jsonl"), ["x"])
    columns = form.block(data) if data else None
    if columns is not None:
        lines = [streams.without_end(line) for line in streams.lines_of(data)]
        texts, others = zip(*(form.line(line) for line in lines), strict=True)
        assert columns[0].to_pylist() == list(texts)
        assert columns[1].to_pylist() == list(others)
        for line in lines:
            assert json.loads(jsonl.dump(line, {"text": "new"}))["text"] == "new"
