"""Files written again: rows that match leave, all others stay as they were, in every form."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.core import store
from pipeline.core.io import batch, guess_source
from pipeline.core.pool import Workers
from pipeline.corpus.decontamination.benchmark import Benchmark, Guarded, guarded_table
from pipeline.corpus.decontamination.files import CorpusFile, decontaminate_files
from pipeline.corpus.decontamination.tally import Tally

HEADLINE = "가람시 봄꽃 축제 다음 달 열린다"
PREMISE = "창문이 모두 열려 있어서 방이 몹시 추웠다"
GUARDED = [
    Guarded("nli", "dev", "nli-1", PREMISE),
    Guarded("nli", "dev", "nli-2", PREMISE),
    Guarded("nli", "dev", "nli-2", "문을 열었다"),
    Guarded("tc", "train", "tc-1", HEADLINE),
    Guarded("tc", "train", "tc-2", "짧다"),
    Guarded("mine.txt", None, "1", "우산을 두고 나왔는데 소나기가 내렸다"),
]
TEXTS = [
    "도서관은 월요일에 쉰다",
    HEADLINE,
    "",
    "방이 추웠다",
    PREMISE,
    f"끝으로 {HEADLINE}고 한다",
]
KEPT, REMOVED = [0, 2, 3], [1, 4, 5]


@pytest.fixture
def guarded(tmp_path: Path) -> Path:
    path = tmp_path / "guarded.parquet"
    store.write_parquet(path, guarded_table(GUARDED))
    return path


def _run(files: list[CorpusFile], out: Path, guarded: Path, workers: int = 1) -> Tally:
    out.mkdir()
    with Workers(workers) as pool:
        return decontaminate_files(files, out, guarded=guarded, rule="alignment", workers=pool)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _csv(rows: list[list[str]], **how: str) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, **how).writerows(rows)  # type: ignore[arg-type]
    return stream.getvalue()


def _as_text(places: list[int]) -> bytes:
    return "".join(f"{TEXTS[n]}\n" for n in places).encode()


def _as_jsonl(places: list[int]) -> bytes:
    rows = ({"n": n, "text": TEXTS[n], "more": [1.50, None]} for n in places)
    return "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows).encode()


def _as_csv(places: list[int]) -> bytes:
    return _csv([["n", "text"], *([f'"{n}", x', TEXTS[n]] for n in places)]).encode()


def _as_tsv(places: list[int]) -> bytes:
    return "".join(["text\tn\n", *(f'{TEXTS[n]}\t"{n}\n' for n in places)]).encode()


@pytest.mark.parametrize(
    ("name", "form", "pack", "unpack"),
    [
        ("a.txt", _as_text, bytes, bytes),
        ("a.txt.xz", _as_text, lzma.compress, lzma.decompress),
        ("a.jsonl", _as_jsonl, bytes, bytes),
        ("a.jsonl.gz", _as_jsonl, gzip.compress, gzip.decompress),
        ("a.csv", _as_csv, bytes, bytes),
        ("a.tsv", _as_tsv, bytes, bytes),
    ],
)
def test_rows_that_stay_are_byte_for_byte_what_they_were(
    name: str,
    form: Callable[[list[int]], bytes],
    pack: Callable[[bytes], bytes],
    unpack: Callable[[bytes], bytes],
    tmp_path: Path,
    guarded: Path,
) -> None:
    (tmp_path / name).write_bytes(pack(form(list(range(len(TEXTS))))))
    out = tmp_path / "out"
    _run([CorpusFile(f"sub/{name}", guess_source(tmp_path / name))], out, guarded)
    assert unpack((out / "sub" / name).read_bytes()) == form(KEPT)
    assert [row["row"] for row in _lines(out / "removed.jsonl")] == REMOVED
    assert not (out / "quarantine.jsonl").exists()


def test_parquet_keeps_its_columns_and_types(tmp_path: Path, guarded: Path) -> None:
    columns = {"n": pa.array(range(6), pa.int16()), "text": TEXTS, "tags": [["a"], None] * 3}
    table = pa.table(columns)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    _run([CorpusFile("a.parquet", guess_source(tmp_path / "a.parquet"))], tmp_path / "o", guarded)
    assert pq.read_table(tmp_path / "o" / "a.parquet").equals(table.take(KEPT))


def test_ledger_and_contaminated_examples(tmp_path: Path, guarded: Path) -> None:
    (tmp_path / "a.txt").write_bytes(_as_text(list(range(len(TEXTS)))) + b"bad \xff\n")
    out = tmp_path / "out"
    tally = _run([CorpusFile("a.txt", guess_source(tmp_path / "a.txt"))], out, guarded)
    verbatim = {"score": 1.0, "rule": "benchmark.verbatim@1"}
    headline = {"file": "a.txt", "task": "tc", "split": "train", "example": "tc-1"}
    premise = {"file": "a.txt", "task": "nli", "split": "dev", "example": "nli-1"}
    assert _lines(out / "removed.jsonl") == [
        headline | {"row": 1} | verbatim,
        premise | {"row": 4} | verbatim,
        headline | {"row": 5} | verbatim,
    ]
    assert _lines(out / "contaminated.jsonl") == [
        {"task": "nli", "split": "dev", "example": "nli-1", "rows": 1} | verbatim,
        {"task": "nli", "split": "dev", "example": "nli-2", "rows": 1} | verbatim,
        {"task": "tc", "split": "train", "example": "tc-1", "rows": 2} | verbatim,
    ]
    (rejected,) = _lines(out / "quarantine.jsonl")
    assert (rejected["file"], rejected["row"], rejected["rule"]) == (
        "a.txt",
        6,
        "file.encoding@1",
    )
    assert (tally.files["a.txt"].rows, tally.files["a.txt"].quarantined.total()) == (6, 1)
    assert tally.benchmark_counts() == {
        "mine.txt": {"": {"examples": 1, "unguarded": 0, "matched": 0, "removed": 0}},
        "nli": {"dev": {"examples": 2, "unguarded": 0, "matched": 2, "removed": 1}},
        "tc": {"train": {"examples": 2, "unguarded": 1, "matched": 1, "removed": 2}},
    }


def test_the_order_of_the_benchmark_changes_nothing() -> None:
    table = guarded_table(GUARDED)
    assert guarded_table([*reversed(GUARDED), *GUARDED]).equals(table)
    owners = Benchmark(table).owners
    assert [owner.example for owner in owners[Benchmark(table).texts.index(PREMISE)]] == [
        "nli-1",
        "nli-2",
    ]


def test_two_workers_write_the_same_bytes(
    tmp_path: Path, guarded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "BYTES", 200)  # many batches
    files = []
    for number in range(3):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(_as_jsonl([*range(len(TEXTS))] * (20 * number + 1)))
        files.append(CorpusFile(path.name, guess_source(path)))
    for workers in (1, 2):
        _run(files, tmp_path / f"out{workers}", guarded, workers)
    written = [
        {path.name: path.read_bytes() for path in (tmp_path / f"out{workers}").iterdir()}
        for workers in (1, 2)
    ]
    assert written[0] == written[1]
    assert len(written[0]) == 5
    assert len(written[0]["removed.jsonl"].splitlines()) == 3 * (1 + 21 + 41)
