"""Majorities with a minimum number of votes, and who is asked where there is none."""

from __future__ import annotations

import pytest
from small_votes import (
    NLI_RULE,
    TC_RULE,
    count,
    end,
    ends,
    left_out,
    round_,
    spec,
    vote,
    votes,
)

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.contracts.registry import TASKS


def _votes(*labels: str, item: str = "a") -> list[dict[str, object]]:
    return [vote(item, f"w{i}", [label]) for i, label in enumerate(labels)]


def test_first_topic_of_two_in_three() -> None:
    rows = [vote("a", "w1", ["정치", "경제"]), vote("a", "w2", ["정치"]), vote("a", "w3", ["경제"])]
    found = count("tc", rows)
    assert end(found) == ("gold", ["정치"], None, None)
    row = ends(found)["a"]
    assert row["agreement"] == 2 / 3
    assert row["votes"] == 3
    assert row["evidence"] == {"counts": {"경제": 1, "정치": 2}, "rounds": {"main": 3}, "voters": 3}


def test_a_headline_without_a_majority_is_removed_with_its_reason() -> None:
    found = count("tc", _votes("정치", "경제", "사회"))
    assert end(found) == ("removed", None, "no_majority", None)
    assert left_out(found) == [("a", "gold.majority@1", "drop")]


def test_too_few_votes_decide_nothing_even_when_they_agree() -> None:
    assert end(count("tc", _votes("정치", "정치"))) == (
        "unresolved",
        None,
        "too_few_votes",
        "votes",
    )


@pytest.mark.parametrize(
    ("otherwise", "status", "queue"),
    [
        ("removed", "removed", None),
        ("expert", "unresolved", "expert"),
        ("top_annotators", "unresolved", "top_annotators"),
    ],
)
def test_a_tie_is_never_settled(otherwise: str, status: str, queue: str | None) -> None:
    """Two and two: both have the two votes needed, and neither is gold."""
    rule = TC_RULE | {"otherwise": otherwise}
    found = count("tc", _votes("정치", "경제", "경제", "정치"), rule=rule)
    assert end(found) == (status, None, "no_majority", queue)


@pytest.mark.parametrize(
    ("author", "validators", "expected"),
    [
        ("entailment", ("neutral",) * 4, ("gold", "neutral", None, None)),
        (
            "entailment",
            ("entailment", "entailment", "neutral", "neutral"),
            ("gold", "entailment", None, None),
        ),
        (
            "entailment",
            ("entailment", "neutral", "neutral", "contradiction"),
            ("removed", None, "no_majority", None),
        ),
    ],
)
def test_the_author_is_one_of_five(
    author: str, validators: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    rows = [vote("a", "author", author, role="author", round="validate")]
    rows += [
        vote("a", f"v{i}", label, role="validator", round="validate")
        for i, label in enumerate(validators)
    ]
    assert end(count("nli", rows)) == expected


def _validated(*labels: str) -> list[dict[str, object]]:
    return [
        vote("a", f"v{i}", label, role="validator", round="validate")
        for i, label in enumerate(labels)
    ]


def test_validators_alone_are_no_five() -> None:
    """Section 3.3.1: the five labels are the author's and those of four validators."""
    rows = _validated(*["neutral"] * 5)
    assert end(count("nli", rows)) == ("unresolved", None, "no_author", "votes")
    author = vote("a", None, "neutral", role="author", round="validate", seat="author")
    assert end(count("nli", [*rows, author]))[:2] == ("gold", "neutral")


@pytest.mark.parametrize(
    ("counts", "gold"),
    [((2, 1, 1, 1, 1, 1), False), ((3, 2, 2), False), ((4, 3), True), ((2, 2), False)],
)
def test_a_majority_is_more_than_half(counts: tuple[int, ...], gold: bool) -> None:
    topics = ["정치", "경제", "사회", "세계", "스포츠", "생활문화"]
    labels = [topic for topic, n in zip(topics, counts, strict=False) for _ in range(n)]
    found = count("tc", _votes(*labels))
    assert end(found)[:2] == (("gold", ["정치"]) if gold else ("removed", None))


def test_a_vote_on_ones_own_pair_does_not_count_whenever_it_came() -> None:
    validating = [{**round_("validate", "validator", "label", 4), "not_by": ["write"]}]
    small = spec("nli", rounds=[round_("write", "author", "hypotheses"), *validating])
    author = vote("a", "v0", "neutral", role="author", round="validate")
    rows = [*_validated(*["neutral"] * 4), author]
    for given in (rows, rows[::-1]):
        found = aggregate(votes("nli", given), task=TASKS["nli"], spec=small)
        assert end(found) == ("unresolved", None, "too_few_votes", "votes")
        assert ends(found)["a"]["votes"] == 4  # the author's own label stays
        assert left_out(found) == [("a", "vote.own@1", "edit")]


def test_hypotheses_written_for_a_premise_are_no_votes_on_a_pair() -> None:
    texts = {"entailment": "가", "contradiction": "나", "neutral": "다"}
    rows = [vote("premise", "author", texts, role="author", round="write")]
    rows.append(vote("pair", "author", "neutral", role="author", round="validate"))
    rows += [vote("pair", f"v{i}", "neutral", role="validator", round="validate") for i in range(4)]
    found = count("nli", rows)
    assert found.gold["item"].to_pylist() == ["pair"]
    assert end(found, "pair")[:2] == ("gold", "neutral")
    assert left_out(found) == []


def test_roles_outside_the_rule_do_not_count() -> None:
    rows = [vote("a", f"v{i}", "neutral", role="validator", round="validate") for i in range(4)]
    rows.append(vote("a", "boss", "neutral", role="inspector", round="validate"))
    found = count("nli", rows, rule=NLI_RULE)
    assert end(found)[2] == "too_few_votes"
    assert left_out(found) == [("a", "vote.role@1", "edit")]


def test_only_the_last_attempt_of_a_person_counts() -> None:
    rows = [*_votes("정치", "경제", "사회"), vote("a", "w2", ["정치"], attempt=2)]
    found = count("tc", rows)
    assert end(found)[:2] == ("gold", ["정치"])
    assert left_out(found) == [("a", "vote.superseded@1", "edit")]


def test_a_person_who_votes_twice_counts_once_or_not_at_all() -> None:
    same = count("tc", [*_votes("정치", "경제"), vote("a", "w0", ["정치"])])
    assert ends(same)["a"]["votes"] == 2
    torn = count("tc", [*_votes("정치", "정치", "경제"), vote("a", "w0", ["경제"])])
    assert ends(torn)["a"]["votes"] == 2
    assert left_out(torn) == [("a", "vote.double@1", "edit")] * 2


def test_seats_tell_anonymous_votes_apart() -> None:
    rows = [vote("a", None, ["정치"], seat=f"label{i}") for i in range(3)]
    assert ends(count("tc", rows))["a"]["votes"] == 3
    assert ends(count("tc", [*rows, rows[0]]))["a"]["votes"] == 3
    assert ends(count("tc", [vote("a", None, ["정치"])] * 3))["a"]["votes"] == 3
