"""Short sentences leave, and the ledger says how short they are."""

from __future__ import annotations

import pyarrow as pa

from pipeline.core import schemas
from pipeline.corpus.pretraining.length import drop_short


def _units(*texts: str) -> pa.Table:
    rows = [
        {"id": f"x-s{n}", "source": "x", "document": "x-d0", "kind": "sentence", "ordinal": n}
        | {"start": 0, "end": 1, "text": text}
        for n, text in enumerate(texts)
    ]
    return schemas.build("units", rows)


def test_characters_count_and_not_bytes() -> None:
    kept, rows = drop_short(_units("가" * 200, "가" * 199, "a" * 200, "가나"), 200)
    assert kept.column("id").to_pylist() == ["x-s0", "x-s2"]
    assert rows.select(["unit", "rule", "score"]).to_pylist() == [
        {"unit": "x-s1", "rule": "length.short@1", "score": 199.0},
        {"unit": "x-s3", "rule": "length.short@1", "score": 2.0},
    ]


def test_no_unit_is_no_fault() -> None:
    kept, rows = drop_short(_units(), 200)
    assert (kept.num_rows, rows.num_rows) == (0, 0)
