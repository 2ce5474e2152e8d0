"""Two inspectors of one answer: how far their verdicts, and what these lead to, agree."""

from __future__ import annotations

import json
from typing import Any

import pytest
from vote_tables import table

from pipeline.agreement.audit import audit
from pipeline.agreement.inspectors import inspectors
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec

ONE = [{"start": 0, "end": 2, "label": "PS"}, {"start": 4, "end": 6, "label": "LC"}]
TWO = [{"start": 0, "end": 2, "label": "PS"}, {"start": 4, "end": 7, "label": "LC"}]
ACCEPT: dict[str, Any] = {"verdict": "accept"}


def _revise(answer: Any, **more: str) -> dict[str, Any]:
    return {"verdict": "revise", "answer": answer, **more}


PAIRS = [
    (ACCEPT, ACCEPT),
    (ACCEPT, _revise(TWO)),
    (_revise(ONE), _revise(TWO)),
    (_revise(TWO, feedback="경계"), _revise(TWO)),
]


def _votes(pairs: list[tuple[Any, Any]]) -> Any:
    judge = {"role": "inspector", "round": "inspect"}
    rows = [
        row
        for n, (left, right) in enumerate(pairs)
        for row in (
            (f"i{n}", "tagger", ONE, {"round": "tag"}),
            (f"i{n}", "p", left, judge),
            (f"i{n}", "q", right, judge),
        )
    ]
    return table(rows, task="ner")


def test_pairs_of_verdicts_are_counted_by_hand() -> None:
    found = inspectors(_votes(PAIRS), task=TASKS["ner"], spec=load_spec("ner"))
    assert list(found) == ["inspect"]
    record = found["inspect"]
    assert (record["items"], record["pairs"], record["corrections"]) == (4, 4, 2)
    assert record["same_verdict"] == 3 / 4
    assert record["same_answer"] == 2 / 4
    assert record["likeness"] == pytest.approx((0.5 + 1) / 2)  # one span of two is equal
    # nominal alpha by its definition: one of four pairs differs; 3 accept, 5 revise of 8
    assert record["alpha"]["value"] == pytest.approx(1 - (2 / 8) / (2 * 3 * 5 / (8 * 7)))


def test_the_audit_states_them_among_its_facts() -> None:
    record = audit(_votes(PAIRS), task=TASKS["ner"], bootstrap=20)
    assert record["facts"]["inspect_same_verdict"] == 0.75
    assert "same answer" in record["facts_about"]["inspect_same_answer"]
    json.dumps(record, allow_nan=False, default=list)
    alone = audit(table([("a", "t", ONE, {"round": "tag"})], task="ner"), task=TASKS["ner"])
    assert "inspectors" not in alone and "inspect_same_verdict" not in alone["facts"]


def test_one_inspector_has_nobody_to_agree_with() -> None:
    judge = {"role": "inspector", "round": "inspect"}
    votes = table([("a", "t", ONE, {"round": "tag"}), ("a", "p", ACCEPT, judge)], task="ner")
    assert inspectors(votes, task=TASKS["ner"], spec=load_spec("ner")) == {}


def test_what_is_accepted_at_last_is_what_inspectors_made_of_it() -> None:
    """An expert who accepts a correction agrees with it, not with the first answer."""
    judge = {"role": "inspector", "round": "inspect"}
    rows = [
        ("a", "t", ONE, {"round": "tag"}),
        ("a", "p", _revise(TWO), judge),
        ("a", "q", _revise(TWO), judge),
        ("a", "e", ACCEPT, {"role": "expert", "round": "final_review"}),
    ]
    record = audit(table(rows, task="ner"), task=TASKS["ner"], bootstrap=0)
    # of six pairs three are between equal answers, three share one span of two
    assert record["coefficients"]["entity_f1"]["value"] == pytest.approx((3 * 4 + 3 * 2) / (6 * 4))
