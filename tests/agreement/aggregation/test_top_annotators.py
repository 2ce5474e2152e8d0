"""RE without a majority: the best-ranked annotators choose among the labels already given."""

from __future__ import annotations

from typing import Any

import pytest
from small_votes import RE_RULE, count, end, ends, left_out, spec, vote, votes

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.contracts.registry import TASKS

Rows = list[dict[str, Any]]


def _pool() -> Rows:
    """Return twelve items with a majority, and one without: `a`.

    good1 to good4 always say what most say, fair misses once, poor never says it.
    """
    rows: Rows = []
    for n in range(12):
        rows += [vote(f"p{n:02}", f"good{i}", "per:title") for i in (1, 2, 3, 4)]
        rows.append(vote(f"p{n:02}", "fair", "per:title" if n else "per:origin"))
        rows.append(vote(f"p{n:02}", "poor", "no_relation"))
    labels = ("per:title", "per:origin", "no_relation")
    return rows + [vote("a", who, x) for who, x in zip(("u", "v", "w"), labels, strict=True)]


def choose(who: str | None, label: str, role: str = "annotator") -> dict[str, Any]:
    return vote("a", who, label, round="resolve", role=role)


def _count(*more: dict[str, Any], top: int = 5) -> Any:
    return count("re", [*_pool(), *more], rule=RE_RULE | {"top": top})


def test_without_choices_the_item_waits_for_the_top() -> None:
    found = _count()
    assert end(found) == ("unresolved", None, "no_majority", "top_annotators")
    assert found.summary["top_annotators"] == ["good1", "good2", "good3", "good4", "fair"]


def test_two_of_three_planned_choices_are_gold() -> None:
    found = _count(choose("good1", "per:origin"), choose("fair", "per:origin", role="expert"))
    assert end(found) == ("gold", "per:origin", None, None)
    row = ends(found)["a"]
    assert row["rule"] == "gold.resolve@1"
    assert row["agreement"] == 1 / 3  # of the votes that were counted before
    assert row["evidence"]["resolve"] == {"counts": {"per:origin": 2}, "voters": 2}


def test_one_choice_of_three_planned_is_not_enough() -> None:
    assert end(_count(choose("good1", "per:origin")))[3] == "top_annotators"


@pytest.mark.parametrize("who", ["poor", "u", "stranger", None])
def test_a_choice_by_somebody_else_does_not_count(who: str | None) -> None:
    found = _count(choose(who, "per:origin"), choose("good1", "per:origin"))
    assert end(found)[0] == "unresolved"
    assert left_out(found) == [("a", "vote.not_top@1", "edit")]


def test_a_choice_of_a_label_nobody_gave_does_not_count() -> None:
    found = _count(*(choose(f"good{i}", "org:members") for i in (1, 2, 3)))
    assert end(found)[3] == "top_annotators"
    assert left_out(found) == [("a", "vote.not_given@1", "edit")] * 3


def test_a_tie_of_the_top_goes_to_the_experts() -> None:
    labels = ("per:title", "per:origin", "no_relation")
    rows = [choose(f"good{i}", label) for i, label in enumerate(labels, start=1)]
    found = _count(*rows)
    assert end(found) == ("unresolved", None, "no_majority_of_top", "expert")
    expert = vote("a", "boss", "per:title", role="expert", round="adjudicate")
    assert end(_count(*rows, expert))[:2] == ("gold", "per:title")


def test_a_plurality_of_the_top_is_no_majority() -> None:
    labels = ("per:title", "per:title", "per:origin", "no_relation")
    rows = [choose(f"good{i}", label) for i, label in enumerate(labels, start=1)]
    assert end(_count(*rows))[2] == "no_majority_of_top"


def test_choices_about_an_item_that_has_a_majority_are_not_needed() -> None:
    found = _count({**choose("good1", "per:origin"), "item": "p05"})
    assert end(found, "p05")[:2] == ("gold", "per:title")
    assert left_out(found) == [("p05", "vote.unneeded@1", "edit")]


def test_who_has_few_items_is_not_ranked() -> None:
    rule = RE_RULE | {"top": 30}
    few = [vote(f"p{n:02}", "new", "per:title") for n in range(9)]
    ranked = count("re", [*_pool(), *few], rule=rule).summary["top_annotators"]
    assert "new" not in ranked
    assert ranked[-1] == "poor"
    tenth = vote("p09", "new", "per:title")
    assert "new" in count("re", [*_pool(), *few, tenth], rule=rule).summary["top_annotators"]


def test_thirty_are_asked_where_the_spec_does_not_say() -> None:
    people = [f"w{i:02}" for i in range(40)]
    rows = [vote(f"p{n}", who, "per:title") for n in range(10) for who in people]
    one = spec("re", aggregation={k: v for k, v in RE_RULE.items() if k != "top"})
    found = aggregate(votes("re", rows), task=TASKS["re"], spec=one)
    assert found.summary["top_annotators"] == people[:30]  # equal shares: by id
