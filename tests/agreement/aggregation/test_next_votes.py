"""What one more vote adds: ranks by hand, and the number of items that it is expected to settle."""

from __future__ import annotations

from typing import Any

import pytest
from small_votes import STS_RULE, TC_RULE, count, vote

from pipeline.agreement.aggregation.aggregate import Aggregated
from pipeline.agreement.aggregation.next_votes import next_votes
from pipeline.core.errors import InputError

RULE = TC_RULE | {"otherwise": "expert", "minimum": 2}


def _votes(answers: dict[str, str]) -> list[dict[str, Any]]:
    """Return votes: `yyn` is two for yes and one for no."""
    names = {"y": "yes", "n": "no"}
    return [vote(item, f"w{i}", names[x]) for item, s in answers.items() for i, x in enumerate(s)]


def _pool(**more: str) -> Aggregated:
    settled = {f"a{n}": "yyy" if n % 2 else "nnn" for n in range(10)}
    return count("re", _votes(settled | {"b1": "yn", "b2": "yyn", "b3": "y"} | more), rule=RULE)


def test_disputed_items_are_first_and_settled_ones_last() -> None:
    ranked = next_votes(_pool())
    order = [row["item"] for row in ranked.rows]
    assert order[0] == "b1" and set(order[:3]) == {"b1", "b2", "b3"}
    for unanimous in ("02468", "13579"):  # equal gains are in the order of ids
        names = [item for item in order if item[0] == "a" and item[1] in unanimous]
        assert names == [f"a{n}" for n in unanimous]
    gains = [row["gain"] for row in ranked.rows]
    assert gains == sorted(gains, reverse=True) and min(gains) >= 0
    reasons = {row["item"]: row["reason"] for row in ranked.rows}
    assert (reasons["b1"], reasons["b3"], reasons["a1"]) == ("no_majority", "too_few_votes", "gold")


def test_a_budget_takes_the_best_and_says_what_it_settles() -> None:
    found = _pool()
    ranked = next_votes(found, budget=2)
    assert [row["item"] for row in ranked.rows] == [
        row["item"] for row in next_votes(found).rows[:2]
    ]
    assert ranked.resolved == 11
    # one vote settles a tie of two for sure, and a single vote if it agrees
    assert ranked.expected == pytest.approx(
        12 + (0 if ranked.rows[1]["item"] == "b2" else 0.7), abs=0.25
    )


def test_a_vote_on_a_narrow_majority_may_undo_it() -> None:
    found = count("re", _votes({"a": "yyn", "b": "yyy", "c": "nnn"}), rule=RULE)
    ranked = next_votes(found, budget=1)
    assert ranked.rows[0]["item"] == "a"
    assert ranked.expected is not None and 2 < ranked.expected < 3


def test_what_experts_decided_or_hold_is_not_asked_again() -> None:
    rows = _votes({"a": "yn", "b": "yn", "c": "yy"})
    rows.append(vote("a", "chief", "yes", role="expert", round="adjudicate"))
    rows.append(vote("c", "w9", None, report="hate"))
    ranked = next_votes(count("re", rows, rule=RULE))
    assert [row["item"] for row in ranked.rows] == ["b"] and ranked.left_out == 2


def test_scores_are_ranked_by_the_fall_of_the_squared_error() -> None:
    close, apart = (2, 2, 3) * 4, (0, 1, 5) * 4
    answers = {"a": close, "b": apart, "c": close[:6], "d": apart[:6], "e": (3, 3)}
    rows = [
        vote(f"{item}{n}", f"w{i}", x)
        for item, xs in answers.items()
        for n in range(10)
        for i, x in enumerate(xs)
    ]
    rule = STS_RULE | {"minimum": 2, "drop_deviation": None}
    ranked = next_votes(count("sts", rows, rule=rule))
    assert ranked.unit == "squared_error" and ranked.expected is None
    gains = {row["item"][0]: row["gain"] for row in ranked.rows}
    assert gains["d"] > gains["b"] > gains["a"] and gains["d"] > gains["c"] > gains["a"]
    assert gains["e"] > gains["c"]  # of two equal scores little is known
    assert all(row["standard_error"] >= 0 for row in ranked.rows)


def test_scores_of_which_nothing_is_known_gain_nothing() -> None:
    rule = STS_RULE | {"minimum": 2}
    ranked = next_votes(count("sts", [vote("a", "w1", 3)], rule=rule))
    assert [(row["gain"], row["reason"]) for row in ranked.rows] == [(0, "too_few_votes")]


def test_inspected_answers_are_refused() -> None:
    with pytest.raises(InputError, match="klue status"):
        next_votes(count("ner", [vote("a", "w0", [], round="tag")]))
