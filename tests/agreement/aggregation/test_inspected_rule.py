"""Answers that are inspected: accepted, corrected, rejected and given again, in stages."""

from __future__ import annotations

from typing import Any

import pytest
from small_votes import INSPECTED_RULE, ROUNDS, count, end, ends, left_out, vote

SPAN = {"start": 0, "end": 2, "label": "OG"}
OTHER = {"start": 3, "end": 5, "label": "LC"}


def tag(spans: list[Any], who: str = "w1", **more: Any) -> dict[str, Any]:
    return vote("a", who, spans, **({"round": "tag"} | more))


def inspect(verdict: str, who: str = "boss", answer: Any = None, **more: Any) -> dict[str, Any]:
    label = {"verdict": verdict} | ({} if answer is None else {"answer": answer})
    return vote("a", who, label, **({"round": "inspect", "role": "inspector"} | more))


def test_an_accepted_answer_is_gold() -> None:
    found = count("ner", [tag([SPAN]), inspect("accept")])
    assert end(found) == ("gold", [SPAN], None, None)
    row = ends(found)["a"]
    assert (row["votes"], row["agreement"]) == (2, 1.0)
    assert row["evidence"]["verdicts"] == {"accept": 1}


def test_a_corrected_answer_is_gold_as_corrected() -> None:
    row = ends(count("ner", [tag([SPAN]), inspect("revise", answer=[OTHER])]))["a"]
    assert (row["status"], row["label"], row["agreement"]) == ("gold", [OTHER], 0.5)


@pytest.mark.parametrize(
    ("rows", "reason", "queue"),
    [
        ([tag([SPAN])], "not_inspected", "inspection"),
        ([tag([SPAN]), inspect("reject")], "attempts_used", "expert"),
        ([inspect("accept")], "no_answer", "votes"),
        ([tag([SPAN]), inspect("accept"), inspect("reject", "b2")], "inspectors_differ", "expert"),
        (
            [tag([SPAN]), inspect("accept"), inspect("revise", "b2", [OTHER])],
            "inspectors_differ",
            "expert",
        ),
        ([tag([SPAN]), tag([OTHER], "w2"), inspect("accept")], "answers_differ", "expert"),
        ([tag([SPAN]), tag([OTHER], "w2")], "answers_differ", "expert"),
    ],
)
def test_what_is_not_settled_waits(rows: list[Any], reason: str, queue: str) -> None:
    assert end(count("ner", rows)) == ("unresolved", None, reason, queue)


def test_inspectors_who_come_to_the_same_answer_agree() -> None:
    rows = [tag([SPAN]), inspect("accept"), inspect("revise", "b2", [SPAN])]
    assert end(count("ner", rows))[:2] == ("gold", [SPAN])
    torn = [tag([SPAN]), tag([OTHER], "w2"), inspect("revise", answer=[OTHER])]
    assert end(count("ner", torn))[:2] == ("gold", [OTHER])


def test_the_verdict_of_an_expert_outranks_inspectors() -> None:
    rows = [tag([SPAN]), inspect("accept"), inspect("reject", "b2")]
    expert = inspect("accept", "head", role="expert")
    assert end(count("ner", [*rows, expert]))[:2] == ("gold", [SPAN])


def test_nobody_inspects_their_own_answer() -> None:
    found = count("ner", [tag([SPAN]), inspect("accept", "w1")])
    assert end(found)[3] == "inspection"
    assert left_out(found) == [("a", "vote.own@1", "edit")]


def test_a_round_may_want_two_inspectors() -> None:
    rounds = [ROUNDS["ner"][0], {**ROUNDS["ner"][1], "per_item": 2}]
    rows = [tag([SPAN]), inspect("accept")]
    assert end(_with_rounds(rounds, rows))[3] == "inspection"
    assert end(_with_rounds(rounds, [*rows, inspect("accept", "b2")]))[0] == "gold"


def _with_rounds(rounds: list[Any], rows: list[Any]) -> Any:
    from small_votes import spec, votes

    from pipeline.agreement.aggregation.aggregate import aggregate
    from pipeline.contracts.registry import TASKS

    return aggregate(votes("ner", rows), task=TASKS["ner"], spec=spec("ner", rounds=rounds))


def test_an_answer_without_any_entity_is_removed() -> None:
    """Section 3.4.1: 35 sentences left since all that was marked in them was false."""
    assert end(count("ner", [tag([SPAN]), inspect("revise", answer=[])])) == (
        "removed",
        None,
        "no_entity",
        None,
    )


def test_verdicts_of_no_form_or_on_no_answer_are_left_out() -> None:
    rows = [tag([SPAN]), inspect("fine"), inspect("accept", "b2", attempt=2)]
    found = count("ner", [*rows, vote("a", "w3", [SPAN], round="elsewhere")])
    assert end(found)[3] == "inspection"
    assert [rule for _, rule, _ in left_out(found)] == [
        "vote.form@1",
        "vote.round@1",
        "vote.stray@1",
    ]


