"""Items: entropy, deviation, disagreement, majority and the order of the most disputed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy
from vote_tables import grid, table

from pipeline.agreement.items import per_item, reports
from pipeline.agreement.votes.selection import select

LABELS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), min_size=1, max_size=8)


@given(LABELS)
def test_categories(answers: list[list[str]]) -> None:
    votes = table(
        [(f"i{n}", f"p{who}", x) for n, own in enumerate(answers) for who, x in enumerate(own)]
    )
    made = per_item(select(votes, level="nominal"), {}, {})
    assert len(made) == len(answers)
    for record in made:
        own = answers[int(record["item"][1:])]
        counts = Counter(own).most_common()
        assert record["values"] == own
        assert record["by"] == [f"p{who}" for who in range(len(own))]
        assert record["entropy"] == pytest.approx(entropy([n for _, n in counts], base=2), abs=1e-6)
        tie = len(counts) > 1 and counts[0][1] == counts[1][1]
        assert record["majority"] == (None if tie else counts[0][0])
        assert record["majority_share"] == pytest.approx(counts[0][1] / len(own), abs=1e-6)
        if len(own) > 1:
            equal = [a == b for i, a in enumerate(own) for b in own[:i]]
            assert record["disagreement"] == pytest.approx(1 - np.mean(equal), abs=1e-6)
        else:
            assert record["disagreement"] is None
        assert ("reason" in record) == (tie or len(own) == 1)
    apart = [-(r["disagreement"] or 0) for r in made]
    assert apart == sorted(apart)


def test_numbers() -> None:
    votes = grid({"p": [0, 1, 3], "q": [5, 1, 4], "r": [5, None, 2]}, task="sts")
    made = {r["item"]: r for r in per_item(select(votes, level="interval"), {"i000": "review"}, {})}
    assert made["i000"]["deviation"] == pytest.approx(np.std([0, 5, 5]), abs=1e-6)
    assert made["i000"]["disagreement"] == pytest.approx(np.std([0, 5, 5]) / 2.5, abs=1e-6)
    assert made["i000"]["source"] == "review"
    assert made["i000"]["values"] == [0, 5, 5]
    assert made["i001"]["disagreement"] == 0
    assert made["i002"]["majority"] is None


def test_items_that_were_only_reported_are_listed() -> None:
    report = {"report": "personal_data"}
    votes = table([("a", "p", "x"), ("a", "q", "y", report), ("b", "p", None, report)])
    reported = reports(votes)
    assert reported == {"a": Counter(personal_data=1), "b": Counter(personal_data=1)}
    first, second = per_item(select(votes, level="nominal"), {}, reported)
    assert (first["item"], first["n"], first["reports"]) == ("a", 2, {"personal_data": 1})
    assert (second["item"], second["n"]) == ("b", 0)
    assert "only reported" in second["reason"]


def test_a_record_is_made_when_it_is_read_and_the_same_each_time() -> None:
    shown: list[str] = []

    def show(value: str) -> str:
        shown.append(value)
        return value.upper()

    votes = table([("a", "p", "x"), ("a", "q", "y"), ("b", "p", "x"), ("b", "q", "x")])
    made = per_item(select(votes, level="nominal"), {}, {}, show=show)
    assert (len(made), shown) == (2, [])
    assert made[0]["values"] == ["X", "Y"] and sorted(shown) == ["x", "y"]
    assert [*made] == made[:] == [made[0], made[-1]]
    with pytest.raises(IndexError):
        made[2]
