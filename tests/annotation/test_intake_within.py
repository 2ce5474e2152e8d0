"""What a batch asks of its votes: its round, its items, and the people whom it gave them to."""

from __future__ import annotations

from typing import Any

import pytest
from voting import GOOD, SPAN, take

from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.intake.vote import Within


def test_only_the_assigned_answer_but_experts_are_free() -> None:
    given_ = assign(["a", "b"], ["07", "08"], per_item=1, seed=1)
    mine = dict(zip(given_["item"].to_pylist(), given_["annotator"].to_pylist(), strict=True))
    votes = [GOOD | {"item": i, "annotator": who} for i in "ab" for who in ("07", "08")]
    expert = GOOD | {"annotator": "lead", "role": "expert"}
    seat = {"item": "a", "seat": "1", "label": ["사회"]}
    taken = take(*votes, expert, seat, within=Within(round="main", assignments=given_))
    assert taken.counts.rules == {"vote.unassigned@1": 3}
    rows = [(r["item"], r["annotator"]) for r in taken.votes.to_pylist() if r["role"] != "expert"]
    assert dict(rows) == mine


def test_an_open_tool_s_votes_on_items_of_others_are_kept_and_marked() -> None:
    given_ = assign(["a", "b"], ["07", "08"], per_item=1, seed=1)
    mine = set(zip(given_["item"].to_pylist(), given_["annotator"].to_pylist(), strict=True))
    votes = [GOOD | {"item": i, "annotator": who} for i in "ab" for who in ("07", "08")]
    expert = GOOD | {"annotator": "lead", "role": "expert"}
    within = Within(round="main", assignments=given_, open=True)
    taken = take(*votes, expert, within=within)
    assert (taken.counts.new, taken.counts.rules) == (5, {})
    marks = [(r["rule"], r["action"], votes[r["line"] - 1]) for r in taken.ledger.to_pylist()]
    others = [vote for vote in votes if (vote["item"], vote["annotator"]) not in mine]
    assert marks == [("vote.unassigned@1", "keep", vote) for vote in others]
    again = take(*votes, expert, within=within, existing=taken.votes)
    assert (again.counts.unchanged, again.ledger.num_rows) == (5, 0)
    barred = Within(round="main", assignments=given_, barred={"a": {"07"}}, open=True)
    assert take(GOOD | {"annotator": "07"}, within=barred).counts.rules == {"vote.own@1": 1}


def test_nobody_validates_their_own_pair() -> None:
    author = {"item": "a", "annotator": "07", "role": "author", "label": "neutral"}
    own = {"item": "a", "annotator": "07", "role": "validator", "label": "neutral"}
    votes = [author, own, own | {"annotator": "08"}, own | {"item": "b"}]
    within = Within(barred={"b": {"07"}})
    for records in (votes, votes[::-1]):
        taken = take(*records, task="nli", within=within)
        assert taken.counts.rules == {"vote.own@1": 2}
        assert taken.votes.num_rows == 2
    later = take(own, task="nli", existing=take(author, task="nli").votes)
    assert later.counts.rules == {"vote.own@1": 1}


@pytest.mark.parametrize(
    ("task", "label"), [("ner", [SPAN]), ("dp", {"lemmas": ["가"] * 3, "pos": ["NNG"] * 3})]
)
def test_nobody_inspects_their_own_answer(task: str, label: Any) -> None:
    first = {"item": "a", "annotator": "07", "label": label}
    verdict = {"item": "a", "annotator": "07", "role": "inspector", "label": {"verdict": "accept"}}
    taken = take(first, verdict, verdict | {"annotator": "08"}, task=task)
    assert taken.counts.rules == {"vote.own@1": 1}
    assert taken.counts.new == 2


def test_pilot_items_have_no_place_in_a_main_batch() -> None:
    taken = take(GOOD, GOOD | {"item": "b"}, within=Within(pilot={"b"}))
    assert taken.counts.rules == {"vote.pilot@1": 1}


def test_a_batch_is_about_one_round() -> None:
    votes = [{"item": "a", "annotator": w, "label": "per:title"} for w in ("07", "08")]
    taken = take(votes[0], votes[1] | {"round": "main"}, task="re", within=Within(round="resolve"))
    assert taken.counts.rules == {"vote.round@1": 1}
    assert taken.votes.column("round").to_pylist() == ["resolve"]