READING = {"question": "어디?", "type": 1, "answers": [{"start": 0, "text": "서울"}]}


def write(question: str, attempt: int) -> dict[str, Any]:
    answer = {**READING, "question": question}
    return vote("a", "w1", answer, round="write", role="author", attempt=attempt)


def test_a_rejected_question_comes_back_and_is_inspected_again() -> None:
    first = [write("어디?", 1), inspect("reject")]
    assert end(count("mrc", first))[3] == "revision"
    second = [*first, write("어느 도시?", 2)]
    assert end(count("mrc", second))[3] == "inspection"
    done = count("mrc", [*second, inspect("accept", attempt=2)])
    row = ends(done)["a"]
    assert row["label"]["question"] == "어느 도시?"
    assert row["agreement"] == 0.5  # two of two answers and two verdicts say what gold says
    assert row["evidence"]["attempts"] == 2
    assert left_out(done) == []  # the first attempt is history, not a fault


def test_after_the_last_attempt_an_expert_takes_the_item() -> None:
    """Annotation spec of MRC: three attempts at a question; NER, DP and DST have one."""
    rows: list[dict[str, Any]] = []
    for attempt in (1, 2, 3):
        rows += [write(f"질문 {attempt}?", attempt), inspect("reject", attempt=attempt)]
        wanted = ("rejected", "revision") if attempt < 3 else ("attempts_used", "expert")
        assert end(count("mrc", rows))[2:] == wanted
    expert = vote("a", "head", READING, role="expert", round="adjudicate")
    assert end(count("mrc", [*rows, expert]))[:2] == ("gold", READING)


POS = {"lemmas": ["나 는", "가 ㄴ다"], "pos": ["NP+JX", "VV+EF"]}
BETTER = {"lemmas": ["나 는", "가 ㄴ다"], "pos": ["NP+JX", "VX+EF"]}
TREE = {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}


def step(round_: str, label: Any, who: str = "w1") -> dict[str, Any]:
    role = "inspector" if round_.endswith("review") else "annotator"
    return vote("a", who, label, round=round_, role=role)


ACCEPT = {"verdict": "accept"}


def test_a_tree_needs_its_parts_of_speech_first() -> None:
    arcs = [step("arcs", TREE), step("arcs_review", ACCEPT, "w2")]
    assert end(count("dp", arcs))[2:] == ("no_answer", "votes")
    assert end(count("dp", [step("pos", POS), *arcs]))[2:] == ("not_inspected", "inspection")
    both = [step("pos", POS), step("pos_review", ACCEPT, "w2")]
    assert end(count("dp", both))[2:] == ("no_answer", "votes")


def test_gold_joins_the_morphemes_and_the_tree() -> None:
    review = {"verdict": "revise", "answer": BETTER}
    rows = [
        step("pos", POS),
        step("pos_review", review, "w2"),
        step("arcs", TREE, "w2"),
        step("arcs_review", ACCEPT, "w1"),
    ]
    row = ends(count("dp", rows))["a"]
    assert row["label"] == {**BETTER, **TREE}
    assert row["agreement"] == 3 / 4


def test_an_expert_settles_one_stage_and_the_next_goes_on() -> None:
    rows = [
        step("pos", POS),
        step("pos_review", ACCEPT, "w2"),
        step("pos_review", {"verdict": "reject"}, "w3"),
        step("arcs", TREE),
        step("arcs_review", ACCEPT, "w2"),
    ]
    assert end(count("dp", rows))[2:] == ("inspectors_differ", "expert")
    for answer in (BETTER, {**BETTER, **TREE}):
        expert = vote("a", "head", answer, role="expert", round="adjudicate")
        row = ends(count("dp", [*rows, expert]))["a"]
        assert row["label"] == {**BETTER, **TREE}
        assert row["rule"] == "gold.adjudicate@1"
    tree_only = vote("a", "head", TREE, role="expert", round="adjudicate")
    assert end(count("dp", [*rows, tree_only]))[2:] == ("inspectors_differ", "expert")


def test_an_expert_settles_contradicting_inspectors() -> None:
    rows = [tag([SPAN]), inspect("accept"), inspect("reject", "b2")]
    expert = vote("a", "head", [OTHER], role="expert", round="adjudicate")
    assert end(count("ner", [*rows, expert]))[:2] == ("gold", [OTHER])
    other = {**expert, "annotator": "head2", "label": "[]"}
    assert end(count("ner", [*rows, expert, other]))[2] == "experts_differ"


def test_roles_outside_the_rule_give_no_answer() -> None:
    rule = INSPECTED_RULE | {"roles": ["annotator", "inspector"]}
    found = count("ner", [tag([SPAN], role="author")], rule=rule)
    assert end(found)[2:] == ("no_answer", "votes")
    assert left_out(found) == [("a", "vote.role@1", "edit")]
