"""Notices of many documents go, once found; what few documents share, or no one, stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.core import schemas, store
from pipeline.corpus import repeats

NOTICE = "가람일보는 독자 여러분의 제보를 기다립니다 무단 전재를 금합니다"
OTHER = "[이 글의 일부가 이용 규칙에 따라 관리자에 의해 고쳐졌습니다]"
HEADS = [
    "비가 왔다.",
    "눈이 내렸다고 했다.",
    "바람이 분다",
    "해가 떴다!",
    "달이 졌다.",
    "별이 많다.",
]


def _cut(folder: Path, texts: list[str], shards: int = 1) -> tuple[list[str], list[str]]:
    rows = [
        {
            "id": f"x-w{n:020x}",
            "source": "x",
            "document": f"x-d{n:020x}",
            "kind": "whole",
            "ordinal": 0,
            "start": 0,
            "end": len(text),
            "text": text,
        }
        for n, text in enumerate(texts)
    ]
    tables = [schemas.build("units", rows[shard::shards]) for shard in range(shards)]
    paths = [folder / f"units-{shard}.parquet" for shard in range(shards)]
    for path, table in zip(paths, tables, strict=True):
        store.write_parquet(path, table)
    repeats.count(paths, folder / "repeated.parquet", length=20, documents=4)
    done = [repeats.cut(table, folder / "repeated.parquet", length=20) for table in tables]
    units = pa.concat_tables([units for units, _ in done]).sort_by("id")
    ledger = pa.concat_tables([rows for _, rows in done]).sort_by("unit")
    return units.column("text").to_pylist(), ledger.column("reason").to_pylist()


def test_a_notice_glued_to_many_texts_is_cut_with_a_ledger_row_each(tmp_path: Path) -> None:
    texts = [f"{head} {NOTICE}" for head in HEADS]
    cut, reasons = _cut(tmp_path, [*texts, "따로 쓴 글이다."])
    assert [text.strip() for text in cut] == [*HEADS, "따로 쓴 글이다."]
    assert len(reasons) == len(HEADS)
    assert all(reason.startswith("span 1; ") for reason in reasons)


def test_two_notices_side_by_side_are_both_cut(tmp_path: Path) -> None:
    texts = [f"{head} {OTHER}" for head in HEADS] + [f"{head} {OTHER} {NOTICE}" for head in HEADS]
    cut, _ = _cut(tmp_path, texts)
    assert [text.strip() for text in cut] == HEADS * 2


def test_what_too_few_documents_share_stays(tmp_path: Path) -> None:
    texts = [f"{head} {NOTICE}" for head in HEADS[:3]]
    assert _cut(tmp_path, texts) == (texts, [])
    twice = [f"{NOTICE} {NOTICE} {NOTICE} {NOTICE}"]
    assert _cut(tmp_path, twice) == (twice, [])
    assert _cut(tmp_path, ["", "짧다"]) == (["", "짧다"], [])


def test_shards_make_no_difference(tmp_path: Path) -> None:
    texts = [f"{head} {NOTICE} {head}" for head in HEADS]
    assert _cut(tmp_path, texts) == _cut(tmp_path, texts, shards=3)


def test_windows_of_other_tables_make_no_difference(tmp_path: Path) -> None:
    texts = [f"{head} {NOTICE}" for head in HEADS]
    expected = _cut(tmp_path, texts)
    path = tmp_path / "repeated.parquet"
    others = np.random.default_rng(1).integers(0, 2**64, 200_000, np.uint64)
    own = pq.read_table(path)
    rows = pa.table({"hash": others, "documents": np.full(len(others), 9)}, own.schema)
    store.write_parquet(path, pa.concat_tables([own, rows]).sort_by("hash"))
    table = store.read_table(tmp_path / "units-0.parquet", "units")
    units, ledger = repeats.cut(table, path, length=20)
    assert (units.column("text").to_pylist(), ledger.column("reason").to_pylist()) == expected
    none, _ = repeats.cut(table.slice(0, 0), path, length=20)
    assert none.num_rows == 0
