"""Distances and the lowest fifth: low means that hypotheses reveal little (Section 3.3.1)."""

from __future__ import annotations

from math import log

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.nli.hypothesis_only import distances, rank_sets

LABELS = ("entailment", "contradiction", "neutral")


def _pairs(found: dict[tuple[str, str], list[tuple[str, float]]]) -> pa.Table:
    rows = [
        {"source": source, "premise": premise, "label": label, "distance": distance}
        for (source, premise), pairs in found.items()
        for label, distance in pairs
    ]
    return pa.Table.from_pylist(rows)


def _whole(distance: float) -> list[tuple[str, float]]:
    return [(label, distance) for label in LABELS]


def test_one_third_each_is_the_ideal() -> None:
    assert distances(np.log(np.full((1, 3), 1 / 3)))[0] == pytest.approx(log(3), abs=1e-6)


def test_the_sum_of_the_paper() -> None:
    p = np.array([[0.7, 0.2, 0.1]])
    by_hand = -(log(0.7) + log(0.2) + log(0.1)) / 3
    assert distances(np.log(p))[0] == round(by_hand, 6)


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_nothing_is_nearer_than_the_ideal_and_labels_do_not_matter(given_: list[float]) -> None:
    p = np.array([given_]) / sum(given_)
    found = distances(np.log(p))[0]
    assert found >= round(log(3), 6)
    assert found == pytest.approx(distances(np.log(p[:, ::-1]))[0], abs=2e-6)


def test_the_fifth_of_each_source_that_reveals_least() -> None:
    given_ = {("a", f"p{n}"): _whole(1.1 + n / 100) for n in range(10)}
    given_ |= {("b", f"q{n}"): _whole(2.0 - n / 100) for n in range(5)}
    rows = rank_sets(_pairs(given_)).to_pylist()
    assert [row["premise"] for row in rows if row["lowest"]] == ["p0", "p1", "q4"]


def test_the_mean_of_the_set_decides() -> None:
    given_ = {("a", f"p{n}"): _whole(1.5) for n in range(4)}
    given_["a", "mixed"] = list(zip(LABELS, (1.1, 1.1, 2.0), strict=True))
    rows = {row["premise"]: row for row in rank_sets(_pairs(given_)).to_pylist()}
    assert rows["mixed"]["distance"] == 1.4
    assert rows["mixed"]["lowest"]


def test_sets_of_another_shape_are_not_chosen_and_do_not_count() -> None:
    given_ = {("a", f"p{n}"): _whole(1.5 + n / 10) for n in range(5)}
    given_["a", "two"] = _whole(1.1)[:2]
    given_["a", "same"] = [("neutral", 1.1)] * 3
    rows = {row["premise"]: row for row in rank_sets(_pairs(given_)).to_pylist()}
    assert (rows["two"]["lowest"], rows["same"]["lowest"]) == (None, None)
    assert [name for name, row in rows.items() if row["lowest"]] == ["p0"]


def test_ties_go_by_premise_and_order_makes_no_difference() -> None:
    given_ = {("a", f"p{n}"): _whole(1.2) for n in range(10)}
    one = rank_sets(_pairs(given_))
    other = rank_sets(_pairs(dict(reversed(given_.items()))))
    assert one.equals(other)
    assert [row["premise"] for row in one.to_pylist() if row["lowest"]] == ["p0", "p1"]
