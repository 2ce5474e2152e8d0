"""Means of scores: rounding, outliers, and exactness."""

from __future__ import annotations

import statistics
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_votes import STS_RULE, count, end, ends, left_out, vote


def _rows(*scores: int) -> list[dict[str, object]]:
    return [vote("a", f"w{i}", score) for i, score in enumerate(scores)]


def test_the_first_pair_of_the_official_file() -> None:
    """klue-sts-v1_dev_00000: six scores of 5 and one of 4."""
    row = ends(count("sts", _rows(5, 5, 5, 5, 4, 5, 5)))["a"]
    assert row["label"] == {"label": 4.9, "real-label": 4.857142857142857, "binary-label": 1}
    assert row["evidence"]["counts"] == {"4": 1, "5": 6}


@pytest.mark.parametrize(
    ("scores", "label", "binary"),
    [
        ((2, 2, 2, 3), 2.3, 0),  # 2.25: halfway goes up, also where a float lies below it
        ((0, 0, 0, 1), 0.3, 0),  # 0.25
        ((4, 5, 5, 5), 4.8, 1),  # 4.75
        ((3, 3, 3, 3), 3, 1),
        ((2, 3, 3, 3), 2.8, 0),
    ],
)
def test_rounding_to_the_nearest_tenth(scores: tuple[int, ...], label: float, binary: int) -> None:
    found = ends(count("sts", _rows(*scores), rule=STS_RULE | {"minimum": 4}))["a"]["label"]
    assert (found["label"], found["binary-label"]) == (label, binary)


def test_binary_is_about_the_mean_and_not_about_its_rounding() -> None:
    """59 of 20 votes is 2.95: rounded it is 3.0, but the mean stays below the threshold."""
    found = ends(count("sts", _rows(*([3] * 19), 2)))["a"]["label"]
    assert found == {"label": 3, "real-label": 2.95, "binary-label": 0}


def test_a_pair_on_which_people_differ_too_much_is_removed() -> None:
    found = count("sts", _rows(0, 0, 0, 5, 5, 5))  # population standard deviation 2.5
    assert end(found) == ("removed", None, "deviation", None)
    assert left_out(found) == [("a", "gold.mean@1", "drop")]


def test_exactly_two_standard_deviations_is_not_larger_than_two() -> None:
    """0 0 0 0 5 with others: four votes each at mean +-2 have the deviation 2, exactly."""
    rule = STS_RULE | {"minimum": 4}
    found = count("sts", _rows(0, 0, 4, 4), rule=rule)
    assert end(found)[0] == "gold"
    assert ends(found)["a"]["agreement"] == pytest.approx(1 - 2 / 2.5)
    assert end(count("sts", _rows(0, 0, 4, 5), rule=rule))[2] == "deviation"


def test_four_votes_are_too_few() -> None:
    assert end(count("sts", _rows(5, 5, 5, 5))) == ("unresolved", None, "too_few_votes", "votes")


@given(st.lists(st.integers(0, 5), min_size=5, max_size=9))
def test_against_the_standard_library(scores: list[int]) -> None:
    row = ends(count("sts", _rows(*scores)))["a"]
    deviation = statistics.pstdev(Fraction(score) for score in scores)
    assert row["evidence"]["deviation"] == pytest.approx(deviation, abs=1e-6)
    variance = statistics.pvariance(Fraction(score) for score in scores)
    assert (row["status"] == "removed") == (variance > 4)
    if row["status"] == "gold":
        mean = Decimal(sum(scores)) / Decimal(len(scores))
        assert row["label"]["label"] == float(mean.quantize(Decimal("0.1"), ROUND_HALF_UP))
        assert row["label"]["real-label"] == pytest.approx(statistics.mean(scores), abs=1e-15 * 5)
        assert row["agreement"] == pytest.approx(1 - deviation / 2.5)
