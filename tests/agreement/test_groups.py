"""Agreement by source and by label."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vote_tables import table

from pipeline.agreement.alpha import krippendorff_alpha
from pipeline.agreement.groups import per_label, per_source, sources_of, unanimous
from pipeline.agreement.ratings import ratings
from pipeline.agreement.views import select
from pipeline.core import schemas

UNITS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=9)


def _rated(units: list[list[str]]) -> object:
    flat = [(n, label) for n, labels in enumerate(units) for label in labels]
    return ratings([n for n, _ in flat], [None] * len(flat), [x for _, x in flat])


@given(UNITS)
def test_specific_agreement_is_the_chance_that_another_said_it_too(units: list[list[str]]) -> None:
    made = per_label(_rated(units), bootstrap=0, seed=0)
    for label, record in made.items():
        both = [b == label for own in units for a, b in permutations(own, 2) if a == label]
        if both:
            assert record["agreement"]["value"] == pytest.approx(sum(both) / len(both))
        else:
            assert record["agreement"]["value"] is None
            assert record["agreement"]["reason"]


def test_the_interval_of_a_label_holds_its_value() -> None:
    units = [["a", "a", "a"], ["b", "b", "b"], ["a", "c", "a"], ["c", "c", "b"]] * 30
    made = per_label(_rated(units), bootstrap=400, seed=1)
    for record in made.values():
        found = record["agreement"]
        assert found["low"] < found["value"] < found["high"]
        assert found["high"] - found["low"] < 0.25
    assert sum(record["share"] for record in made.values()) == pytest.approx(1)


def test_each_source_is_an_audit_of_its_own_items() -> None:
    rows = [
        (f"i{n}", who, label, {"source": "news" if n < 4 else None})
        for n in range(8)
        for who, label in (("p", "ab"[n % 2]), ("q", "ab"[n % 3 == 0]))
    ]
    votes = table(rows)
    items = schemas.build(
        "items", [{"item": "i7", "task": "tc", "fields": "{}", "source": "review"}]
    )
    sources = sources_of(votes, items)
    made = per_source(select(votes, level="nominal"), sources, bootstrap=0, seed=0)
    assert {name: one["items"] for name, one in made.items()} == {
        "news": 4,
        "review": 1,
        "unknown": 3,
    }
    news = select(table([row for row in rows if row[3]["source"]]), level="nominal").ratings
    lead = made["news"]["coefficients"]["krippendorff_alpha_nominal"]["value"]
    assert lead == pytest.approx(krippendorff_alpha(news, level="nominal").value)
    assert made["news"]["unanimous"] == unanimous(news) == 0.5


def test_nobody_is_unanimous_alone() -> None:
    assert unanimous(_rated([["a"], ["b"]])) is None
