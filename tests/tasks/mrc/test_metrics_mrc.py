"""Exact match and ROUGE-W: the paper's example, brute force, difflib, repetition."""

from __future__ import annotations

import math
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_gold import plain

from pipeline.core.errors import InputError
from pipeline.scoring.measure import VARIANTS, Variant
from pipeline.tasks.mrc.scorer import (
    common_run,
    exact_match_measure,
    normalise,
    rouge_w_measure,
)

exact_match, rouge_w = plain(exact_match_measure), plain(rouge_w_measure)
LETTERS = st.text("가나 .a", max_size=12)
#: Gold answers, prediction and weight of each question.
ROWS = st.lists(
    st.tuples(st.lists(LETTERS, max_size=3), LETTERS, st.integers(0, 3)), min_size=1, max_size=8
)
Rows = list[tuple[list[str], str, int]]


def _run(left: str, right: str) -> int:
    """The longest common substring by trying all of them."""
    parts = {left[i:j] for i in range(len(left)) for j in range(i, len(left) + 1)}
    return max((len(part) for part in parts if part in right), default=0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_example_of_the_paper(variant: Variant) -> None:
    golds, said = [["국한된 범위"]], ["한국의 위인들"]
    assert round(rouge_w(golds, said, variant=variant), 2) == 15.38
    assert exact_match(golds, said) == 0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3.5%", "35"),
        ("《두 낱말》 ‘책’", "《두 낱말》 ‘책’"),
        ("  The\tBand\u00a0 (가상) ", "the band 가상"),
        ("...", ""),
    ],
)
def test_normalisation(text: str, wanted: str) -> None:
    assert normalise(text) == wanted


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("answers", "said", "em", "rouge"),
    [
        ([], "", 100, 100),
        ([], "파란 문", 0, 0),
        (["파란 문"], "", 0, 0),
        (["..."], "!", 100, 100),
        (["파란 문", "푸른 문"], "푸른 문.", 100, 100),
        (["가나다라"], "나다마", 0, 100 * 2 * 2 / 7),
        (["TV", "텔레비전"], "텔레비", 0, 100 * 2 * 3 / 7),
        (["가나다"], "다나가", 0, 100 * 2 * 1 / 6),
    ],
)
def test_single_questions(
    variant: Variant, answers: list[str], said: str, em: float, rouge: float
) -> None:
    assert exact_match([answers], [said]) == em
    assert rouge_w([answers], [said], variant=variant) == pytest.approx(rouge)


def test_the_mean_is_over_questions() -> None:
    golds, said = [["하나"], ["둘", "두울"], []], ["하나", "셋", ""]
    assert exact_match(golds, said) == pytest.approx(200 / 3)


@given(LETTERS, LETTERS)
def test_the_common_run_is_that_of_brute_force_and_of_difflib(left: str, right: str) -> None:
    found = common_run(left, right)
    assert found == common_run(right, left) == _run(left, right)
    assert found == SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size


def test_in_long_answers_klue_passes_over_frequent_letters() -> None:
    answer = "가" * 99 + "나" * 100 + "다"
    said = "나" * 100
    assert SequenceMatcher(None, said, answer).find_longest_match().size == 0
    assert rouge_w([[answer]], [said], variant="klue") == 0
    assert rouge_w([[answer]], [said], variant="strict") == pytest.approx(100 * 200 / 300)
    assert rouge_w([[answer[1:]]], [said], variant="klue") == pytest.approx(100 * 200 / 299)


@given(ROWS)
def test_an_exact_match_has_the_best_rouge(rows: Rows) -> None:
    golds, said = [row[0] for row in rows], [row[1] for row in rows]
    for variant in VARIANTS:
        assert rouge_w(golds, said, variant=variant) >= exact_match(golds, said) - 1e-9


@given(ROWS)
def test_weights_are_repeated_questions(rows: Rows) -> None:
    golds, said = [row[0] for row in rows], [row[1] for row in rows]
    weights = np.array([[row[2] for row in rows]], dtype=float)
    again = [row for row in rows for _ in range(row[2])]
    wanted = rouge_w([row[0] for row in again], [row[1] for row in again], variant="strict")
    found = rouge_w_measure(golds, said, variant="strict")(weights)[0]
    assert found == pytest.approx(wanted, nan_ok=True)


def test_no_question_is_nan_and_two_lengths_are_refused() -> None:
    assert math.isnan(exact_match([], []))
    assert math.isnan(rouge_w_measure([], [], variant="klue")(np.ones((1, 0)))[0])
    with pytest.raises(InputError, match="2 golds, 1 prediction;"):
        exact_match([["가"], ["나"]], ["가"])
