"""News boilerplate goes; sentences about reporters, pictures and rights stay as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.rules import news
from pipeline.corpus.rules.noise import Edit, is_empty

EDITS: dict[str, Callable[[str], Edit]] = {
    "copyright": news.remove_copyright,
    "press": news.remove_press,
    "reporter": news.remove_reporter,
    "image": news.remove_image,
    "source": news.remove_source,
}
BODY = "시는 새 다리를 놓기로 했다."


def clean(text: str) -> str:
    for edit in EDITS.values():
        text = edit(text)[0]
    return text


COPYRIGHT = [
    "ⓒ 한빛일보, 무단 전재 및 재배포 금지",
    "<저작권자 ⓒ 새벽뉴스, 무단 전재-재배포 금지>",
    "<저작권자(c) 새벽뉴스, 무단 전재-재배포 금지>",
    "[ⓒ 새벽뉴스 & example.com, 무단전재 및 재배포 금지]",
    "[저작권자 한빛일보, 무단전재 및 재배포금지]",
    "저작권자 © 한빛일보 무단전재 및 재배포 금지",
    "Copyright ⓒ 한빛일보. All rights reserved.",
    "COPYRIGHT (C) 2019 HANBIT ILBO. ALL RIGHTS RESERVED",
    "copyright by ©",
    "Copyrights by ⓒ 새벽뉴스",
    "무단전재 및 재배포 금지",
    "※ 본 기사의 무단 전재 및 재배포를 금지합니다.",
    "ⓒ 한빛일보",
    "(ⓒ 한빛일보)",
]
PRESS_FRONT = [
    "(서울=한빛뉴스)",
    "[새벽뉴스=부산]",
    "(부산·경남=한빛뉴스)",
    "【서울=새벽통신】",
    "[한빛일보]",
    "(워싱턴=AP/새벽통신)",
    "▶관련기사 A6면",
    "▶ 관련 인터뷰 A4, 5, 22면",
    "▶본지 6월13일자 A1, 8면 참조",
    "A5면에 계속",
]
PRESS_BACK = [
    "[한빛일보]",
    "(새벽뉴스)",
    "▶ 기사제보 및 보도자료",
    "▶ 기사제보 및 보도자료 news@example.com",
    "▶ 한빛일보 구독하기",
]
REPORTER_FRONT = [
    "홍길동 특파원 =",
    "홍길동 기자 = ",
    "[홍길동 기자]",
    "(부산=홍길동 기자)",
    "[한빛일보 홍길동 기자]",
    "홍길동 기자 gildong@example.com",
    "홍길동·임꺽정 기자 =",
]
REPORTER_BACK = [
    "홍길동 기자 gildong@example.com",
    "홍길동 기자",
    "/홍길동 기자",
    "홍길동 인턴기자",
    "홍길동 의학전문기자",
    "한빛일보 홍길동 기자",
    "홍길동 한빛닷컴 기자 gildong@example.com",
    "뉴욕=홍길동 특파원",
    "광주=홍길동/부산=임꺽정 /대구=전우치/창원=심학규 기자",
    "홍길동/임꺽정 기자/전우치 한빛매거진 기자",
    "베이징=홍길동 특파원/임꺽정 기자",
    "글=홍길동 한빛일보 기자 gildong@example.com",
    "홍길동 경제팀 기자",
    "한빛닷컴 뉴스팀",
    "디지털뉴스팀 news@example.com",
    "[홍길동 기자 gildong@example.com]",
    "gildong@example.com",
]
IMAGE = [
    "[사진=한빛일보]",
    "▲ 사진=한빛일보",
    "(사진 제공=한빛구청)",
    "사진|홍길동",
    "[사진 설명]",
    "(사진=새벽뉴스)",
    "[사진제공=(주)한빛건설]",
    "/사진=한빛일보",
    "사진=홍길동 기자",
    "사진제공 | 한빛구청",
    "사진 제공: 한빛구청",
    "[그래픽=홍길동 기자]",
    "(자료사진)",
]
SOURCE = [
    "[자료=통계청]",
    "출처: 한빛연구소",
    "(자료제공=한빛연구소)",
    "※ 출처=한빛연구소",
    "(출처: 한빛연구소)",
    "출처 : https://example.com/a/1.html",
    "자료=한빛연구소",
    "[출처 필요]",
]


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        (kind, piece)
        for kind, pieces in {
            "copyright": COPYRIGHT,
            "press": PRESS_FRONT + PRESS_BACK,
            "reporter": REPORTER_FRONT + REPORTER_BACK,
            "image": IMAGE,
            "source": SOURCE,
        }.items()
        for piece in pieces
    ],
)
def test_a_line_of_boilerplate_alone_is_used_up(kind: str, piece: str) -> None:
    cleaned, counts = EDITS[kind](piece)
    assert is_empty(cleaned), cleaned
    assert counts


@pytest.mark.parametrize("piece", COPYRIGHT + PRESS_BACK + REPORTER_BACK + IMAGE + SOURCE)
@pytest.mark.parametrize("blank", [" ", ""])
def test_boilerplate_behind_the_last_sentence_goes(piece: str, blank: str) -> None:
    assert clean(f"{BODY}{blank}{piece}") == BODY


@pytest.mark.parametrize("piece", PRESS_FRONT + REPORTER_FRONT)
def test_boilerplate_in_front_of_the_first_sentence_goes(piece: str) -> None:
    assert clean(f"{piece} {BODY}") == BODY


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("(서울=한빛뉴스) 홍길동 기자 = " + BODY, BODY),
        ("[새벽뉴스=부산] 홍길동 특파원 = " + BODY, BODY),
        ("[한빛일보] 홍길동 기자 = " + BODY, BODY),
        ("본문 홍길동 기자 gildong@example.com", "본문"),
        (BODY + " 홍길동 기자 gildong@example.com <저작권자 ⓒ 한빛일보>", BODY),
        ("나래전자 홍길동 사장(사진)은 웃었다.", "나래전자 홍길동 사장은 웃었다."),
        ("나래전자 홍길동 사장 (사진)은 웃었다.", "나래전자 홍길동 사장은 웃었다."),
        ("새 전화기(사진) 값이 올랐다.", "새 전화기 값이 올랐다."),
        ("앞 문장이다. (사진=한빛일보) 뒤 문장이다.", "앞 문장이다. 뒤 문장이다."),
        ("앞 문장이다. (자료=통계청)뒤 문장이다.", "앞 문장이다. 뒤 문장이다."),
        ("수출이 늘었다 (자료=통계청).", "수출이 늘었다."),
        ("“반갑다.” 홍길동 기자", "“반갑다.”"),
        ("▲ 시장이 인사하고 있다. 사진=한빛일보", "▲ 시장이 인사하고 있다."),
    ],
)
def test_what_is_left_is_joined_as_it_should(given_text: str, expected: str) -> None:
    assert clean(given_text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "천일교 기자와 함께 알아본다.",
        "자기자본 비율이 올랐다.",
        "여자친구와 헤어졌다.",
        "그는 기자회견을 열었다.",
        "그는 기자가 되고 싶었다",
        "홍길동 기자는 이 사건을 처음 보도했다.",
        "특종을 쓴 사람은 홍길동 기자다.",
        "한빛일보 홍길동 기자 선임",
        "올해의 언론인상에 홍길동 기자",
        "가족은 사진 제공을 거부했다.",
        "저작권자가 없는 작품도 있다.",
        "출처를 밝히지 않은 자금이 들어왔다.",
        "무단 전재는 법으로 금지돼 있다.",
        "무단 전재 및 재배포 금지 조항을 두고 다툼이 벌어졌다.",
        "홍길동 씨(사진 왼쪽)가 손을 흔든다.",
        "(서울=수도) 식의 표기는 낯설다.",
        "[단독] 한빛시, 다리 새로 놓는다",
        "[종합] 한빛시, 다리 새로 놓는다",
        "[카드뉴스] 다리의 역사",
        "[주요 뉴스] 다리의 역사",
        "[세계경제] 다리의 값",
        "<한빛일보>는 다리가 낡았다고 썼다.",
        "한빛일보는 다리가 낡았다고 썼다.",
        "[한빛일보]는 다리가 낡았다고 썼다.",
        "문의는 gildong@example.com으로 하면 된다.",
        "문의는 홍길동 기자에게 하면 된다.",
        "다음은 여자 기자",
        "해외 특파원",
        "연예부 기자",
        "신청이 몰렸다. 신인연기자",
        "사진은 추억을 담는다.",
        "사진 속 인물은 누구일까?",
        "자료를 제공한 곳은 통계청이다.",
        "심사 항목은 ▲가격 ▲품질 ▲사진 등이다.",
        "부패 공무원 = 공공의 적",
        "(2018년=100) 기준 물가지수가 올랐다.",
        "ⓒⓞⓞⓛ",
        "저작권 표시(ⓒ)를 붙였다.",
        "제보를 기다린다.",
        "뉴스팀이 현장에 갔다.",
    ],
)
def test_content_stays(text: str) -> None:
    assert clean(text) == text


@given(
    st.text("가나다홍길동 기자사진자료출처ⓒ무단전재금지=/|()[]<>▲▶.,@ab뉴스일보특파원", max_size=60)
)
def test_an_edit_only_takes_away(text: str) -> None:
    for edit in EDITS.values():
        cleaned, counts = edit(text)
        assert len(cleaned) <= len(text)
        assert (cleaned == text) or counts
        remaining = iter(text)
        assert all(c in remaining for c in cleaned if c != " ")


def test_counts_name_a_kind_and_no_text() -> None:
    assert news.remove_reporter(BODY + " 홍길동 기자")[1] == (("byline", 1),)
    assert news.remove_reporter(BODY)[1] == ()


@pytest.mark.parametrize(
    "unit", ["(사진=", "홍길동/", "ⓒ 가", "▲ 사진=가", "[한빛", "출처:가 ", "a@b."]
)
def test_hostile_repetition_is_quick(unit: str) -> None:
    """A pattern that ran away would not come back from 20,000 repetitions."""
    clean(unit * 20_000)


def test_real_news_sentences_lose_picture_marks_and_bylines_only(data_dir: Path) -> None:
    """The sentences of KLUE-NLI were cleaned by its makers: hardly a find is right."""
    path = data_dir / "klue" / "klue-nli-v1.1_train.json"
    rows = json.loads(path.read_text("utf-8"))
    genres = ("policy", "wikitree", "wikinews")
    texts = {row["premise"] for row in rows if row["genre"] in genres}
    touched = [text for text in texts if clean(text) != text]
    assert len(texts) > 3_000
    assert len(touched) <= len(texts) // 1_000


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("(하람=한빛뉴스) 서도래", ""),
        ("·문이랑 기자 = 노인 보호구역의 신호가 길어진다.", "노인 보호구역의 신호가 길어진다."),
        ("(하람=한빛뉴스) 김포 공항이 닫혔다.", "김포 공항이 닫혔다."),
    ],
)
def test_a_byline_that_segmentation_cut_in_two(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_a_picture_credit_is_no_press_name() -> None:
    assert news.remove_press("[사진=한빛일보]") == ("[사진=한빛일보]", ())
    assert news.remove_image("[사진=한빛일보]")[0] == ""
