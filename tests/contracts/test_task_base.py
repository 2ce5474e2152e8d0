"""Nothing personal stands in a reason, and a label is one in either Unicode form."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round, TaskSpec, load_spec
from pipeline.contracts.task import mask, one_of
from pipeline.core.errors import RecordError

SPECS = {task: load_spec(task) for task in TASKS}
FIELDS: dict[str, Any] = {
    "text": "날이 맑다",
    "words": ["날이", "맑다"],
    "context": "날이 맑다",
}
KOREAN = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=4, max_size=9)
NUMBERS = st.text("0123456789-", min_size=4, max_size=14)
ADDRESSES = st.builds(
    "{}@{}.example".format, st.text("qxzjvw.", min_size=4), st.text("qxzjvw", min_size=4)
)
TEXTS = st.one_of(KOREAN, NUMBERS, ADDRESSES, st.builds("{} {}".format, KOREAN, NUMBERS))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("maybe", "'maybe'"),
        ("per:title", "'per:title'"),
        ("NP_SBJ", "'NP_SBJ'"),
        ("김가상", "a text of 3 characters"),
        ("a", "'a'"),
        ("", "a text of 0 characters"),
        ("1234-567", "a text of 8 characters"),
        ("7", "a text of 1 character"),
        ("ga.sang@mail.example", "a text of 20 characters"),
        ("a" * 25, "a text of 25 characters"),
        (2.5, "2.5"),
        (-3, "-3"),
        (9999, "9999"),
        (10_000, "a number of five digits or more"),
        (1012345678, "a number of five digits or more"),
        (10**5000, "a number of five digits or more"),
        (0.12345, "a number of five digits or more"),
        (1e-7, "a number of five digits or more"),
        (math.nan, "NaN"),
        (-math.inf, "an infinite number"),
        (None, "null"),
        (True, "true"),
        ({"이름": "김가상"}, "an object with 1 key"),
        (["김가상", "서울"], "a list of 2 values"),
        ({"김가상"}, "a value of type set"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_shown_of_a_value(value: object, expected: str) -> None:
    assert mask(value) == expected


def _forms(text: str) -> list[Any]:
    """Return answers that hold a text, each where another thing belongs."""
    number = max(int(text) if text.isdigit() else 10**9, 10_000)
    return [
        text,
        [text],
        {text: text},
        [{"start": 0, "end": 1, "label": text}],
        [{"start": number, "end": number + 1, "label": "PS"}],
        [{"start": 0, "end": 1, "label": "PS", "text": text}],
        {"lemmas": [text, text], "pos": [text, text]},
        {"heads": [number, 0], "deprels": ["NP", "VP"]},
        {"heads": [2, 0], "deprels": [text, "VP"]},
        {"heads": [text, 0], "deprels": ["NP", "VP"]},
        {"question": "왜?", "type": number, "answers": []},
        {"question": "왜?", "type": 1, "answers": [{"start": number, "text": text}]},
        {"question": "왜?", "type": 1, "answers": [text]},
        {"turns": [text]},
        {"turns": [{"role": text, "text": "네"}]},
        {"turns": [{"role": "user", "text": text, "state": [text]}]},
        {"turns": [{"role": "user", "text": "네", "state": [f"숙소-{text}-네"]}]},
        {"turns": [{"role": "user", "text": "네", "state": [f"숙소-도보 가능-{text}"]}]},
        {"turns": [{"role": "user", "text": "네", "state": text}]},
        {"verdict": text},
        {"verdict": "accept", text: text},
        {"verdict": "accept", "feedback": [text]},
        {"verdict": "revise", "answer": text},
    ]


def _reason(task: str, answer: Any, spec: TaskSpec, round_: Round) -> str:
    try:
        TASKS[task].parse(answer, FIELDS, spec, round_)
    except RecordError as error:
        return error.reason
    return ""


@pytest.mark.parametrize("task", sorted(TASKS))
@given(text=TEXTS)
def test_no_reason_holds_a_part_of_what_was_given(task: str, text: str) -> None:
    spec = SPECS[task]
    reasons = [
        _reason(task, answer, spec, round_) for round_ in spec.rounds for answer in _forms(text)
    ]
    assert any(reasons)
    parts = {text[i : i + 4] for i in range(len(text) - 3)}
    for reason in reasons:
        told = reason.partition("allowed:")[0]
        assert not [part for part in parts if part in told]


@given(KOREAN)
def test_a_name_where_a_label_belongs_is_not_told_either(name: str) -> None:
    with pytest.raises(RecordError) as caught:
        one_of(name[:3], ("사회", "경제"), "topic")
    assert name[:3] not in caught.value.reason
    assert caught.value.reason.endswith("allowed: 사회, 경제")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_label_is_one_in_either_unicode_form(form: Any) -> None:
    def given_(text: str) -> str:
        return unicodedata.normalize(form, text)

    assert one_of(given_("경제"), ("사회", "경제"), "topic") == "경제"
    tc, dst = SPECS["tc"], SPECS["dst"]
    assert TASKS["tc"].parse([given_("경제")], {}, tc, tc.rounds[0]) == ["경제"]
    turn = {"role": "user", "text": given_("가까운 곳"), "state": [given_("숙소-지역-서울 중앙")]}
    made = TASKS["dst"].parse({"turns": [turn]}, {}, dst, dst.rounds[0])
    assert made["turns"][0]["state"] == ["숙소-지역-서울 중앙"]
    assert made["turns"][0]["text"] == given_("가까운 곳")  # free text stays as given
