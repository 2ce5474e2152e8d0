"""Rows of files by place: the same as in memory, without the pages staying in the process."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import mapped
from pipeline.core.mapped import Mapped

ROW = [("n", "<i8"), ("half", "<i4")]


@given(st.lists(st.integers(0, 2**40), min_size=1), st.data())
def test_rows_are_those_of_the_file_in_the_order_asked_for(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("mapped") / "rows"
    rows = np.zeros(len(numbers), ROW)
    rows["n"], rows["half"] = numbers, np.array(numbers) // 2**12
    rows.tofile(path)
    places = np.array(data.draw(st.lists(st.integers(0, len(numbers) - 1))), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "_BLOCK", data.draw(st.sampled_from([12, 40, 2**22])))
        assert Mapped(path, ROW).take(places).tolist() == rows[places].tolist()


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "rows").touch()
    empty = Mapped(tmp_path / "rows", np.uint8)
    nothing, zeros = np.empty(0, np.int64), np.zeros(3, np.int64)
    assert empty.take(nothing).tolist() == []
    assert empty.slices(zeros, zeros) == [b"", b"", b""]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, which Linux alone has")
def test_pages_that_were_read_do_not_stay(tmp_path: Path) -> None:
    size = 2**26
    with (tmp_path / "bytes").open("wb") as file:
        file.truncate(size)
    pages = Mapped(tmp_path / "bytes", np.uint8)
    before = _mapped_kilobytes()
    assert not pages.take(np.arange(0, size, 1024)[::-1]).any()
    assert (_mapped_kilobytes() - before) * 1024 < size / 4


def _mapped_kilobytes() -> int:
    """Return what this process has of files in its memory."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssFile:"))
