from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_specs import labels, named, round_, rule_of, spec

from pipeline.core.errors import RecordError
from pipeline.tasks.ner.task import TASK

SPEC = spec(
    "ner",
    [round_("spans"), round_("verdict", "check", after="main")],
    labels=labels("PS", "LC", "OG", "DT", "TI", "QT"),
)
ITEM = {"text": "한빛상사는 3월에 문을 열었다."}


def _span(start: Any, end: Any, label: Any = "OG") -> dict[str, Any]:
    return {"start": start, "end": end, "label": label}


def test_spans_come_back_by_start() -> None:
    given_ = [_span(6, 8, "DT"), _span(0, 4)]
    assert TASK.parse(given_, ITEM, SPEC, named(SPEC)) == [_span(0, 4), _span(6, 8, "DT")]
    assert TASK.parse([], ITEM, SPEC, named(SPEC)) == []
    assert TASK.parse([_span(0, 2), _span(2, 4)], ITEM, SPEC, named(SPEC))[1]["start"] == 2


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("OG", "vote.form@1"),
        ([_span(0, 4) | {"text": "한빛상사"}], "vote.form@1"),
        ([{"start": 0, "end": 4}], "vote.form@1"),
        ([_span("0", 4)], "vote.form@1"),
        ([_span(True, 4)], "vote.form@1"),
        ([_span(0, 4.5)], "vote.form@1"),
        ([_span(0, 4, "ORG")], "vote.label@1"),
        ([_span(2, 2)], "vote.range@1"),
        ([_span(4, 2)], "vote.range@1"),
        ([_span(-1, 2)], "vote.range@1"),
        ([_span(14, 18)], "vote.range@1"),
        ([_span(0, 4), _span(3, 6)], "vote.range@1"),
        ([_span(0, 4), _span(0, 4)], "vote.range@1"),
        ([_span(0, 4), _span(1, 2, "PS")], "vote.range@1"),
    ],
)
def test_faulty_spans_are_refused(answer: Any, rule: str) -> None:
    assert rule_of(TASK, answer, ITEM, SPEC) == rule


def test_the_last_character_can_be_marked() -> None:
    length = len(ITEM["text"])
    assert rule_of(TASK, [_span(length - 1, length)], ITEM, SPEC) == "good"
    assert rule_of(TASK, [_span(length - 1, length + 1)], ITEM, SPEC) == "vote.range@1"


def test_a_verdict_holds_spans() -> None:
    assert rule_of(TASK, {"verdict": "revise", "answer": []}, ITEM, SPEC, "check") == "good"
    given_ = {"verdict": "revise", "answer": [_span(9, 3)]}
    assert rule_of(TASK, given_, ITEM, SPEC, "check") == "vote.range@1"


def test_entity_f1_counts_whole_entities() -> None:
    """Two of three and two of two found: precision 2/3, recall 1."""
    left = [_span(0, 4), _span(6, 8, "DT"), _span(9, 10, "QT")]
    assert TASK.compare(left, left[:2])["entity_f1"] == pytest.approx(0.8)
    assert TASK.compare(left[:1], [_span(0, 4, "LC")])["entity_f1"] == 0
    assert TASK.compare([], [])["entity_f1"] == 1
    assert TASK.view(left[:1]) == [(0, 4, "OG")]


_SPANS = st.lists(
    st.builds(_span, st.integers(-1, 18), st.integers(-1, 18), st.sampled_from(["PS", "OG"])),
    max_size=4,
)


@given(_SPANS)
def test_what_passes_tiles_a_part_of_the_text(answer: list[dict[str, Any]]) -> None:
    try:
        found = TASK.parse(answer, ITEM, SPEC, named(SPEC))
    except RecordError as error:
        assert error.rule == "vote.range@1"
        return
    places = [place for span in found for place in range(span["start"], span["end"])]
    assert places == sorted(set(places))
    assert set(places) <= set(range(len(ITEM["text"])))
    assert all(span["start"] < span["end"] for span in found)
