"""Experts settle what the votes left open, and only that."""

from __future__ import annotations

from typing import Any

from small_votes import TC_RULE, count, end, ends, left_out, vote

EXPERT = TC_RULE | {"otherwise": "expert"}


def _open() -> list[dict[str, Any]]:
    return [vote("a", f"w{i}", [topic]) for i, topic in enumerate(["정치", "경제", "사회"])]


def decide(label: Any, who: str = "boss", **more: Any) -> dict[str, Any]:
    return vote("a", who, label, **({"role": "expert", "round": "adjudicate"} | more))


def test_an_expert_settles_an_open_item() -> None:
    found = count("tc", [*_open(), decide(["경제", "사회"])], rule=EXPERT)
    assert end(found) == ("gold", ["경제"], None, None)
    row = ends(found)["a"]
    assert (row["rule"], row["agreement"], row["votes"]) == ("gold.adjudicate@1", 1 / 3, 3)
    assert row["evidence"]["adjudicated"] == 1


def test_an_expert_may_name_what_nobody_named() -> None:
    row = ends(count("tc", [*_open(), decide(["세계"])], rule=EXPERT))["a"]
    assert (row["label"], row["agreement"]) == (["세계"], 0)


def test_experts_who_differ_settle_nothing() -> None:
    found = count("tc", [*_open(), decide(["경제"]), decide(["정치"], who="boss2")], rule=EXPERT)
    assert end(found) == ("unresolved", None, "experts_differ", "expert")
    agree = [decide(["경제"]), decide(["경제", "정치"], who="boss2")]
    assert end(count("tc", [*_open(), *agree], rule=EXPERT))[:2] == ("gold", ["경제"])


def test_gold_and_removed_items_are_not_reopened() -> None:
    unneeded = ("a", "vote.unneeded@1", "edit")
    settled = [vote("a", f"w{i}", ["정치"]) for i in range(3)]
    found = count("tc", [*settled, decide(["경제"])])
    assert end(found)[:2] == ("gold", ["정치"])
    assert left_out(found) == [unneeded]
    found = count("tc", [*_open(), decide(["경제"])])
    assert end(found)[0] == "removed"
    assert left_out(found) == [("a", "gold.majority@1", "drop"), unneeded]


def test_an_annotator_is_no_expert() -> None:
    found = count("tc", [*_open(), decide(["경제"], role="annotator")], rule=EXPERT)
    assert end(found)[3] == "expert"
    assert left_out(found) == [("a", "vote.role@1", "edit")]


def test_a_score_by_an_expert() -> None:
    found = count("sts", [vote("a", "w1", 4), decide(3)])
    assert end(found)[:2] == ("gold", {"label": 3, "real-label": 3, "binary-label": 1})
