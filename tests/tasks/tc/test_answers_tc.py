from __future__ import annotations

from typing import Any

import pytest
from small_specs import labels, named, round_, rule_of, spec

from pipeline.tasks.tc.task import TASK, first

SPEC = spec("tc", [round_("topics")], labels=labels("정치", "경제", "사회"))
ITEM = {"title": "시청 앞 광장에 새 도서관"}


def test_topics_stay_in_the_order_of_their_rank() -> None:
    assert TASK.parse(["사회", "경제"], ITEM, SPEC, named(SPEC)) == ["사회", "경제"]
    assert TASK.parse("사회", ITEM, SPEC, named(SPEC)) == ["사회"]


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ([], "vote.form@1"),
        (None, "vote.form@1"),
        (["사회", "사회"], "vote.form@1"),
        (["정치", "경제", "사회", "정치"], "vote.form@1"),
        (["해당없음"], "vote.label@1"),
        ([3], "vote.label@1"),
    ],
)
def test_other_answers_are_refused(answer: Any, rule: str) -> None:
    assert rule_of(TASK, answer, ITEM, SPEC) == rule


def test_the_first_topic_is_what_agreement_is_about() -> None:
    assert TASK.view(["사회", "경제"]) == first(["사회"]) == "사회"
    assert TASK.compare(["사회", "경제"], ["사회"]) == {"equal": 1.0, "overlap": 0.5}
    assert TASK.compare(["경제", "사회"], ["사회", "경제"]) == {"equal": 0.0, "overlap": 1.0}
