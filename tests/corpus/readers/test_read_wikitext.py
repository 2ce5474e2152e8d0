"""Wikitext to prose, sections and infoboxes: one crafted text for each construct."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.readers.base import Infobox
from pipeline.corpus.readers.wiki import mediawiki


def _plain(code: str) -> str:
    return mediawiki.read_page(code, "제목").text


def _box(code: str) -> dict[str, Infobox]:
    return {row.name: row for row in mediawiki.read_page(code, "제목").infoboxes}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("'''굵게''' ''기울여'' '''''둘 다'''''", "굵게 기울여 둘 다"),
        ("홀로 남은 ''' 표시와 '' 표시", "홀로 남은 ' 표시와 표시"),
        ("[[강]]과 [[강 (지형)|강]]의 [[강#하류]]", "강과 강의 강#하류"),
        ("[[#아래]] [[:분류:강]] [[:en:River]]", "아래 분류:강 en:River"),
        ("[[분류:강]][[Category:Rivers]]글", "글"),
        ("글\n[[en:River]]\n[[zh-min-nan:Khe]]\n[[simple:River]]", "글"),
        ("[[w:강|강]]과 [[w:산]]", "강과 산"),
        ("앞 [[파일:a.jpg|섬네일|[[나무]]가 있는 [[강|물]]]] 뒤", "앞 뒤"),
        ("[[File:a.jpg]][[그림:b.png|왼쪽|설명 {{lang|de|Fluss}}]]글", "글"),
        ("글<ref>출처 [[책]]</ref>이다<ref name=a />.<ref group=b>{{서적 인용}}</ref>", "글이다."),
        ("글<!-- 숨긴 글 -->이다", "글이다"),
        ("<gallery>\n파일:a.jpg|설명\n</gallery>글", "글"),
        ("<math>x^2</math>는 제곱", "는 제곱"),
        ("물은 H<sub>2</sub>O, 넓이는 m<sup>2</sup>", "물은 H2O, 넓이는 m2"),
        ("한 줄<br />두 줄<br>세 줄", "한 줄\n두 줄\n세 줄"),
        ("<div class='x'>상자 <span>글</span></div>", "상자 글"),
        ("<blockquote>따온 글</blockquote>", "따온 글"),
        ("<nowiki>[[그대로]]</nowiki>", "그대로"),
        ("<syntaxhighlight lang='c'>int a;</syntaxhighlight>글", "글"),
        ("<ruby>漢<rp>(</rp><rt>한</rt><rp>)</rp></ruby>자", "漢자"),
        ("{| class='wikitable'\n! 머리\n|-\n| 칸 || 칸\n|}\n글", "글"),
        ("{|\n| 바깥\n{|\n| 안\n|}\n|}\n글", "글"),
        ("글\n{| class='x'\n! 닫지 않은\n|-\n| 표", "글"),
        ("글\n{{닫지 않은 틀\n| 이름 = 값\n| 나라 = 값", "글"),
        ("__목차숨김__\n__NOTOC__\n글", "글"),
        ("&lt;가&gt; &amp; A&nbsp;B &#44032;", "<가> & A\xa0B 가"),
        ("&#xD800;글", "\ufffd글"),
        ("* 하나\n** 둘\n# 셋\n: 넷\n; 용어 : 풀이", "하나\n둘\n셋\n넷\n용어\n풀이"),
        ("앞\n----\n뒤", "앞\n뒤"),
        ("[http://a.example 누리집] 과 [http://a.example]", "누리집 과"),
        ("http://a.example/b 를 보라", "http://a.example/b 를 보라"),
        (
            "첫 문단이다.\n둘째 줄이다.\n\n\n\n둘째 문단이다.",
            "첫 문단이다.\n둘째 줄이다.\n\n둘째 문단이다.",
        ),
        ("{{없는 틀|a|b}}글{{-}}", "글"),
        ("문단.\n{{안내문}}\n* {{범례|#fff|초록}}\n[[파일:a.jpg|설명]]\n다음.", "문단.\n다음."),
        ("{{lang|de|Berlin}} {{llang|de|Berlin}} {{lang-de|Berlin}}", "Berlin Berlin Berlin"),
        ("강({{llang|en|river}} {{IPA|x}} {{소리|a.ogg}})은", "강(river)은"),
        ("강({{IPA|x}})은 [1998 ~ ]", "강()은 [1998 ~ ]"),
        ("강( {{IPA|x}} 하천)은 (2014 ~ )", "강(하천)은 (2014 ~ )"),
        ("{{국기나라|독일}}과 {{KOR}}, {{XYZ}}", "독일과 대한민국,"),
        ("{{PAGENAME}}은 {{formatnum:1234}}개", "제목은 1234개"),
        ("{{출생일|1961|3|2}}에 났다", "1961년 3월 2일에 났다"),
        ("{{빈 줄 목록|하나|둘}}", "하나\n둘"),
        ("{{#if:x|y|z}}글 {{{변수|기본}}}", "글 기본"),
        ("{{작게|1=[[강]]<ref>x</ref>의 길이}}", "강의 길이"),
        ("<ref>닫지 않은 출처", "닫지 않은 출처"),
        ("  앞뒤  빈칸\t이 많다  ", "앞뒤 빈칸 이 많다"),
    ],
)
def test_each_construct(code: str, text: str) -> None:
    assert _plain(code) == text


def test_sections_have_titles_levels_and_offsets() -> None:
    code = (
        "머리말이다.\n\n== ''옛날'' [[역사]] ==\n=== 고대 ===\n고대 글.\n\n"
        "=== 중세 ===\n{{표}}\n== 오늘날<ref>x</ref> ==\n오늘 글.\n"
    )
    page = mediawiki.read_page(code, "제목")
    assert [(s.title, s.level, page.text[s.start : s.end]) for s in page.sections] == [
        ("", 1, "머리말이다."),
        ("고대", 3, "고대 글."),
        ("오늘날", 2, "오늘 글."),
    ]
    assert page.text == "머리말이다.\n\n고대 글.\n\n오늘 글."


@pytest.mark.parametrize(
    "title", ["각주", "외부 링크", "외부링크", "같이 보기", "참고 문헌", "출처"]
)
def test_sections_of_links_are_left_out_with_all_below(title: str) -> None:
    code = f"글.\n== {title} ==\n* [[가]]\n=== 아래 ===\n나.\n== 다음 ==\n다.\n== {title} ==\n라."
    page = mediawiki.read_page(code, "제목")
    assert page.text == "글.\n\n다."
    assert [s.title for s in page.sections] == ["", "다음"]


def test_a_page_without_prose_has_no_sections() -> None:
    page = mediawiki.read_page("{{틀}}\n== 역사 ==\n[[분류:가]]", "제목")
    assert (page.text, page.sections) == ("", ())


PERSON = """{{인물 정보
| 이름 = '''홍 아무개'''
| 본명 = {{llang|en|Hong}}<!-- 확인 -->
| 출생일 = {{출생일과 나이|1961|3|2}}
| 사망일 = {{사망일과 나이|2001|12|31|1961|3|2}}
| 출생지 = {{국기나라|독일}} [[베를린|베를린 시]]
| 국적 = {{KOR}}
| 직업 = [[배우]]<br />[[가수]], [[배우]]
| 활동 = {{빈 줄 목록|[[영화]]|연극}}
| 상 = {{plainlist|
* 큰 상
* 작은 상
}}
| 키 = {{convert|170|cm}}
| 사진 = [[파일:a.jpg|200px]]
| 설명 =
| 배우자 = 김 아무개<ref>출처</ref> (1990 ~ )
| 누리집 = {{URL|http://a.example/}}
| 배우자 = 이 아무개
}}
글이다."""


def test_an_infobox_gives_plain_values_and_links() -> None:
    box = _box(PERSON)
    assert {name: row.value for name, row in box.items()} == {
        "이름": "홍 아무개",
        "본명": "Hong",
        "출생일": "1961-03-02",
        "사망일": "2001-12-31",
        "출생지": "독일 베를린 시",
        "국적": "대한민국",
        "직업": "배우 / 가수, 배우",
        "활동": "영화 / 연극",
        "상": "큰 상 / 작은 상",
        "키": "170 cm",
        "배우자": "이 아무개",
        "누리집": "http://a.example/",
    }
    assert box["출생지"].links == ("독일", "베를린")
    assert box["직업"].links == ("배우", "가수")
    assert box["활동"].links == ("영화",)
    assert [row.ordinal for row in box.values()] == list(range(12))
    assert {row.template for row in box.values()} == {"인물 정보"}
    assert _plain(PERSON) == "글이다."


@pytest.mark.parametrize(
    "name",
    [
        "도시 정보",
        "도시_정보",
        "틀:도시 정보",
        "인물 정보2",
        "일본 행정구역 정보 (폐지)",
        "만화애니 정보/애니",
        "Infobox settlement",
        "infobox person",
        "생물 분류",
        "Chembox",
        "정치인",
        "도시 정보<!-- 판 2 -->",
    ],
)
def test_what_is_an_infobox(name: str) -> None:
    assert _box(f"{{{{{name}\n| 이름 = 값\n}}}}")["이름"].value == "값"


@pytest.mark.parametrize("name", ["정보통신", "위키공용분류", "웹 인용", "기후 도표", "독일"])
def test_what_is_no_infobox(name: str) -> None:
    assert _box(f"{{{{{name}|이름=값}}}}") == {}


def test_an_infobox_within_another_or_within_a_tag_is_found() -> None:
    page = mediawiki.read_page(
        "<div>{{인물 정보|이름=가|모듈={{선수 정보|종목=역도}}|끝=나}}</div>글", "제목"
    )
    assert [(b.template, b.name, b.value, b.ordinal) for b in page.infoboxes] == [
        ("인물 정보", "이름", "가", 0),
        ("선수 정보", "종목", "역도", 1),
        ("인물 정보", "끝", "나", 2),
    ]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("{{출생일|1961}}", "1961"),
        ("{{출생일|1961년|3월}}", "1961-03"),
        ("{{시작 날짜|2001|13|1}}", None),
        ("{{birth date and age|df=y|1961|3|2}}", "1961-03-02"),
        ("{{출생일과 만나이|1961<!-- 또는 1962 -->|3|2}}", "1961-03-02"),
        ("{{출생일|미상}}", None),
        ("{{국기|일본}}", "일본"),
        ("{{lang|de|[[베를린]]}}", "베를린"),
        ("{{모르는 틀|값}}", None),
    ],
)
def test_templates_within_values(code: str, value: str | None) -> None:
    row = _box(f"{{{{인물 정보|칸={code}}}}}").get("칸")
    assert (row.value if row else None) == value


MARKS = """
{{ }} [[ ]] {| |} | ' '' ''' <ref> </ref> <br> <!-- --> == = * : ; # 파일: 분류: 정보 lang
de 가 나다. &amp; &#xD800; __NOTOC__ http://a.example {{{ }}} <nowiki>
"""
PIECES = st.sampled_from([*MARKS.split(), "\n", " ", "\x1a", "\u2028"])


@given(st.lists(PIECES, max_size=30))
def test_any_wikitext_gives_text_that_its_sections_slice(pieces: list[str]) -> None:
    page = mediawiki.read_page("".join(pieces), "제목")
    page.text.encode()
    assert "\x1a" not in page.text
    end = 0
    for section in page.sections:
        assert end <= section.start < section.end <= len(page.text)
        end = section.end
    assert "\n\n".join(page.text[s.start : s.end] for s in page.sections) == page.text
    for row in page.infoboxes:
        row.value.encode()
        assert row.value and "\n" not in row.value
