"""Near-duplicates are those that comparing all pairs of sets finds, whatever the sketch's width."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.release.leakage.compare import key
from pipeline.release.leakage.grams import Sketches, codes, jaccard, likest, width_for

Pairs = dict[int, tuple[float, int]]
_TEXT = st.text("가나다라 ", min_size=1, max_size=24).map(key).filter(bool)


def _trigrams(text: str) -> set[str]:
    letters = text.replace(" ", "")
    return {letters[i : i + 3] for i in range(max(1, len(letters) - 2))}


def _by_hand(left: list[str], right: list[str], least: float) -> Pairs:
    found: Pairs = {}
    for i, one in enumerate(map(_trigrams, left)):
        scores = [
            (len(one & other) / len(one | other), -j)
            for j, other in enumerate(map(_trigrams, right))
        ]
        best, place = max(scores, default=(0.0, 0))
        if best >= least:
            found[i] = (best, -place)
    return found


def _found(left: list[str], right: list[str], least: float, width: int) -> Pairs:
    sketches = Sketches.of(left, width), Sketches.of(right, width)
    return likest(left, right, sketches, least)


@given(
    st.lists(_TEXT, max_size=8),
    st.lists(_TEXT, max_size=8),
    st.sampled_from([0.25, 0.5, 0.8, 1.0]),
    st.integers(1, 3),
)
def test_all_pairs_are_those_of_brute_force(
    left: list[str], right: list[str], least: float, width: int
) -> None:
    assert _found(left, right, least, width) == _by_hand(left, right, least)


@pytest.mark.parametrize("changed", range(0, 16, 3))
def test_a_long_text_with_some_words_changed(changed: int) -> None:
    words = [f"낱말{chr(0xAC00 + 37 * i)}{chr(0xB098 + 11 * i)}" for i in range(120)]
    other = [*words]
    for i in range(changed):
        other[7 * i] = "다른말"
    texts = [" ".join(words)], ["전혀 다른 글", " ".join(other)]
    expected = _by_hand(*texts, 0.8)
    assert _found(*texts, 0.8, width_for(texts[0])) == expected
    assert bool(expected) == (changed <= 12)


def test_blocks_of_many_texts_miss_nothing() -> None:
    right = [f"{chr(0xAC00 + i % 5000)}람포{chr(0xAD00 + i % 4999)}등대" for i in range(5000)]
    left = [*right[::50], "없는 글이다"]
    found = _found(left, right, 0.8, 1)
    assert found == {i: (1.0, 50 * i) for i in range(100)}


def test_texts_of_two_letters_equal_only_themselves() -> None:
    assert _found(["가나"], ["가나다", "나가", "가나"], 0.3, 1) == {0: (1.0, 2)}
    assert jaccard(codes("가나다라"), codes("가 나다")) == 0.5


@pytest.mark.full
def test_real_headlines_by_brute_force(data_dir: Path) -> None:
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        titles = [key(row["title"]) for row in islice(csv.DictReader(file), 1_300)]
    left, right = titles[:200], titles[200:]
    assert _found(left, right, 0.3, 1) == _by_hand(left, right, 0.3)
