"""The last round of inspected answers: experts review the whole answer of every item."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from small_votes import ROUNDS, ends, left_out, round_, spec, vote, votes

from pipeline.agreement.aggregation.aggregate import Aggregated, aggregate
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec

POS = {"lemmas": ["나", "가 ㄴ다"], "pos": ["NNG", "VV+EF"]}
BETTER = {"lemmas": ["나", "가 ㄴ다"], "pos": ["NP", "VV+EF"]}
TREE = {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}
OTHER = {"heads": [2, 0], "deprels": ["NP_AJT", "VP"]}
ACCEPT, REJECT = {"verdict": "accept"}, {"verdict": "reject"}
READING = {"question": "누구?", "type": 1, "answers": [{"start": 0, "text": "나"}]}
READING |= {"plausible_answers": []}


def _final(after: str, **more: Any) -> dict[str, Any]:
    return round_("final_review", "expert", "verdict", after=after, final=True, **more)


def _step(name: str, label: Any, who: str = "w1") -> dict[str, Any]:
    role = {"final_review": "expert", "adjudicate": "expert", "write": "author"}.get(name)
    role = role or ("inspector" if name.endswith(("review", "inspect")) else "annotator")
    return vote("a", who, label, round=name, role=role)


STAGES = [
    _step("pos", POS),
    _step("pos_review", ACCEPT, "w2"),
    _step("arcs", TREE),
    _step("arcs_review", ACCEPT, "w2"),
]


def _count(rows: list[dict[str, Any]], task: str = "dp", **more: Any) -> Aggregated:
    rounds = [*ROUNDS[task], _final(ROUNDS[task][-1]["id"], **more)]
    return aggregate(votes(task, rows), task=TASKS[task], spec=spec(task, rounds=rounds))


def _end(*verdicts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return ends(_count([*STAGES, *verdicts], **more))["a"]


def test_an_answer_waits_until_an_expert_has_seen_it() -> None:
    row = _end()
    assert (row["status"], row["reason"], row["queue"]) == (
        "unresolved",
        "not_reviewed",
        "inspection",
    )
    row = _end(_step("final_review", ACCEPT, "e"))
    assert (row["label"], row["agreement"], row["votes"]) == ({**POS, **TREE}, 1, 5)


@pytest.mark.parametrize("answer", [BETTER, OTHER, {**BETTER, **OTHER}])
def test_a_correction_names_all_parts_or_some(answer: dict[str, Any]) -> None:
    row = _end(_step("final_review", {"verdict": "revise", "answer": answer}, "e"))
    assert row["label"] == {**POS, **TREE, **answer}
    # the accepted answers of both stages, and the review itself, say what the stages say
    assert row["agreement"] == 5 / 5


def test_what_the_review_rejects_is_removed_with_its_reason() -> None:
    found = _count([*STAGES, _step("final_review", REJECT, "e")])
    row = ends(found)["a"]
    assert (row["status"], row["reason"], row["label"]) == ("removed", "rejected_in_review", None)
    assert [r["action"] for r in found.ledger.to_pylist() if r["unit"] == "a"] == ["drop"]


def test_reviewers_who_differ_need_an_adjudication() -> None:
    differ = [_step("final_review", ACCEPT, "e"), _step("final_review", REJECT, "f")]
    row = _end(*differ, per_item=2)
    assert (row["reason"], row["queue"]) == ("reviewers_differ", "expert")
    row = _end(*differ, _step("adjudicate", OTHER, "g"), per_item=2)
    assert row["label"] == {**POS, **OTHER}
    assert row["rule"] == "gold.adjudicate@1"


def test_what_an_expert_adjudicated_needs_no_review() -> None:
    open_ = [*STAGES[:-1], _step("arcs_review", REJECT, "w2")]
    assert ends(_count(open_))["a"]["queue"] == "expert"
    row = ends(_count([*open_, _step("adjudicate", OTHER, "e")]))["a"]
    assert (row["status"], row["label"]) == ("gold", {**POS, **OTHER})


def test_nobody_reviews_their_own_answer_and_nothing_that_is_not_there() -> None:
    own = _count([*STAGES, _step("final_review", ACCEPT, "w1")])
    assert ends(own)["a"]["reason"] == "not_reviewed"
    assert left_out(own)[0][1] == "vote.own@1"
    alone = _count([_step("final_review", ACCEPT, "e")])
    assert ends(alone)["a"]["queue"] == "votes"
    assert left_out(alone)[0][1] == "vote.stray@1"


def test_the_review_is_of_the_last_attempt() -> None:
    better = READING | {"question": "누구인가?"}
    rows = [
        _step("write", READING),
        _step("inspect", REJECT, "i"),
        _step("write", better) | {"attempt": 2},
        _step("inspect", ACCEPT, "i") | {"attempt": 2},
        _step("final_review", ACCEPT, "e"),
    ]
    assert ends(_count(rows, "mrc"))["a"]["label"] == better


@pytest.mark.parametrize(
    "change",
    [{"role": "inspector"}, {"answer": "tree"}, {"after": None}],
    ids=["role", "answer", "after"],
)
def test_a_final_round_is_a_verdict_of_experts_after_another(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="is final, so it must be the last one"):
        spec("dp", rounds=[*ROUNDS["dp"], _final("arcs_review") | change])


def test_a_final_round_is_the_last_one() -> None:
    more = round_("again", "inspector", "verdict", after="arcs")
    with pytest.raises(ValidationError, match="is final, so it must be the last one"):
        spec("dp", rounds=[*ROUNDS["dp"], _final("arcs_review"), more])


def test_a_spec_without_a_final_round_keeps_its_digest() -> None:
    dumped = load_spec("dst").model_dump(mode="json")
    assert all("final" not in each for each in dumped["rounds"])
    assert "likeness" not in dumped["pilot"]
    assert [each.get("final") for each in load_spec("mrc").model_dump(mode="json")["rounds"]] == [
        None,
        None,
        True,
    ]
