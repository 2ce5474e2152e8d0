"""Prompts as text, and that what `write` writes `read` reads back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.scoring.harness.folder import PROMPTS
from pipeline.scoring.harness.prompts import Doc
from pipeline.scoring.scorer import scorer_of
from pipeline.tasks.kinds.prompts import prompts_of_kind, span_prompts

SENTENCE = "이순신은 서울에서 태어났다."
FIELDS: dict[str, dict[str, Any]] = {
    "tc": {"title": "한미 정상 통화"},
    "sts": {"sentence1": "비가 온다.", "sentence2": "비가 내린다."},
    "nli": {"premise": "비가 온다.", "hypothesis": "날이 흐리다."},
    "ner": {"text": SENTENCE},
    "re": {"sentence": SENTENCE, "subject": {"word": "이순신"}, "object": {"word": "서울"}},
    "dp": {"text": "비가 온다.", "words": ["비가", "온다."]},
    "mrc": {"title": "이순신", "context": SENTENCE, "question": "어디에서 태어났나?"},
    "dst": {"turns": [{"role": "user", "text": "숙소요."}]},
}
GOLD: dict[str, Any] = {
    "tc": "정치",
    "sts": 4.2,
    "nli": "contradiction",
    "ner": [
        {"start": 0, "end": 3, "label": "PS"},
        {"start": 5, "end": 7, "label": "LC"},
    ],
    "re": "per:place_of_birth",
    "dp": {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]},
    "mrc": ["서울"],
    "dst": ["숙소-지역-서울 중앙", "숙소-가격대-dontcare"],
}
#: Prompt and target of each task, form and mode.
TEXTS = {
    ("tc", "plain", "gen"): (
        "뉴스 제목의 주제를 정치, 경제, 사회, 생활문화, 세계, IT과학, 스포츠 가운데"
        " 하나로 답하세요.\n"
        "제목: 한미 정상 통화\n주제:",
        "정치",
    ),
    ("tc", "polyglot", "mc"): ("한미 정상 통화", "(정치)"),
    ("sts", "plain", "mc"): (
        "두 문장의 뜻이 서로 비슷하면 예, 다르면 아니요로 답하세요.\n"
        "문장 1: 비가 온다.\n문장 2: 비가 내린다.\n답:",
        "예",
    ),
    ("sts", "plain", "gen"): (
        "두 문장의 뜻이 얼마나 비슷한지 0(전혀 다름)에서 5(같음) 사이의 수로 답하세요.\n"
        "문장 1: 비가 온다.\n문장 2: 비가 내린다.\n점수:",
        "4.2",
    ),
    ("sts", "polyglot", "mc"): (
        "질문: 문장 1과 문장 2의 뜻이 서로 비슷한가요?\n"
        "문장 1: 비가 온다.\n문장 2: 비가 내린다.\n정답:",
        "예",
    ),
    ("nli", "plain", "gen"): (
        "전제가 사실일 때 가설이 반드시 사실이면 참, 사실일 수 없으면 거짓, 알 수 없으면 중립으로"
        " 답하세요.\n전제: 비가 온다.\n가설: 날이 흐리다.\n답:",
        "거짓",
    ),
    ("nli", "polyglot", "mc"): (
        "비가 온다.\n질문: 날이 흐리다. 참, 거짓, 중립 중 어느 것인가요?\n정답:",
        "거짓",
    ),
    ("ner", "plain", "gen"): (
        "글에 나온 개체를 차례대로 '종류: 말'로 한 줄씩 쓰고, 없으면 '없음'이라고 쓰세요.\n"
        f"종류: PS(인물), LC(장소), OG(기관), DT(날짜), TI(시간), QT(수량)\n글: {SENTENCE}\n개체:",
        "PS: 이순신\nLC: 서울",
    ),
    ("dp", "plain", "gen"): (
        "어절마다 지배소의 번호(없으면 0)와 의존 관계를 '번호: 지배소 관계'로 한 줄씩 쓰세요.\n"
        "1: 비가\n2: 온다.\n분석:",
        "1: 2 NP_SBJ\n2: 0 VP",
    ),
    ("mrc", "plain", "gen"): (
        "글을 읽고 질문의 답을 글에 나온 그대로 쓰세요. 글에 답이 없으면 '답 없음'이라고 쓰세요.\n"
        f"제목: 이순신\n글: {SENTENCE}\n질문: 어디에서 태어났나?\n답:",
        "서울",
    ),
    ("mrc", "polyglot", "gen"): (
        f"제목: 이순신\n\n본문: {SENTENCE}\n\n질문: 어디에서 태어났나?\n\n답:",
        "서울",
    ),
}
KEYS = [(task, p.form, p.mode) for task in FIELDS for p in PROMPTS[task].prompts]


def doc_of(task: str) -> Doc:
    return Doc(FIELDS[task], PROMPTS[task].labels(load_spec(task)))


@pytest.mark.parametrize(("task", "form", "mode"), list(TEXTS))
def test_prompts_and_targets_as_text(task: str, form: str, mode: str) -> None:
    prompt, doc = PROMPTS[task].prompt(form, mode), doc_of(task)
    assert (prompt.ask(doc), prompt.write(GOLD[task], doc)) == TEXTS[task, form, mode]


def test_prompts_that_list_many_labels() -> None:
    prompt, doc = PROMPTS["re"].prompt("plain", "mc"), doc_of("re")
    assert len(prompt.choices(doc.labels)) == 30
    assert prompt.ask(doc).endswith(f"\n문장: {SENTENCE}\n주체: 이순신\n객체: 서울\n관계:")
    assert prompt.write(GOLD["re"], doc) == "태어난 곳"
    prompt, doc = PROMPTS["dst"].prompt("plain", "gen"), doc_of("dst")
    assert "슬롯: 숙소-이름, 숙소-종류," in prompt.ask(doc)
    assert prompt.ask(doc).endswith("\n손님: 숙소요.\n상태:")
    assert prompt.write(GOLD["dst"], doc) == "숙소-지역: 서울 중앙\n숙소-가격대: dontcare"


@pytest.mark.parametrize(("task", "form", "mode"), KEYS)
def test_a_written_answer_is_read_back(task: str, form: str, mode: str) -> None:
    prompt, doc = PROMPTS[task].prompt(form, mode), doc_of(task)
    text = prompt.write(GOLD[task], doc)
    expected: Any = {"mrc": "서울"}.get(task, GOLD[task])
    if mode == "gen":
        assert prompt.read(text, doc) == expected
        assert prompt.read(f"\n{text}\n", doc) == expected
    else:
        expected = 5.0 if task == "sts" else expected
        assert prompt.choices(doc.labels)[text.strip("()")] == expected


UNREADABLE = {
    "tc": ["", "정치, 경제", "모름"],
    "sts": ["", "비슷하다", "7", "-1", "nan"],
    "nli": ["", "참과 거짓"],
    "re": ["", "per:place_of_birth"],
    "ner": ["", "PS: 강감찬", "XX: 서울", "이순신", "PS: 이순신\nPS: 이순신"],
    "dp": ["", "1: 2 NP_SBJ", "1: 3 NP\n2: 0 VP", "1: 2 NO\n2: 0 VP", "1: 2 NP\n1: 0 VP"],
    "mrc": ["", " \n"],
    "dst": ["", "서울이요", "숙소-색: 빨강", "숙소-지역: a\n숙소-지역: b"],
}


@pytest.mark.parametrize("task", UNREADABLE)
def test_what_cannot_be_read_counts_as_wrong(task: str) -> None:
    prompts, doc = PROMPTS[task], doc_of(task)
    prompt = prompts.prompt("plain", "gen")
    assert [prompt.read(text, doc) for text in UNREADABLE[task]] == [None] * len(UNREADABLE[task])
    wrong = prompts.payloads(GOLD[task], prompts.wrong(GOLD[task], doc), doc)
    right = prompts.payloads(GOLD[task], prompt.read(prompt.write(GOLD[task], doc), doc), doc)
    assert all(wrong[metric] != right[metric] for metric in wrong)


def test_an_empty_gold_is_not_met_by_silence() -> None:
    for task, empty in (("ner", []), ("dst", []), ("mrc", [])):
        prompts, doc = PROMPTS[task], doc_of(task)
        payloads = prompts.payloads(empty, prompts.wrong(empty, doc), doc)
        first = next(iter(payloads.values()))
        assert first[-1] != first[0] or first[0] == []
        assert payloads != prompts.payloads(empty, "" if task == "mrc" else [], doc)


def test_metrics_are_those_of_the_scorer() -> None:
    for task in TASKS:
        assert tuple(PROMPTS[task].aggregations) == scorer_of(task).names


@given(st.data())
def test_any_spans_are_read_back(data: st.DataObject) -> None:
    text = data.draw(st.text("가나 #1:", min_size=1, max_size=12))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [
        {"start": a, "end": b, "label": data.draw(st.sampled_from(["PS", "LC"]))}
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
        if text[a:b].strip()
    ]
    prompt = span_prompts("text").prompt("plain", "gen")
    doc = Doc({"text": text}, {"PS": "", "LC": ""})
    assert prompt.read(prompt.write(spans, doc), doc) == spans


def test_kinds_of_own_tasks() -> None:
    labels = {"joy": "기쁨", "anger": "분노"}
    doc = Doc({"text": "좋다"}, labels)
    sets = prompts_of_kind("labels", {"text": "글"}).prompt("plain", "gen")
    assert sets.write(["joy", "anger"], doc) == "기쁨, 분노"
    read = {text: sets.read(text, doc) for text in ("분노, 기쁨", "없음", "기쁨, 기쁨", "슬픔")}
    assert list(read.values()) == [["joy", "anger"], [], None, None]
    one = prompts_of_kind("category", {"text": "글"}).prompt("plain", "mc")
    assert one.ask(doc) == "다음 가운데 하나로 답하세요: 기쁨, 분노\n글: 좋다\n답:"
    number = prompts_of_kind("number", {"text": "글"}).prompt("plain", "gen")
    scale = Doc({"text": "좋다"}, {"1": "", "5": ""})
    assert [number.read(text, scale) for text in ("3.5점", "0", "많이")] == [3.5, None, None]
