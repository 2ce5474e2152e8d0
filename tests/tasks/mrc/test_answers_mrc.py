from __future__ import annotations

from typing import Any

import pytest
from small_specs import named, round_, rule_of, spec

from pipeline.core.errors import RecordError
from pipeline.tasks.mrc.task import TASK

SPEC = spec("mrc", [round_("reading"), round_("verdict", "check", after="main")])
ITEM = {"title": "도서관", "context": "도서관은 1987년에 문을 열었다. 관장은 나라온이다."}
ANSWER = {"start": 5, "text": "1987년"}
READING = {
    "question": "도서관이 개관한 해는?",
    "type": 1,
    "answers": [ANSWER],
    "plausible_answers": [],
}
IMPOSSIBLE = READING | {"type": 3, "answers": [], "plausible_answers": [ANSWER]}


def test_questions_of_every_type() -> None:
    assert TASK.parse(READING, ITEM, SPEC, named(SPEC)) == READING
    assert TASK.parse(IMPOSSIBLE, ITEM, SPEC, named(SPEC)) == IMPOSSIBLE
    short = {key: READING[key] for key in ("question", "type", "answers")}
    assert TASK.parse(short | {"type": 2.0}, ITEM, SPEC, named(SPEC)) == READING | {"type": 2}


def test_answers_keep_the_order_of_their_writer() -> None:
    answers = [{"start": 5, "text": "1987년에"}, ANSWER]
    found = TASK.parse(READING | {"answers": answers}, ITEM, SPEC, named(SPEC))
    assert found["answers"] == answers


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("질문", "vote.form@1"),
        ({"question": "왜?"}, "vote.form@1"),
        (READING | {"note": "x"}, "vote.form@1"),
        (READING | {"question": "  "}, "vote.form@1"),
        (READING | {"type": 4}, "vote.range@1"),
        (READING | {"type": None}, "vote.form@1"),
        (READING | {"answers": []}, "vote.form@1"),
        (READING | {"answers": [ANSWER, ANSWER]}, "vote.form@1"),
        (READING | {"answers": [{"start": 5, "text": ""}]}, "vote.form@1"),
        (READING | {"answers": [{"start": 4, "text": "1987년"}]}, "vote.range@1"),
        (READING | {"answers": [{"start": -1, "text": "."}]}, "vote.range@1"),
        (READING | {"answers": [{"start": 500, "text": "1987년"}]}, "vote.range@1"),
        (READING | {"answers": ["1987년"]}, "vote.form@1"),
        (READING | {"plausible_answers": [ANSWER]}, "vote.form@1"),
        (READING | {"type": 3}, "vote.form@1"),
        (IMPOSSIBLE | {"type": 2}, "vote.form@1"),
        (IMPOSSIBLE | {"plausible_answers": [{"start": 0, "text": "1987년"}]}, "vote.range@1"),
    ],
)
def test_faulty_readings_are_refused(answer: Any, rule: str) -> None:
    assert rule_of(TASK, answer, ITEM, SPEC) == rule


def test_messages_hold_no_text_of_the_passage() -> None:
    given = READING | {"answers": [{"start": 3, "text": "나라온"}]}
    with pytest.raises(RecordError) as caught:
        TASK.parse(given, ITEM, SPEC, named(SPEC))
    assert "나라온" not in str(caught.value)


def test_a_verdict_holds_a_reading() -> None:
    assert rule_of(TASK, {"verdict": "revise", "answer": READING}, ITEM, SPEC, "check") == "good"
    given = {"verdict": "revise", "answer": READING | {"answers": []}}
    assert rule_of(TASK, given, ITEM, SPEC, "check") == "vote.form@1"


def test_answers_are_viewed_as_spans() -> None:
    assert TASK.view(READING) == [(5, 10, "answer")]
    assert TASK.view(IMPOSSIBLE) == []


def test_the_best_pair_of_answers_counts() -> None:
    """`1987년에` against `1987년`: six characters and five, five shared."""
    longer = READING | {"answers": [{"start": 5, "text": "1987년에"}]}
    found = TASK.compare(longer, READING)
    assert found == {"em": 0.0, "char_f1": pytest.approx(2 * 5 / 11)}
    both = READING | {"answers": [*longer["answers"], ANSWER]}
    assert TASK.compare(both, READING) == {"em": 1.0, "char_f1": 1.0}
    assert TASK.compare(READING, IMPOSSIBLE) == {"em": 0.0, "char_f1": 0.0}
    assert TASK.compare(IMPOSSIBLE, IMPOSSIBLE) == {"em": 1.0, "char_f1": 1.0}
