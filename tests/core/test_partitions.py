"""Rows divided by key on disk: none is lost, keys stay together, and little is held at a time."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import partitions
from pipeline.core.errors import RetryError
from pipeline.core.numbered import Numbers
from pipeline.core.partitions import Part, Partitions, Rows, in_order, scratch, shared_groups

ROW = [("key", "<u8"), ("n", "<i8")]
#: Keys that differ in their first bits, in their last ones alone, and not at all.
KEYS = st.lists(
    st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 3), st.sampled_from([7, 2**63])),
    max_size=60,
)


@pytest.fixture(params=[2**14, 2**10], ids=["4 rows a part", "64 rows a part"])
def _tiny_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "_SHARE", request.param)


def _rows(keys: list[int]) -> Rows:
    rows = np.empty(len(keys), ROW)
    rows["key"], rows["n"] = np.array(keys, np.uint64), np.arange(len(keys))
    return rows


def _parts(folder: Path, rows: Rows, at_a_time: int) -> list[Part]:
    parts = Partitions(folder / "rows", ROW, 1)
    for n in range(0, len(rows), at_a_time):
        parts.add(rows[n : n + at_a_time])
    return [*parts.parts()]


@pytest.mark.usefixtures("_tiny_parts")
@given(KEYS, st.integers(1, 9))
def test_rows_come_once_and_in_the_order_of_parts(
    tmp_path_factory: pytest.TempPathFactory, keys: list[int], at_a_time: int
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    found = _parts(folder, _rows(keys), at_a_time)
    assert Counter(n for part in found for n in part.rows["n"].tolist()) == Counter(
        range(len(keys))
    )
    seen: set[int] = set()
    highest = -1
    for part in found:
        here = set(part.rows["key"].tolist())
        assert part.continues == bool(here & seen)  # all rows of a key are in one part
        assert not part.continues or len(here) == 1
        assert min(here) >= highest
        highest, seen = max(here), seen | here
    for key in set(keys):  # and in the order in which they were added
        numbers = [n for p in found for k, n in p.rows.tolist() if k == key]
        assert numbers == sorted(numbers)
    assert not any(folder.iterdir())


@pytest.mark.usefixtures("_tiny_parts")
def test_a_part_is_no_larger_than_its_share_of_the_memory(tmp_path: Path) -> None:
    most = 2**20 // partitions._SHARE
    random = np.random.default_rng(1)
    keys = [*random.integers(0, 2**63, 500).tolist(), *([5] * 100), *range(100)]
    found = _parts(tmp_path, _rows(keys), 50)
    assert max(part.rows.nbytes for part in found) <= most
    assert sum(len(part.rows) for part in found) == len(keys)


@given(st.lists(st.integers(0, 9), max_size=40))
def test_groups_are_rows_that_share_a_key(keys: list[int]) -> None:
    rows, starts = shared_groups(Part(_rows(keys)))
    many = Counter(keys)
    expected = sorted((key, n) for n, key in enumerate(keys) if many[key] > 1)
    assert rows.tolist() == expected
    firsts = [keys.index(key) for key, _ in expected]
    assert rows["n"][starts].tolist() == firsts


def test_a_piece_with_one_row_is_a_group_with_those_before() -> None:
    rows, _ = shared_groups(Part(_rows([4]), continues=True))
    assert len(rows) == 1


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(-5, 5)), max_size=40))
def test_pairs_come_in_order(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("pairs") / "pairs"

    def some() -> Iterator[tuple[Numbers, Numbers]]:
        for n in range(0, len(pairs), 7):
            firsts, seconds = np.array(pairs[n : n + 7], np.int64).T
            yield firsts, seconds

    found = [
        pair
        for firsts, seconds in in_order(some(), folder, 1, below=100)
        for pair in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
    assert found == sorted(pairs)


def test_a_full_disk_is_a_clear_error_and_leaves_nothing(tmp_path: Path) -> None:
    message = "No space left on device; see that its disk has room"
    with pytest.raises(RetryError, match=message), scratch(tmp_path) as place:
        (place / "half").write_text("x", "utf-8")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert not any(tmp_path.iterdir())


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "join" / "old").mkdir(parents=True)
    with scratch(tmp_path) as place:
        assert not any(place.iterdir())
