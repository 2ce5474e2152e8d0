from __future__ import annotations

from typing import Any

import pytest
from small_specs import labels, named, round_, rule_of, spec

from pipeline.core.errors import RecordError
from pipeline.tasks.nli.task import TASK

LABELS = ("entailment", "contradiction", "neutral")
SPEC = spec(
    "nli",
    [
        round_("hypotheses", "write"),
        round_("verdict", "check", after="write"),
        round_("label"),
    ],
    labels=labels(*LABELS),
)
ITEM = {"premise": "가게는 아홉 시에 연다."}
WRITTEN = {
    "entailment": "가게는 여는 시각이 있다.",
    "contradiction": "가게는 열지 않는다.",
    "neutral": "가게 주인은 부지런하다.",
}


def test_a_label_is_one_of_the_three() -> None:
    assert TASK.parse("neutral", ITEM, SPEC, named(SPEC)) == "neutral"
    assert rule_of(TASK, "Neutral", ITEM, SPEC) == "vote.label@1"
    assert rule_of(TASK, None, ITEM, SPEC) == "vote.label@1"


def test_hypotheses_come_back_in_the_order_of_the_labels_without_outer_blanks() -> None:
    given = {label: f" {WRITTEN[label]}\n" for label in reversed(LABELS)}
    found = TASK.parse(given, ITEM, SPEC, named(SPEC, "write"))
    assert found == WRITTEN and tuple(found) == LABELS


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"neutral": " "}, "vote.form@1"),
        ({"neutral": 7}, "vote.form@1"),
        ({"neutral": "가게는  열지 않는다. "}, "vote.form@1"),
        ({"maybe": "가게는 크다."}, "vote.label@1"),
    ],
)
def test_three_different_texts_are_wanted(change: dict[str, Any], rule: str) -> None:
    assert rule_of(TASK, WRITTEN | change, ITEM, SPEC, "write") == rule


def test_a_missing_hypothesis_is_named() -> None:
    given = {label: WRITTEN[label] for label in LABELS[:2]}
    with pytest.raises(RecordError, match="neutral"):
        TASK.parse(given, ITEM, SPEC, named(SPEC, "write"))
    assert rule_of(TASK, list(WRITTEN.values()), ITEM, SPEC, "write") == "vote.form@1"


def test_a_verdict_corrects_the_round_that_it_is_about() -> None:
    given = {"verdict": "revise", "answer": WRITTEN}
    assert TASK.parse(given, ITEM, SPEC, named(SPEC, "check")) == given
    assert rule_of(TASK, given | {"answer": "neutral"}, ITEM, SPEC, "check") == "vote.form@1"


def test_pairs_are_compared_by_label() -> None:
    assert TASK.view("neutral") == "neutral"
    assert TASK.compare("neutral", "neutral") == {"equal": 1.0}
    assert TASK.compare("neutral", "entailment") == {"equal": 0.0}
