"""Several labels an item: distances, alpha by its definition, and the record of an audit."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sound_record import check
from vote_tables import table

from pipeline.agreement.audit import audit
from pipeline.agreement.coefficients.distances import jaccard, masi
from pipeline.core.errors import InputError

SETS = st.frozensets(st.sampled_from("abcd"))


def _audit(units: list[list[frozenset[str]]], **options: Any) -> dict[str, Any]:
    rows = [
        (f"i{n}", f"p{who}", sorted(labels))
        for n, own in enumerate(units)
        for who, labels in enumerate(own)
    ]
    return audit(table(rows), level="multilabel", bootstrap=0, **options)


def _alpha(units: list[list[Any]], distance: Any) -> float | None:
    """Return 1 - observed / expected disagreement, pair by pair."""
    units = [own for own in units if len(own) > 1]
    values = [value for own in units for value in own]
    observed = sum(
        distance(a, b) / (len(own) - 1) for own in units for a, b in permutations(own, 2)
    )
    expected = sum(distance(a, b) for a, b in permutations(values, 2))
    return 1 - (len(values) - 1) * observed / expected if expected else None


@given(left=SETS, right=SETS)
def test_distances_are_those_of_nltk(left: frozenset[str], right: frozenset[str]) -> None:
    from nltk.metrics.distance import jaccard_distance, masi_distance

    if left | right:  # nltk divides by zero for two empty sets
        assert masi(left, right) == pytest.approx(masi_distance(left, right))
        assert jaccard(left, right) == pytest.approx(jaccard_distance(left, right))
    else:
        assert masi(left, right) == jaccard(left, right) == 0


@given(st.lists(st.lists(SETS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_alpha_is_that_of_the_definition(units: list[list[frozenset[str]]]) -> None:
    record = _audit(units)
    for name, distance in (("masi", masi), ("jaccard", jaccard)):
        estimate = record["coefficients"][f"krippendorff_alpha_{name}"]
        expected = _alpha(units, distance)
        assert (estimate["value"] is None) == (expected is None)
        if expected is not None:
            assert estimate["value"] == pytest.approx(expected)
    for label, part in record["labels"]["per_label"].items():
        given_ = [[label in labels for labels in own] for own in units]
        expected = _alpha(given_, lambda a, b: a != b)
        assert part["alpha"]["value"] == (pytest.approx(expected) if expected is not None else None)
    check(record)


def test_the_record_of_an_audit() -> None:
    units = [[frozenset("ab"), frozenset("ab"), frozenset("a")], [frozenset(), frozenset("c")]]
    record = _audit(units)
    assert (record["level"], record["kind"]) == ("multilabel", "labels")
    assert record["lead"] == "krippendorff_alpha_masi"
    assert record["coefficients"]["masi"]["value"] == pytest.approx((1 + 1 / 3 + 1 / 3 + 0) / 4)
    assert record["per_label"]["a"]["votes"] == 3
    assert record["per_annotator"]["p2"]["masi_vs_rest"] == pytest.approx(1 / 3, abs=1e-6)
    worst = record["per_item"][0]
    assert (worst["item"], worst["disagreement"]) == ("i1", 1.0)
    assert worst["values"] == ["no label", "c"]
    assert record["pairs"]["measure"] == "masi"


def test_labels_may_be_a_text_with_bars_and_other_forms_are_refused() -> None:
    bars = audit(table([("a", "p", "y| x "), ("a", "q", ["x", "y"])]), level="multilabel")
    assert bars["per_item"][0]["values"] == ["x | y", "x | y"]
    with pytest.raises(InputError, match="list of texts"):
        audit(table([("a", "p", {"x": 1})]), level="multilabel")
