"""Estimated questions: of the assigned type, with a span, in words that are not the passage's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulating import sample

from pipeline.annotation.simulated.truths import load_truths
from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import parsed
from pipeline.tasks.mrc.returned import findings
from pipeline.tasks.mrc.simulated import estimate
from pipeline.tasks.mrc.spec import ReadingSampling
from pipeline.tasks.mrc.task import TASK

TYPES = (1, 2, 3)
PASSAGE = {
    "title": "가람시 새 도서관",
    "context": "가람시가 도서관을 지었다. 공사비가 48억원 들었다. 서가에는 책이 3만 권 꽂힌다.",
}


@pytest.mark.parametrize("kind", TYPES)
def test_checks_of_returned_questions_find_no_fault(kind: int) -> None:
    spec = load_spec("mrc")
    assert isinstance(spec.sampling, ReadingSampling)
    for row in sample("mrc").to_pylist():
        fields = {**parsed(row["fields"]), "question_type": kind}
        made = estimate(fields)
        assert TASK.parse(made, fields, spec, spec.rounds[0]) == made
        found = findings(made, fields, spec.sampling.returned)
        assert [one.rule for one in found if not one.is_hint] == []


@pytest.mark.parametrize("kind", TYPES)
def test_answers_are_numbers_with_their_units(kind: int) -> None:
    made = estimate({**PASSAGE, "question_type": kind})
    answers, fakes = made["answers"], made["plausible_answers"]
    (mark,) = fakes if kind == 3 else answers
    assert (kind == 3) == (answers == [])
    assert mark["text"] in ("48억원", "3만 권")
    assert f"몇 {'원' if mark['text'] == '48억원' else '권'}" in made["question"]


def test_without_numbers_a_name_is_asked_for() -> None:
    quoted = {"title": "새 노래", "context": "그 사람이 '달빛 항구' 노래를 불렀다."}
    assert estimate(quoted)["answers"] == [{"start": 7, "text": "달빛 항구"}]
    spoken = {"title": "바다", "context": "너른 들판이 눈앞에 있다."}
    assert estimate(spoken)["answers"] == [{"start": 3, "text": "들판"}]


def test_the_title_is_no_answer() -> None:
    assert estimate({"title": "달빛", "context": "시집 '달빛' 나왔다. 독자가 많다."})[
        "answers"
    ] == [{"start": 13, "text": "독자"}]


@given(st.text(max_size=200), st.text(max_size=20), st.sampled_from([None, 1, 2, 3, 7, "1"]))
def test_any_passage_has_a_question_in_form(context: str, title: str, kind: Any) -> None:
    spec = load_spec("mrc")
    fields = {"context": context, "title": title, "question_type": kind}
    made = estimate(fields)
    assert TASK.parse(made, fields, spec, spec.rounds[0]) == made == estimate(dict(fields))
    if context.strip() and kind in TYPES:
        assert made["type"] == kind


def test_known_questions_are_of_the_assigned_type() -> None:
    truths, other = load_truths(TASK), 0
    for row in sample("mrc").to_pylist():
        fields = parsed(row["fields"])
        for kind in TYPES:
            for turn in (0.0, 0.5, 0.99):
                truth = truths.of({**fields, "question_type": kind}, turn=turn)
                assert truth.answer["type"] == kind
            other += truth.estimated
    assert other  # no passage of the sample has questions of every type
