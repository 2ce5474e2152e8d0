"""Sentences that hold texts of a benchmark leave; no table has a text of it."""

from __future__ import annotations

import pyarrow as pa

from pipeline.core import schemas
from pipeline.corpus.decontamination.benchmark import Benchmark, Guarded, guarded_table
from pipeline.corpus.decontamination.guard import Guard
from pipeline.corpus.decontamination.rules import RULES
from pipeline.corpus.pretraining.decontaminate import decontaminate

TITLE = "가람시 시립 도서관 운영 시간 밤 열 시까지 늘어"
GUARDED = guarded_table(
    [
        Guarded("tc", "dev", "tc-1", TITLE),
        Guarded("tc", "train", "tc-2", TITLE),
        Guarded("nli", "train", "nli-1", "배우들의 연기가 정말 자연스러웠습니다"),
    ]
)
TEXTS = [
    "새로 생긴 공원에는 나무가 많아 그늘이 넓다.",
    f"{TITLE}.",
    "배우들의 연기가 정말 자연스러웠읍니다!",
    "버스 노선이 바뀌어 출근길이 길어졌다.",
]


def _tables() -> dict[str, pa.Table]:
    benchmark = Benchmark(GUARDED)
    rows = [
        {"id": f"x-s{n}", "source": "x", "document": "x-d0", "kind": "sentence", "ordinal": n}
        | {"start": 0, "end": 1, "text": text}
        for n, text in enumerate(TEXTS)
    ]
    guard = Guard(benchmark, RULES["alignment"](benchmark.texts))
    return decontaminate(schemas.build("units", rows), guard)


def test_copies_leave_and_all_else_stays() -> None:
    assert _tables()["units"].column("id").to_pylist() == ["x-s0", "x-s3"]


def test_the_ledger_names_task_split_and_example() -> None:
    rows = _tables()["ledger"].to_pylist()
    assert [(row["unit"], row["rule"], row["reason"]) for row in rows] == [
        ("x-s1", "benchmark.verbatim@1", "holds a text of tc dev tc-1"),
        ("x-s2", "benchmark.near@1", "holds a text of nli train nli-1"),
    ]
    assert rows[0]["score"] == 1.0
    assert 0.73 <= rows[1]["score"] < 1.0


def test_every_example_that_has_the_text_is_contaminated() -> None:
    tables = _tables()
    rows = tables["contaminated"].to_pylist()
    pairs = [(row["unit"], row["task"], row["split"], row["example"]) for row in rows]
    assert pairs == [
        ("x-s1", "tc", "dev", "tc-1"),
        ("x-s1", "tc", "train", "tc-2"),
        ("x-s2", "nli", "train", "nli-1"),
    ]
    for name in ("ledger", "contaminated"):
        assert not any(text in str(tables[name].to_pylist()) for text in (TITLE, "배우들의"))
