"""Agreement by source and by label."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import ratings
from vote_tables import table

from pipeline.agreement.audit import audit
from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.groups import (
    MOST_SOURCES,
    SEVERAL,
    per_label,
    unanimous,
)
from pipeline.agreement.votes.selection import select
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
    made = audit(votes, level="nominal", items=items, bootstrap=0)["per_source"]
    assert {name: one["items"] for name, one in made.items()} == {
        "news": 4,
        "review": 1,
        "unknown": 3,
    }
    news = select(table([row for row in rows if row[3]["source"]]), level="nominal").ratings
    lead = made["news"]["coefficients"]["krippendorff_alpha_nominal"]["value"]
    assert lead == pytest.approx(krippendorff_alpha(news, level="nominal").value)
    assert made["news"]["unanimous"] == unanimous(news) == 0.5


def test_an_item_whose_votes_name_two_sources_is_of_neither() -> None:
    rows = [
        ("i1", "p", "a", {"source": "web"}),
        ("i1", "q", "a", {"source": "app"}),
        ("i2", "p", "a", {"source": "app"}),
        ("i2", "q", "b", {"source": None}),
    ]
    for order in (rows, rows[::-1]):
        made = audit(table(order), level="nominal", bootstrap=0)["per_source"]
        assert {name: one["votes"] for name, one in made.items()} == {"app": 2, SEVERAL: 2}


def test_nobody_is_unanimous_alone() -> None:
    assert unanimous(_rated([["a"], ["b"]])) is None


def test_thousands_of_sources_are_reported_as_the_large_ones_and_one_of_the_rest() -> None:
    many = MOST_SOURCES + 50
    rows = [
        (f"i{n}-{k}", who, "ab"[(n + k) % 2], {"source": f"s{n:04d}"})
        for n in range(many)
        for k in range(3 if n < 20 else 1)
        for who in "pq"
    ]
    votes = table(rows)
    made = audit(votes, level="nominal", bootstrap=0)["per_source"]
    assert len(made) == MOST_SOURCES
    assert sum(one["items"] for one in made.values()) == many + 40
    assert sum(one["votes"] for one in made.values()) == len(rows)
    assert all(made[f"s{n:04d}"]["items"] == 3 for n in range(20))
    rest = made["(51 smaller sources)"]
    assert (rest["items"], rest["sources"]) == (51, 51)
    assert "at most 1 item " in rest["note"]
    lead = rest["coefficients"]["percent_agreement_units"]
    assert (lead["value"], lead["n"]) == (1.0, 51)


def test_as_many_sources_as_the_limit_are_each_for_itself() -> None:
    votes = table([(f"i{n}", "p", "a", {"source": f"s{n}"}) for n in range(MOST_SOURCES)])
    made = audit(votes, level="nominal", bootstrap=0)["per_source"]
    assert len(made) == MOST_SOURCES and all("note" not in one for one in made.values())
