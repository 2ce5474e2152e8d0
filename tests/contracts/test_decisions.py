"""Experts' decisions: about reports, about persons named, about what the votes left open."""

from __future__ import annotations

import pytest

from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.decisions import deciding, parse_decision
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("review", {"verdict": "uphold", "reason": "hate"}),
        ("review", {"verdict": "dismiss"}),
        ("privacy", {"verdict": "keep"}),
    ],
)
def test_decisions_keep_their_form(name: str, answer: dict[str, str]) -> None:
    assert parse_decision(answer, name, load_spec("ner")) == answer


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("review", {"verdict": "keep"}),
        ("review", {"verdict": "uphold", "reason": "no reason of the spec"}),
        ("privacy", {"verdict": "remove", "name": "민서"}),
        ("privacy", "keep"),
        ("privacy", {}),
    ],
)
def test_other_decisions_are_refused(name: str, answer: object) -> None:
    with pytest.raises(RecordError, match=r"verdict|reason"):
        parse_decision(answer, name, load_spec("ner"))


@pytest.mark.parametrize(
    ("task", "form"), [("tc", "topics"), ("nli", "label"), ("sts", "score"), ("ner", "spans")]
)
def test_adjudication_takes_the_form_of_gold(task: str, form: str) -> None:
    assert [r.answer for r in deciding("adjudicate", load_spec(task))] == [form]


def test_intake_takes_decisions_of_experts_only() -> None:
    spec = load_spec("tc")
    values = [
        {"round": "review", "role": "expert", "label": {"verdict": "uphold"}},
        {"round": "adjudicate", "label": "사회"},
        {"round": "adjudicate", "role": "expert", "label": "날씨"},
        {"round": "review", "role": "annotator", "label": {"verdict": "uphold"}},
    ]
    raw = [
        RawVote("v", line, {"item": f"i{line}", "annotator": "expert-1", **value})
        for line, value in enumerate(values, 1)
    ]
    taken = intake(raw, task=TASKS["tc"], spec=spec)
    rows = taken.votes.to_pylist()
    assert [(r["item"], r["round"], r["role"], r["label"]) for r in rows] == [
        ("i1", "review", "expert", '{"verdict":"uphold"}'),
        ("i2", "adjudicate", "expert", '["사회"]'),
    ]
    assert [r["rule"] for r in taken.ledger.to_pylist()] == ["vote.label@1", "vote.round@1"]
