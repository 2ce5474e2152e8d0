"""Items from JSONL and Parquet: what is read, what is refused and on which line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.annotation.intake.items import read_items
from pipeline.core.errors import InputError
from pipeline.tasks.dp.task import TASK as DP
from pipeline.tasks.sts.task import TASK as STS
from pipeline.tasks.tc.task import TASK as TC

GOOD = '{"item": "i1", "source": "airbnb", "fields": {"sentence1": "가", "sentence2": "나"}}'


def test_lines_become_items_and_bad_ones_are_named(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    lines = [
        "\ufeff" + GOOD,
        '{"item": "i2", "sentence1": "다", "sentence2": "라"}',
        '{"item": "i2", "sentence1": "다", "sentence2": "라"}',
        "",
        '{"item": "i3", "sentence1": "마"}',
        '{"item": "i4", "sentence1": "바", "senten',
        '{"item": "i5", "task": "tc", "sentence1": "바", "sentence2": "사"}',
        "[1]",
        '{"item": "i8", "fields": 3}',
        '{"item": "i6", "item": "i7", "sentence1": "바", "sentence2": "사"}',
    ]
    path.write_text("\n".join(lines), "utf-8")
    table, refused = read_items(path, STS)
    assert table.column("item").to_pylist() == ["i1", "i2"]
    assert table.column("fields")[1].as_py() == '{"sentence1":"다","sentence2":"라"}'
    assert table.column("source").to_pylist() == ["airbnb", None]
    assert [(r.line, r.rule) for r in refused] == [
        (3, "item.double@1"),
        (5, "item.fields@1"),
        (6, "item.malformed@1"),
        (7, "item.task@1"),
        (8, "item.malformed@1"),
        (9, "item.fields@1"),
        (10, "item.malformed@1"),
    ]
    assert not any("바" in r.reason for r in refused)


def test_packed_items_are_read(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    table, refused = read_items(path, STS)
    assert (table.num_rows, refused) == (1, [])


@pytest.mark.parametrize(
    ("name", "sign"), [("items.csv", ","), ("items.csv", ";"), ("items.tsv", "\t")]
)
def test_rows_of_csv_become_items(tmp_path: Path, name: str, sign: str) -> None:
    rows = [
        ("item", "source", "sentence1", "sentence2", "gold"),
        ("i1", "airbnb", "가", "1", "3"),
        ("i2", "", "다", "라", ""),
        ("i2", "", "다", "라", ""),
        ("i3", "", "마", "", ""),
        ("", "", "마", "바", ""),
    ]
    (tmp_path / name).write_text("\n".join(map(sign.join, rows)), "utf-8-sig")
    table, refused = read_items(tmp_path / name, STS)
    assert table.column("item").to_pylist() == ["i1", "i2"]
    assert table.column("fields")[0].as_py() == '{"sentence1":"가","sentence2":"1"}'
    assert table.column("gold").to_pylist() == ["3", None]
    assert table.column("source").to_pylist() == ["airbnb", None]
    assert [r.line for r in refused] == [4, 5, 6]


def test_a_label_in_csv_stays_a_text_and_a_field_may_be_json(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("item,title,gold\ni1,제목,1\n", "utf-8")
    assert read_items(path, TC)[0].column("gold").to_pylist() == ['"1"']
    path.write_text('item,text,words\ni1,나 간다,"[""나"", ""간다""]"\n', "utf-8")
    fields = read_items(path, DP)[0].column("fields")[0].as_py()
    assert '"words":["나","간다"]' in fields
    path.write_text("id,title\ni1,제목\n", "utf-8")
    with pytest.raises(InputError, match="has no column 'item'; it has: 'id', 'title'"):
        read_items(path, TC)


def test_parquet_comes_back_equal(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(GOOD, "utf-8")
    table, _ = read_items(tmp_path / "items.jsonl", STS)
    pq.write_table(table, tmp_path / "items.parquet")
    again, refused = read_items(tmp_path / "items.parquet", STS)
    assert again.equals(table)
    assert refused == []
    with pytest.raises(InputError, match="items of task sts, not of tc"):
        read_items(tmp_path / "items.parquet", TC)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "holds no item"),
        (b"{}", "line 1: the item has no id"),
        ("가".encode("cp949"), "convert it to UTF-8"),
    ],
    ids=range(3),
)
def test_unusable_files_are_told(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_items(path, TC)
    with pytest.raises(InputError, match="no such file"):
        read_items(tmp_path / "absent.jsonl", TC)
