"""Sets of numbers in bits, and texts on disk by number."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.numbered import NumberSet, Texts, TextWriter


@given(st.lists(st.lists(st.integers(0, 40))))
def test_a_set_has_what_was_added(added: list[list[int]]) -> None:
    numbers = NumberSet(41)
    for some in added:
        numbers.add(np.array(some, np.int64))
    expected = {n for some in added for n in some}
    assert numbers.sorted().tolist() == sorted(expected)
    assert numbers.has(np.arange(41)).tolist() == [n in expected for n in range(41)]


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])))))
def test_texts_are_read_by_number_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, added: list[list[str]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("texts")
    column = pa.chunked_array([pa.array(some, pa.string()) for some in added], pa.string())
    with closing(TextWriter(folder, "some")) as writer:
        writer.add(column)
        writer.add(column.slice(1, 3))  # chunks that begin and end inside of their buffers
    texts = column.to_pylist() + column.to_pylist()[1:4]
    read = Texts(folder, "some")
    assert read.take(np.arange(len(texts))).to_pylist() == texts
    assert read.take(np.arange(len(texts))[::-1]).to_pylist() == texts[::-1]
