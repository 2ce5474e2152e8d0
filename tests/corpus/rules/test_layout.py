"""Numbers, bullets, stray quotation marks and bylines go; dates, decimals and masks stay."""

from __future__ import annotations

import pytest

from pipeline.corpus.rules import layout, news

MARKS = [
    ("1. 저는 시민입니다", "저는 시민입니다"),
    ("가. 나는 시민이다", "나는 시민이다"),
    ("① 첫째", "첫째"),
    ("(2) 둘째", "둘째"),
    ("■▶ 한국은", "■▶ 한국은"),
    ("■ 1. 한국은", "한국은"),
    ("- 서울", "서울"),
    ("->집과 차", "집과 차"),
    ("-5도", "-5도"),
    ("3.1운동 기념", "3.1운동 기념"),
    ("12. 20. 경 만났다", "12. 20. 경 만났다"),
    ("1.5배 늘었다", "1.5배 늘었다"),
    ("**그룹 회장", "**그룹 회장"),
    ("○○시장은", "○○시장은"),
    ("1.", "1."),
]


@pytest.mark.parametrize(("text", "expected"), MARKS)
def test_marks_at_the_head(text: str, expected: str) -> None:
    cleaned, counts = layout.remove_marks(text)
    assert cleaned == expected
    assert counts == ((("mark", 1),) if cleaned != text else ())


QUOTES = [
    ('"그는 갔다.', "그는 갔다."),
    ("”라고 말했다.", "라고 말했다."),
    ('"그는 갔다"고 했다.', '"그는 갔다"고 했다.'),
    ("‘정글’ 제작진", "‘정글’ 제작진"),
    ("’88 올림픽", "’88 올림픽"),
]


@pytest.mark.parametrize(("text", "expected"), QUOTES)
def test_quotation_marks_without_another_half(text: str, expected: str) -> None:
    assert layout.remove_quotes(text)[0] == expected


BYLINES = [
    ("음악회 열려 홍길동 기자", "음악회 열려"),
    ("축제 개막[가람일보=홍길동 기자]", "축제 개막"),
    ("축제 개막 (가람일보 홍길동 기자 hong@example.com)", "축제 개막"),
    ("비리를 폭로한 홍길동 기자", "비리를 폭로한 홍길동 기자"),
    ("올해의 상에 가람뉴스 홍길동 기자", "올해의 상에 가람뉴스 홍길동 기자"),
    ("평양정상회담 취재하는 북측 기자", "평양정상회담 취재하는 북측 기자"),
]


@pytest.mark.parametrize(("text", "expected"), BYLINES)
def test_bylines_behind_headlines(text: str, expected: str) -> None:
    assert news.remove_headline_byline(text)[0] == expected
