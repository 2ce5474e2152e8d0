"""Reports come first: pending, upheld, dismissed, contradicted, opened again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from small_votes import RE_RULE, count, end, ends, left_out, vote

VOTES = [vote("a", f"w{i}", ["정치"]) for i in range(3)]
REPORT = vote("a", "w8", report="hate")


def review(verdict: Any, who: str = "boss", **more: Any) -> dict[str, Any]:
    label = {"verdict": verdict} if isinstance(verdict, str) else verdict
    return vote("a", who, label, **({"role": "expert", "round": "review"} | more))


def test_a_report_holds_an_item_that_all_agree_on() -> None:
    found = count("tc", [*VOTES, REPORT])
    assert end(found) == ("unresolved", None, "reported", "review")
    assert ends(found)["a"]["evidence"]["reports"] == {"counts": {"hate": 1}, "state": "pending"}
    assert ends(found)["a"]["rule"] == "gold.review@1"


def test_upheld_the_item_leaves_with_the_reason() -> None:
    found = count("tc", [*VOTES, REPORT, review("uphold")])
    assert end(found) == ("removed", None, "hate", None)
    assert found.ledger.to_pylist()[0]["reason"] == "hate"


def test_the_expert_may_name_another_reason() -> None:
    rows = [*VOTES, REPORT, review({"verdict": "uphold", "reason": "bias"})]
    assert end(count("tc", rows))[2] == "bias"
    odd = [*VOTES, REPORT, review({"verdict": "uphold", "reason": "010-1234-5678"})]
    assert end(count("tc", odd))[2] == "hate"  # free text is never repeated


def test_several_reasons_are_all_kept() -> None:
    rows = [*VOTES, REPORT, vote("a", "w9", report="bias"), vote("a", "w7", report="hate")]
    found = count("tc", [*rows, review("uphold")])
    assert end(found)[2] == "bias+hate"
    assert ends(found)["a"]["evidence"]["reports"]["counts"] == {"bias": 1, "hate": 2}


def test_dismissed_the_item_goes_on() -> None:
    found = count("tc", [*VOTES, REPORT, review("dismiss")])
    assert end(found) == ("gold", ["정치"], None, None)
    assert ends(found)["a"]["evidence"]["reports"]["state"] == "dismissed"
    lost = [vote("a", f"w{i}", [t]) for i, t in enumerate(["정치", "경제", "사회"])]
    assert end(count("tc", [*lost, REPORT, review("dismiss")]))[2] == "no_majority"


def test_experts_who_contradict_each_other_settle_nothing() -> None:
    found = count("tc", [*VOTES, REPORT, review("uphold"), review("dismiss", who="boss2")])
    assert end(found) == ("unresolved", None, "experts_differ", "review")


def test_a_later_decision_replaces_an_earlier_one() -> None:
    rows = [*VOTES, REPORT, review("dismiss"), review("uphold", attempt=2)]
    assert end(count("tc", rows))[0] == "removed"


def test_only_experts_decide_and_only_in_words_of_the_form() -> None:
    rows = [*VOTES, REPORT, review("dismiss", role="annotator"), review("maybe"), review([1])]
    found = count("tc", rows)
    assert end(found)[3] == "review"
    assert [rule for _, rule, _ in left_out(found)] == [
        "vote.form@1",
        "vote.form@1",
        "vote.role@1",
    ]


def test_a_report_younger_than_the_decision_opens_the_review_again() -> None:
    day = [datetime(2024, 5, n, tzinfo=UTC) for n in (1, 2, 3)]
    rows = [*VOTES, {**REPORT, "at": day[0]}, review("dismiss", at=day[1])]
    assert end(count("tc", rows))[0] == "gold"
    assert end(count("tc", [*rows, vote("a", "w9", report="bias", at=day[2])]))[3] == "review"


def test_a_report_can_come_with_an_answer() -> None:
    rows = [*VOTES[:2], vote("a", "w2", ["정치"], report="hate"), review("dismiss")]
    assert ends(count("tc", rows))["a"]["votes"] == 3


def test_an_unknown_reason_is_not_repeated() -> None:
    found = count("tc", [*VOTES, vote("a", "w9", report="그 사람 번호는 010-1234-5678")])
    assert ends(found)["a"]["evidence"]["reports"]["counts"] == {"other": 1}
    assert "1234" not in str(found.gold.to_pylist()) + str(found.ledger.to_pylist())


def test_a_reported_item_without_votes_is_still_there() -> None:
    assert end(count("tc", [REPORT]))[3] == "review"
    assert end(count("tc", [REPORT, review("uphold")])) == ("removed", None, "hate", None)


def test_what_waits_for_a_review_is_not_settled_by_top_annotators_or_experts() -> None:
    rows = [vote("a", f"w{i}", label) for i, label in enumerate(["x", "y", "z"])]
    rows += [REPORT, vote("a", "boss", "x", role="expert", round="adjudicate")]
    rows.append(vote("a", "w9", "x", round="resolve"))
    found = count("re", rows, rule=RE_RULE)
    assert end(found) == ("unresolved", None, "reported", "review")
    assert left_out(found) == []  # nothing is refused: the decision waits for the review
