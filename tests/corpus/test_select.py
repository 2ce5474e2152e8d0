"""Documents leave for a repeated key or a date outside the timeframe, and for nothing else."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import running, schemas, stage, store
from pipeline.core.ids import unit_id
from pipeline.corpus.select import select


def _documents(keys: list[str], dates: list[str | None]) -> pa.Table:
    return schemas.build(
        "documents",
        [
            {
                "id": unit_id("toy", key, "document"),
                "source": "toy",
                "key": key,
                "text": f"글 {n}",
                "sections": [],
                "meta": [],
                "file": "toy.txt",
                "line": n + 1,
                "date": date,
            }
            for n, (key, date) in enumerate(zip(keys, dates, strict=True))
        ],
    )


@pytest.mark.parametrize(
    ("start", "end", "kept"),
    [
        (None, None, "abcde"),
        ("2016-01-01", "2020-12-31", "bce"),
        (None, "2020-12-31", "abce"),
        ("2016-01-01", None, "bcde"),
    ],
)
def test_both_ends_of_a_timeframe_are_included(
    start: str | None, end: str | None, kept: str
) -> None:
    dates = ["2015-12-31", "2016-01-01", "2020-12-31", "2021-01-01", None]
    documents = _documents(list("abcde"), dates)
    found, rows = select(documents, repeated=set(), start=start, end=end)
    assert "".join(found.column("key").to_pylist()) == kept
    assert set(rows.column("rule").to_pylist()) <= {"select.timeframe@1"}
    assert found.num_rows + rows.num_rows == 5


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12), st.integers(1, 5))
def test_the_first_of_a_key_stays_wherever_the_shards_are_cut(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str], size: int
) -> None:
    work = tmp_path_factory.mktemp("select")
    read = stage.call("pipeline.corpus.read", work=work, source="toy", params={"inputs": []})
    read.folder.mkdir(parents=True)
    documents = _documents(keys, [None] * len(keys))
    for n, start in enumerate(range(0, len(keys), size)):
        store.write_table(read.folder, "documents", f"{n:05d}", documents.slice(start, size))
    call = stage.call(
        "pipeline.corpus.select",
        work=work,
        source="toy",
        inputs=(read,),
        params={"from": None, "to": None},
    )
    running.complete(call)
    found = store.read_all(call.folder, "documents")
    first = [key for n, key in enumerate(keys) if key not in keys[:n]]
    assert found.column("key").to_pylist() == first
    ledger = store.read_all(call.folder, "ledger").to_pylist()
    again = [n + 1 for n, key in enumerate(keys) if key in keys[:n]]
    assert sorted(row["line"] for row in ledger) == again
    assert {row["action"] for row in ledger} <= {"quarantine"}


@pytest.mark.parametrize("start", [None, "2016-01-01"])
def test_a_shard_without_documents_stays_empty(start: str | None) -> None:
    kept, rows = select(_documents([], []), repeated=set(), start=start, end=None)
    assert (kept.num_rows, rows.num_rows) == (0, 0)


def test_a_repeated_document_out_of_the_timeframe_leaves_once(tmp_path: Path) -> None:
    documents = _documents(["a", "a"], ["2010-01-01", "2010-01-01"])
    kept, rows = select(documents, repeated={1}, start="2016-01-01", end=None)
    assert kept.num_rows == 0
    assert sorted(rows.column("rule").to_pylist()) == ["read.repeated_id@1", "select.timeframe@1"]
