"""Confusion of labels between annotators."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import ratings

from pipeline.agreement.groups import confusion

UNITS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=8)


@given(UNITS)
def test_counts_are_the_pairs_of_votes(units: list[list[str]]) -> None:
    flat = [(n, label) for n, labels in enumerate(units) for label in labels]
    made = confusion(ratings([n for n, _ in flat], [None] * len(flat), [x for _, x in flat]))
    pairs = Counter(tuple(sorted(pair)) for labels in units for pair in combinations(labels, 2))
    labels = made["labels"]
    assert labels == sorted({x for _, x in flat})
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            assert made["counts"][i][j] == pairs[tuple(sorted((a, b)))] * (2 if a == b else 1)
    differ = sum(n for (a, b), n in pairs.items() if a != b)
    assert sum(one["n"] for one in made["top"]) == differ
    assert [one["n"] for one in made["top"]] == sorted((o["n"] for o in made["top"]), reverse=True)
    assert bool(differ) != ("reason" in made)


def test_too_many_values_make_no_table() -> None:
    many = [float(n) for n in range(200)]
    made = confusion(ratings(list(range(200)), [None] * 200, many))
    assert made["counts"] == []
    assert "200 different values" in made["reason"]
