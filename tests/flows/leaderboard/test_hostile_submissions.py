"""Files that nobody should send: each is refused with a reason, and nothing is charged.

They go through the checker of a board as a submission does, with little memory and few seconds.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import board_stories as boards
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from board_stories import Sent, lines

from flows.leaderboard.board import Board
from flows.leaderboard.job_server import JobClient
from pipeline.leaderboard import quotas
from pipeline.leaderboard.database import reading
from pipeline.leaderboard.settings import Upload

MIB = 1024**2
UPLOAD = Upload(decoded_bytes=50 * MIB, seconds=20, memory=600 * MIB)
Rows = list[dict[str, Any]]


def _parquet(table: pa.Table, **options: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def _table(rows: Rows, **columns: pa.Array) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in ("guid", "label")} | columns)


def _zip(rows: Rows) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("p.jsonl", lines(rows))
    return stream.getvalue()


def _with(rows: Rows, place: int, **fields: Any) -> bytes:
    return lines([*rows[:place], {**rows[place], **fields}, *rows[place + 1 :]])


def _repeated(rows: Rows) -> bytes:
    """Return a small Parquet file in which one long text stands for every row."""
    places = pa.array([0] * len(rows), pa.int32())
    label = pa.DictionaryArray.from_arrays(places, pa.array(["x" * 20 * MIB]))
    return _parquet(_table(rows, label=label))


def _nested(rows: Rows) -> bytes:
    value: Any = "neutral"
    for _ in range(60):
        value = [value]
    return _parquet(_table(rows, label=pa.array([value] * len(rows))))


def _many_groups(rows: Rows) -> bytes:
    return _parquet(_table(rows * 20), row_group_size=1)


def _wide(rows: Rows) -> bytes:
    columns = {f"column{place}": pa.nulls(1, pa.int8()) for place in range(20_000)}
    return _parquet(pa.table({"guid": [rows[0]["guid"]], "label": ["neutral"], **columns}))


SCRIPT, FORMULA = "<script>alert(1)</script>", "=HYPERLINK(1)"
#: What is sent, under which ending, and what is said of it.
CASES: dict[str, tuple[Callable[[Rows], bytes], str, str]] = {
    "missing": (lambda rows: lines(rows[2:]), "jsonl", "2 missing"),
    "twice": (lambda rows: lines([*rows, rows[0]]), "jsonl", "stands here again, first in line 1"),
    "unknown": (
        lambda rows: lines([*rows, {"guid": "nli-x", "label": "neutral"}]),
        "jsonl",
        "guid nli-x is not in the gold",
    ),
    "csv": (lambda rows: b"guid,label\n" + lines(rows), "jsonl", "line 1: is not one JSON object"),
    "empty lines": (lambda _: b"\n\n\n", "jsonl", "holds no prediction"),
    "zip": (_zip, "jsonl", "is a zip archive"),
    "png": (lambda _: b"\x89PNG\r\n\x1a\n" + bytes(500), "jsonl", "is a PNG image"),
    "zip as gz": (_zip, "jsonl.gz", "is no .gz file"),
    "no parquet": (lambda rows: b"PAR1" + lines(rows), "parquet", "no Parquet file"),
    "label": (lambda rows: _with(rows, 3, label="maybe"), "jsonl", "line 4: guid"),
    "script as label": (lambda rows: _with(rows, 0, label=SCRIPT), "jsonl", "line 1: guid"),
    "formula as guid": (lambda rows: _with(rows, 0, guid=FORMULA), "jsonl", "line 1: guid ("),
    "script as guid": (lambda rows: _with(rows, 0, guid=SCRIPT), "jsonl", "line 1: guid ("),
    "deep": (lambda rows: lines(rows) + b"[" * 10**6, "jsonl", "nested too deeply"),
    "deep object": (
        lambda rows: lines(rows) + b'{"guid": ' + b'{"a":' * 10**6,
        "jsonl",
        "nested too deeply",
    ),
    "numbers": (lambda rows: lines(rows) + b'{"guid": ' + b"9" * 10**6, "jsonl", "line "),
    "long line": (
        lambda rows: lines(rows) + b'{"guid": "' + b"x" * 30 * MIB,
        "jsonl",
        "longer than 10,485,760 bytes",
    ),
    "more than decoded": (
        lambda rows: lines(rows) + (b" " * 2 * MIB + b"\n") * 40,
        "jsonl",
        "unpacks to more than 52,428,800 bytes",
    ),
    "gz bomb": (
        lambda rows: gzip.compress(lines(rows) + b" " * 200 * MIB, 1),
        "jsonl.gz",
        "unpacks to more than",
    ),
    "gz within gz": (
        lambda rows: gzip.compress(gzip.compress(lines(rows))),
        "jsonl.gz",
        "is gzip data",
    ),
    "zst bomb": (
        lambda rows: zstandard.ZstdCompressor().compress(lines(rows * 9) + b" " * 200 * MIB),
        "jsonl.zst",
        "unpacks to more than",
    ),
    "blank lines": (lambda rows: lines(rows) + b"\n" * 5 * MIB, "jsonl", "lines are blank"),
    "parquet of one long text": (_repeated, "parquet", "unpacks to more than"),
    "nested parquet": (_nested, "parquet", "p.parquet"),
    "row groups": (_many_groups, "parquet", "double"),
    "columns": (_wide, "parquet", "275 missing"),
}


def _refused(board: Board, jobs: JobClient, content: bytes, ending: str) -> str:
    who = boards.submitter(board)
    strict = replace(board, settings=board.settings.model_copy(update={"upload": UPLOAD}))
    sent = boards.send(strict, who, "nli", Sent(content), ending)
    boards.settle(strict, jobs, score=False)
    done = boards.now(board, sent)
    assert (done.state, done.accepted_at) == ("refused", None), done
    with reading(board.engine) as connection:
        limits = board.settings.limits
        quota = quotas.quota_of(connection, who, "nli", limits, now=board.clock())
    assert (quota.day[0], quota.pending, quota.left) == (0, 0, limits.day)
    return done.reason.replace(sent.key, "p")


@pytest.mark.thin(2)
@pytest.mark.parametrize("name", sorted(CASES))
def test_a_hostile_file_is_refused_with_a_reason(
    board: Board, jobs: JobClient, release: Path, name: str
) -> None:
    make, ending, told = CASES[name]
    reason = _refused(board, jobs, make(boards.answers(release, "nli")), ending)
    assert told in reason
    assert str(board.folder) not in reason, "a message tells a path of the server"
    assert "script>" not in reason and "HYPERLINK" not in reason
    assert len(reason) < 10_000


def test_answers_of_another_task_are_refused(board: Board, jobs: JobClient, release: Path) -> None:
    reason = _refused(board, jobs, lines(boards.answers(release, "tc")), "jsonl")
    assert "none of them is there: is this the file of another task or split?" in reason


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_ten_gigabytes_are_refused_at_once(
    board: Board, jobs: JobClient, release: Path, ending: str
) -> None:
    """A sparse file, as a fault of the intake would leave it: nothing of it is held."""
    rows = lines(boards.answers(release, "nli"))
    who = boards.submitter(board)
    strict = replace(board, settings=board.settings.model_copy(update={"upload": UPLOAD}))
    sent = boards.send(strict, who, "nli", Sent(rows * 10), ending)
    with (board.layout.submissions / f"{sent.key}.{ending}").open("r+b") as file:
        file.truncate(10 * 1024**3)
    boards.settle(strict, jobs, score=False)
    done = boards.now(board, sent)
    assert done.state == "refused"
    wanted = "unpacks to more than" if ending == "jsonl" else "damaged or no Parquet"
    assert wanted in done.reason


def test_what_needs_too_much_memory_is_refused(
    board: Board, jobs: JobClient, release: Path
) -> None:
    """Honest bytes of small lists, each of which takes a hundred times as much when it is read."""
    rows = boards.answers(release, "nli")
    content = lines(rows) + b'{"guid": ' + json.dumps([[]] * 2_000_000).encode() + b"}\n"
    upload = Upload(decoded_bytes=50 * MIB, seconds=20, memory=60 * MIB)
    strict = replace(board, settings=board.settings.model_copy(update={"upload": upload}))
    sent = boards.send(strict, boards.submitter(board), "nli", Sent(content))
    boards.settle(strict, jobs, score=False)
    done = boards.now(board, sent)
    assert done.state == "refused" and "took more than 60 MiB of memory" in done.reason


def test_a_broken_dev_file_is_refused_and_named(
    board: Board, jobs: JobClient, release: Path
) -> None:
    rows = lines(boards.answers(release, "nli"))
    dev = lines(boards.answers(release, "nli", "dev")[1:])
    sent = boards.send(board, boards.submitter(board), "nli", Sent(rows, dev))
    boards.settle(board, jobs)
    done = boards.now(board, sent)
    assert done.state == "refused" and done.reason.startswith(f"{sent.key}.dev.jsonl: nothing is")
