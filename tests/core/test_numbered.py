"""Sets of numbers in bits, and texts on disk by number."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
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


@given(st.lists(st.lists(st.text())))
def test_texts_are_read_by_number_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, added: list[list[str]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("texts")
    with closing(TextWriter(folder, "some")) as writer:
        for some in added:
            writer.add(some)
    texts = [text for some in added for text in some]
    with Texts(folder, "some") as read:
        assert read.take(range(len(texts))) == texts
        assert read.take(reversed(range(len(texts)))) == texts[::-1]


def test_lone_surrogates_are_kept(tmp_path: Path) -> None:
    with closing(TextWriter(tmp_path, "some")) as writer:
        writer.add(["a\ud800b"])
    with Texts(tmp_path, "some") as read:
        assert read.take([0]) == ["a\ud800b"]
