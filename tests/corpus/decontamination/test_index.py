"""The index against all pairs counted one by one."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.decontamination import index
from pipeline.corpus.decontamination.index import LEAST, Index, Pair

TEXTS = st.lists(st.text("가나다라", min_size=3, max_size=20), min_size=1, max_size=12)


def _grams(text: str) -> set[str]:
    return {text[start : start + 3] for start in range(len(text) - 2)}


def _by_definition(units: list[str], pieces: list[str]) -> dict[tuple[int, int], float]:
    every = [_grams(unit) for unit in units]
    frequency = {gram: sum(gram in grams for grams in every) for gram in set().union(*every)}
    weight = {gram: log(1 + (len(units) - n + 0.5) / (n + 0.5)) for gram, n in frequency.items()}
    return {
        (place, unit): sum(weight[g] for g in every[unit] & _grams(piece))
        / sum(weight[g] for g in every[unit])
        for place, piece in enumerate(pieces)
        for unit in range(len(units))
    }


@given(TEXTS, TEXTS)
def test_every_pair_that_reaches_the_least_score_is_found_once(
    units: list[str], pieces: list[str]
) -> None:
    pairs = list(Index(units).search(pieces))
    expected = _by_definition(units, pieces)
    scores = {(pair.piece, pair.unit): pair.score for pair in pairs}
    assert len(scores) == len(pairs)
    assert scores.keys() >= {pair for pair, score in expected.items() if score > LEAST + 1e-6}
    assert all(score == pytest.approx(expected[pair]) for pair, score in scores.items())
    assert all(score > LEAST - 1e-6 for score in scores.values())


@given(TEXTS, TEXTS)
def test_blocks_change_nothing(units: list[str], pieces: list[str]) -> None:
    whole = sorted(Index(units).search(pieces))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_PIECES", 2)
        patch.setattr(index, "_PAIRS", 3)
        assert sorted(Index(units).search(pieces)) == whole


def test_a_piece_that_holds_a_unit_has_1_and_one_without_is_not_there() -> None:
    pairs = list(Index(["봄꽃축제가열린다"]).search(["다음달봄꽃축제가열린다고한다", "눈이왔다"]))
    assert pairs == [Pair(0, 0, pytest.approx(1))]


def test_without_units_nothing_is_found() -> None:
    assert list(Index([]).search(["봄꽃축제가열린다"])) == []
    assert list(Index(["봄꽃축제가열린다"]).search([])) == []
