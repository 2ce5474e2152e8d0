"""Checks of returned questions: each finds what was planted and leaves good questions alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.tasks.mrc.returned import findings, longest_run, sentences
from pipeline.tasks.mrc.spec import ReadingSampling

SPEC = load_spec("mrc").sampling
assert isinstance(SPEC, ReadingSampling)
LIMITS = SPEC.returned
ROOT = Path(__file__).resolve().parents[3]

CONTEXT = (
    "달못시는 지난해 물레공원에 놀이터를 열었다. 시는 공사에 12억원을 썼다."
    " 솔다온 시장은 올해 안에 수영장도 짓겠다고 말했다. 주민들은 수영장보다 도서관을 바란다."
)
FIELDS = {"title": "달못시", "context": CONTEXT}


def _answer(question: str, answer: str, kind: int = 1, **more: Any) -> dict[str, Any]:
    marks = [{"start": CONTEXT.find(answer), "text": answer}]
    fake = kind == 3
    return {
        "question": question,
        "type": kind,
        "answers": [] if fake else marks,
        "plausible_answers": marks if fake else [],
        **more,
    }


def _rules(answer: dict[str, Any], **fields: Any) -> set[str]:
    found = findings(answer, {**FIELDS, **fields}, LIMITS)
    assert not any(CONTEXT[i : i + 8] in f.detail for f in found for i in range(len(CONTEXT) - 8))
    return {f.rule.removeprefix("mrc.returned.").removesuffix("@1") for f in found}


GOOD = {
    1: _answer("아이들을 위한 시설이 새로 생긴 장소는 어디인가?", "물레공원"),
    2: _answer("놀이터를 마련하느라 달못시가 들인 비용은 얼마인가?", "12억원", 2),
    3: _answer("달못시가 도서관을 짓는 데 들일 돈은 얼마인가?", "12억원", 3),
}


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_a_good_question_is_left_alone(kind: int) -> None:
    assert _rules(GOOD[kind], question_type=kind) == set()


PLANTED = {
    "type": (GOOD[1], {"question_type": 2}),
    "length": (_answer("어디?", "물레공원"), {}),
    "ending": (_answer("아이들을 위한 시설이 새로 생긴 장소는", "물레공원"), {}),
    "no_answer": ({**GOOD[3], "plausible_answers": []}, {}),
    "span": ({**GOOD[1], "answers": [{"start": 3, "text": "물레공원"}]}, {}),
    "boundary": (_answer("아이들을 위한 시설이 새로 생긴 장소는 어디인가?", "물레공원에"), {}),
    "title": (_answer("아이들을 위한 시설을 새로 만든 곳은 어디인가?", "달못시"), {}),
    "topic": (_answer("솔 시장이 새로 만들기로 약속한 것은 무엇인가?", "수영장"), {}),
    "told": (_answer("물레공원에 아이들을 위해 생긴 시설은 어디인가?", "물레공원"), {}),
    "copied": (_answer("시장은 올해 안에 수영장도 누구와 만드는가?", "솔다온"), {}),
    "overlap": (_answer("지난해 달못시가 놀이터를 열었던 곳은 어디인가?", "물레공원"), {}),
    "one_sentence": (_answer("달못시가 지난해 연 놀이터는 어디에 있는가?", "물레공원", 2), {}),
    "unrelated": (_answer("고등어가 가장 많이 잡히는 바다는 어디인가?", "물레공원", 3), {}),
    "once": (_answer("지난해 문을 연 놀이터가 있는 곳은 어디인가?", "물레공원"), {}),
}


@pytest.mark.parametrize("rule", PLANTED)
def test_each_rule_finds_its_fault(rule: str) -> None:
    answer, fields = PLANTED[rule]
    limits = LIMITS.model_copy(update={"once": 2}) if rule == "once" else LIMITS
    found = findings(answer, FIELDS | fields, limits)
    assert f"mrc.returned.{rule}@1" in {f.rule for f in found}


def test_a_changed_particle_is_no_other_word() -> None:
    """The paper forbids to merely change particles: 놀이터를 and 놀이터는 are one word."""
    answer = _answer("지난해에 달못시의 놀이터는 열린 곳이 어디인가?", "물레공원")
    assert "overlap" in _rules(answer)


def test_the_sample_answers(sample: list[dict[str, Any]]) -> None:
    """Hand-written gold has no fault; the faults that were written into it are found."""
    faults = Counter[str]()
    for row in sample:
        assert not [f for f in findings(row["gold"], row["fields"], LIMITS) if not f.is_hint]
        if "first" in row["meta"]:
            rules = {f.rule for f in findings(row["meta"]["first"], row["fields"], LIMITS)}
            faults[row["meta"]["fault"]] += bool(rules)
    assert faults["copied"] == faults["boundary"] == faults["one_sentence"] == 1


@pytest.fixture
def sample() -> list[dict[str, Any]]:
    path = ROOT / "data" / "sample" / "answers" / "mrc.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.full
def test_released_questions_are_seldom_told(data_dir: Path) -> None:
    """On questions that inspectors passed; every fourth, answerable ones taken as type 2."""
    path = data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json"
    rows = json.loads(path.read_text("utf-8"))[::4]
    told = Counter[str]()
    for row in rows:
        given = row["answers"]
        pairs = zip(given["answer_start"], given["text"], strict=True)
        marks = [{"start": start, "text": text} for start, text in pairs]
        fake = bool(row["is_impossible"])
        answer = {
            "question": row["question"],
            "type": 3 if fake else 2,
            "answers": [] if fake else marks,
            "plausible_answers": marks if fake else [],
        }
        fields = {"title": row["title"], "context": row["context"]}
        told.update({f.rule for f in findings(answer, fields, LIMITS)})
    # fake answers of this copy do stand in wrong places; every second type-2 question is type 1
    allowed = {"mrc.returned.span@1": 0.12, "mrc.returned.one_sentence@1": 0.3}
    for rule, number in told.items():
        assert number / len(rows) <= allowed.get(rule, 0.08), rule


def test_sentences_cover_the_text() -> None:
    text = "말했다.다음 날 왔다. “왔다.” 하나\n둘"
    cuts = [text[a:b] for a, b in sentences(text)]
    assert "".join(cuts) == text
    assert cuts == ["말했다.", "다음 날 왔다. ", "“왔다.” ", "하나\n", "둘"]


def test_longest_run_is_in_a_row() -> None:
    assert longest_run(["가", "나", "다", "라"], ["나", "다", "라", "마", "가"]) == 3
    assert longest_run(["가"], []) == 0
