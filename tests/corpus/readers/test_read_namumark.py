"""Namumark becomes the prose that a reader of the page sees."""

from __future__ import annotations

import pytest

from pipeline.corpus.readers.wiki.namumark import page_of, plain


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("'''굵게''' ''기울여'' __밑줄__ 2^^n^^ H,,2,,O", "굵게 기울여 밑줄 2n H2O"),
        ("앞 ~~농담~~뒤 --지움--끝", "앞 뒤 끝"),
        ("[[문서]] [[문서|이름]] [[:파일:a]] [[문서#s-1]]", "문서 이름 파일:a 문서"),
        ("앞[[파일:a.png|width=10]][[분류:강]]뒤", "앞뒤"),
        ("[[https://example.org]][[https://example.org|누리집]]", "누리집"),
        ("말이다[* 각주 [[문서|이름]] [3]]. 끝[*이름 또].", "말이다. 끝."),
        ("[목차][include(틀:예, a=[[b]])][age(1990-01-01)]글[br]줄", "글\n줄"),
        ("책 [3]권 [참고]", "책 [3]권 [참고]"),
        ("{{{#red 붉은 {{{+1 큰}}} 글}}} {{{#!html <b>}}}끝", "붉은 큰 글 끝"),
        ("{{{#!folding [ 열기 ]\n속이다.}}}", "속이다."),
        ('{{{#!wiki style="x"\n속이다.}}}', "속이다."),
        ("{{{#!syntax python\nprint(1)\n}}}끝", "끝"),
        ("||<tablewidth=100%> 가 || 나 ||\n|| 여러\n줄 ||\n글이다.", "글이다."),
        (" * 하나\n  * 둘\n 1. 셋\n 1.#3 넷\n> 말\n>> 말", "하나\n둘\n셋\n넷\n말\n말"),
        ("가\n----\n나\n## 숨김", "가\n나\n## 숨김"),
        ("[ruby(글자, ruby=읽기)]", "글자"),
        ("음,, 그래", "음,, 그래"),
    ],
)
def test_marks_leave_and_text_stays(code: str, text: str) -> None:
    assert plain(code) == text


def test_sections_lie_in_the_text_without_headings() -> None:
    code = "머리글이다.\n== 개요 ==\n글이다.\n=== [[작은]] ===\n또 글.\n==# 접힌 #==\n속."
    code += "\n== 각주 ==\n[각주]\n주석"
    text, sections = page_of(f"## 숨긴 줄\n{code}")
    bodies = [(s.title, s.level, text[s.start : s.end]) for s in sections]
    assert bodies == [
        ("", 1, "머리글이다."),
        ("개요", 2, "글이다."),
        ("작은", 3, "또 글."),
        ("접힌", 2, "속."),
    ]


@pytest.mark.parametrize(
    "piece", ["{{{", "{{{ a ", "[[", "[* ", "~~a", "--a", "|| a\n", "== a", "__"]
)
def test_marks_that_are_not_closed_stay_and_cost_little(piece: str) -> None:
    text, _ = page_of("앞글이다. " + piece * 20_000)
    assert text.startswith("앞글이다.")
