"""Sentences with a person wait for a review; a list of public figures only proposes."""

from __future__ import annotations

from typing import Any

import pytest
from small_votes import count, end, ends, items, left_out, vote

TEXT = "가온별 감독과 나래솔 배우"
FIRST = {"start": 0, "end": 3, "label": "PS"}
SECOND = {"start": 8, "end": 11, "label": "PS"}
PLACE = {"start": 0, "end": 3, "label": "LC"}


def _count(spans: list[Any], *more: dict[str, Any], **options: Any) -> Any:
    rows = [
        vote("a", "w1", spans, round="tag"),
        vote("a", "boss", {"verdict": "accept"}, round="inspect", role="inspector"),
        *more,
    ]
    listed = items("ner", {"a": {"text": TEXT}})
    return count("ner", rows, **({"items": listed} | options))


def decide(verdict: str, who: str = "boss", **more: Any) -> dict[str, Any]:
    label = {"verdict": verdict}
    return vote("a", who, label, **({"role": "expert", "round": "privacy"} | more))


@pytest.mark.parametrize(
    ("known", "public", "proposal"),
    [
        (frozenset({"가온별", "나래솔"}), 2, "keep"),
        (frozenset({"가온별"}), 1, "review"),
        (frozenset({" 가온별", "나래솔"}), 2, "keep"),
        (None, 0, "review"),
    ],
)
def test_the_list_proposes_and_decides_nothing(known: Any, public: int, proposal: str) -> None:
    found = _count([FIRST, SECOND], public_figures=known)
    assert end(found) == ("unresolved", None, "names_a_person", "privacy")
    facts = ends(found)["a"]["evidence"]["privacy"]
    assert facts == {"persons": 2, "public": public, "proposal": proposal}


def test_without_the_text_nobody_is_known() -> None:
    found = _count([FIRST], items=None, public_figures=frozenset({"가온별"}))
    assert ends(found)["a"]["evidence"]["privacy"]["proposal"] == "review"


def test_kept_the_sentence_is_gold() -> None:
    found = _count([FIRST], decide("keep"))
    assert end(found) == ("gold", [FIRST], None, None)
    assert ends(found)["a"]["rule"] == "gold.inspected@1"
    assert ends(found)["a"]["evidence"]["privacy"]["verdict"] == "keep"


def test_not_kept_it_is_removed_as_personal_data() -> None:
    found = _count([FIRST], decide("remove"), public_figures=frozenset({"가온별"}))
    assert end(found) == ("removed", None, "personal_data", None)
    assert left_out(found) == [("a", "gold.privacy@1", "drop")]


def test_a_tie_of_experts_is_not_settled() -> None:
    found = _count([FIRST], decide("keep"), decide("remove", who="boss2"))
    assert end(found) == ("unresolved", None, "experts_differ", "privacy")


def test_no_person_no_review() -> None:
    assert end(_count([PLACE]))[0] == "gold"
    found = _count([PLACE], decide("remove"))
    assert end(found)[0] == "gold"
    assert left_out(found) == [("a", "vote.unneeded@1", "edit")]


def test_an_annotator_does_not_decide() -> None:
    found = _count([FIRST], decide("keep", role="annotator"))
    assert end(found)[3] == "privacy"
    assert left_out(found) == [("a", "vote.role@1", "edit")]


def test_names_are_in_neither_table() -> None:
    for more in ([], [decide("remove")]):
        found = _count([FIRST, SECOND], *more, public_figures=frozenset({"가온별"}))
        assert found.gold.num_rows == 1
        assert found.ledger.num_rows == len(more)
        told = str(found.gold.to_pylist()) + str(found.ledger.to_pylist()) + str(found.summary)
        assert "가온별" not in told
        assert "나래솔" not in told


def test_a_sentence_settled_by_an_expert_is_reviewed_too() -> None:
    expert = vote("a", "head", [FIRST], role="expert", round="adjudicate")
    found = _count(
        [PLACE], vote("a", "b2", {"verdict": "reject"}, round="inspect", role="inspector"), expert
    )
    assert end(found)[3] == "privacy"
