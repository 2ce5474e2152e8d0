"""Chunks hold a stream in order, within bounds, and a new file moves those around it alone."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

import pytest

from pipeline.corpus.readers import ranges
from pipeline.corpus.readers.base import Record, Rejected
from pipeline.corpus.readers.chunks import Chunk, cut_stream, digest_of

Item = Record | Rejected
FOLDER = Path("folder")


def _file(name: str, draw: random.Random, most: int) -> list[Item]:
    """Return the records of a file of up to `most` bytes, and a line that is none."""
    sizes = [draw.randint(1, 40) for _ in range(draw.randint(1, max(1, most // 20)))]
    lines: list[Item] = [Record(name, n, b"x" * size) for n, size in enumerate(sizes, 1)]
    return [*lines, Rejected("read.empty@1", "drop", "is blank", name, len(lines) + 1)]


def _chunks(files: dict[str, list[Item]], path: Path = FOLDER) -> list[Chunk]:
    return list(cut_stream(chain.from_iterable(files[name] for name in sorted(files)), path))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "BYTES", 2_000)
    monkeypatch.setattr(ranges, "RECORDS", 300)


@pytest.mark.thin("seed", "most")
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("most", "count"), [(100, 2_000), (1_000, 400), (6_000, 200)])
@pytest.mark.parametrize("seed", range(3))
def test_a_new_file_moves_few_chunks(seed: int, most: int, count: int) -> None:
    draw = random.Random(seed)
    files = {name: _file(name, draw, most) for name in (f"{2 * n:04d}.txt" for n in range(count))}
    before = _chunks(files)
    assert list(chain.from_iterable(before)) == list(chain.from_iterable(files.values()))
    sizes = [sum(len(item.data) for item in c if isinstance(item, Record)) for c in before]
    assert max(sizes) < ranges.BYTES + 40 and max(map(len, before)) <= ranges.RECORDS
    for number in (1, count // 2 * 2 + 1, 2 * count - 1):
        name = f"{number:04d}.txt"
        new = _chunks(files | {name: _file(name, draw, most)})
        known = {digest_of(chunk, FOLDER) for chunk in before}
        moved = [chunk for chunk in new if digest_of(chunk, FOLDER) not in known]
        in_moved = sum(len(item.data) for c in moved for item in c if isinstance(item, Record))
        assert name in {item.file for chunk in moved for item in chunk}
        assert in_moved < 10 * ranges.BYTES + most < sum(sizes) / 2


@pytest.mark.usefixtures("small")
def test_files_of_the_size_of_a_chunk_end_one() -> None:
    files = {f"{n}": [Record(f"{n}", 1, b"x" * 2_001)] for n in range(5)}
    files["2"] = [Record("2", n, b"x" * 500) for n in range(1, 7)]
    names = [[item.file for item in chunk] for chunk in _chunks(dict[str, list[Item]](files))]
    assert names == [["0"], ["1"], ["2"] * 4, ["2"] * 2, ["3"], ["4"]]


def test_a_digest_tells_records_apart_and_forgets_the_inputs_own_name() -> None:
    record = Record("a.zip!b", 1, b"ab", "a.zip")
    fault = Rejected("read.empty@1", "drop", "is blank", "a.zip!b", 1)
    different: list[Chunk] = [
        [],
        [record],
        [record, record],
        [Record("a.zip!b", 2, b"ab", "a.zip")],
        [Record("a.zip!c", 1, b"ab", "a.zip")],
        [Record("a.zip!b", 1, b"a", "a.zip"), Record("a.zip!b", 1, b"b", "a.zip")],
        [Record("b", 1, b"ab")],
        [Record("!b", 1, b"ab")],
        [fault],
        [Rejected("read.malformed@1", "drop", "is blank", "a.zip!b", 1)],
    ]
    assert len({digest_of(chunk, Path("a.zip")) for chunk in different}) == len(different)
    moved = Record("z.zip!b", 1, b"ab", "z.zip")
    assert digest_of([moved], Path("z.zip")) == digest_of([record], Path("elsewhere/a.zip"))
