"""The rules `plurality` and `median`, against counts made by hand and the standard library."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from small_votes import STS_RULE, TC_RULE, count, end, ends, vote

PLURALITY = {
    "rule": "plurality",
    "roles": ["annotator"],
    "minimum": 2,
    "margin": 2,
    "otherwise": "expert",
}
NOTHING = {"step": None, "drop_deviation": None, "binary_at": None}
MEDIAN = {"rule": "median", "roles": ["annotator"], "minimum": 2, **NOTHING}


def _rows(*answers: Any) -> list[dict[str, Any]]:
    return [vote("a", f"w{i}", answer) for i, answer in enumerate(answers)]


@pytest.mark.parametrize(
    ("answers", "label", "reason"),
    [
        (("yes", "yes", "no", "maybe", "yes"), "yes", None),
        (("yes", "yes", "no", "maybe", "never", "yes", "later"), "yes", None),  # 3 of 7
        (("yes", "yes", "no"), None, "small_margin"),
        (("yes", "yes", "no", "no"), None, "tie"),
        (("yes",), None, "too_few_votes"),
    ],
)
def test_the_leading_label_needs_its_margin(
    answers: tuple[str, ...], label: str | None, reason: str | None
) -> None:
    row = ends(count("re", _rows(*answers), rule=PLURALITY))["a"]
    assert (row["label"], row["reason"]) == (label, reason)


def test_a_majority_is_asked_for_more_than_a_plurality() -> None:
    rows = _rows("yes", "yes", "no", "maybe", "never")
    assert ends(count("re", rows, rule=PLURALITY | {"margin": 1}))["a"]["label"] == "yes"
    row = ends(count("re", rows, rule=TC_RULE | {"otherwise": "expert"}))["a"]
    assert row["status"] == "unresolved"


@pytest.mark.parametrize("scores", [(0, 5, 5), (1, 2, 3, 4), (0, 0, 5, 5, 5), (2, 3), (4, 4)])
def test_the_median_is_that_of_the_standard_library(scores: tuple[int, ...]) -> None:
    row = ends(count("sts", _rows(*scores), rule=MEDIAN))["a"]
    middle = statistics.median(scores)
    assert row["label"] == middle


def test_a_mean_without_threshold_is_a_number_and_drops_nobody() -> None:
    row = ends(count("sts", _rows(0, 0, 0, 5, 5), rule=STS_RULE | NOTHING))["a"]
    assert row["label"] == 2
    assert end(count("sts", _rows(0, 0, 0, 5, 5)))[0] == "removed"


def test_a_median_rounds_and_has_a_threshold_as_the_mean_has() -> None:
    row = ends(count("sts", _rows(0, 0, 4, 5, 5), rule=STS_RULE | {"rule": "median"}))["a"]
    assert row["status"] == "removed"
    row = ends(count("sts", _rows(2, 3, 4, 4, 5), rule=STS_RULE | {"rule": "median"}))["a"]
    assert row["label"] == {"label": 4, "real-label": 4, "binary-label": 1}


def test_a_spec_says_what_its_scores_do_without() -> None:
    rule = {key: value for key, value in STS_RULE.items() if key != "drop_deviation"}
    with pytest.raises(ValueError, match="drop_deviation"):
        count("sts", _rows(1, 2), rule=rule)
