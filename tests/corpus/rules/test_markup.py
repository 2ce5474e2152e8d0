"""Tags and entities of HTML go, what only looks like them stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.rules import markup


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("좋다<br>정말", "좋다 정말"),
        ("좋다<br/>정말<BR />또", "좋다 정말 또"),
        ("<p>한 줄</p><p class='a'>두 줄</p>", " 한 줄  두 줄 "),
        ("<div>가</div>", " 가 "),
        ("<ul><li>가<li>나</ul>", "  가 나 "),
        ("<b>굵게</b> <i>기울게</i>", "굵게 기울게"),
        ("<b>굵게", "굵게"),
        ("굵게</b>", "굵게"),
        ('<a href="https://example.com/?a=1>2">여기</a>', "여기"),
        ("<a href=https://example.com/>여기</a>", "여기"),
        ("<font color='red' size=3>빨강</font>", "빨강"),
        ("<IMG SRC=a.png>그림", "그림"),
        ("<img src='a.png'alt='b'>", ""),
        ("<input type=checkbox checked>", ""),
        ("가<!-- 숨은 말 -->나", "가 나"),
        ("가<!-- <b>숨은</b> \n 말 -->나", "가 나"),
        ("<!DOCTYPE html>가", " 가"),
        ("<script>var a = '<b>';</script>가", " 가"),
        ("<style type='text/css'>p { color: red }</style>가", " 가"),
        ("<time>두 시</time>", "두 시"),
        ("두 시</time>", "두 시"),
        ("<time datetime='2'>두 시", "두 시"),
        ("<A>가</A>", "가"),
        ("<<b>b>굵게", "굵게"),
        ("<o:p></o:p>", "  "),
        ("&lt;별&gt; &amp; &quot;달&quot; &#39;해&#39; &#x2F;", "<별> & \"달\" '해' /"),
        ("&hearts;&eacute;", "♥é"),
        ("&lt닥터&gt가", "<닥터>가"),
        ("귀여워 &gt_&lt", "귀여워 >_<"),
        ("가&nbsp;나&nbsp 다", "가 나  다"),
        ("가&#8203;나&#xFEFF;다&#0;", "가나다"),
        ("&amp;lt;별&amp;gt;", "<별>"),
        ("&lt;b&gt;", "<b>"),
        ("&lt;br/&gt;는 줄바꿈이다", "<br/>는 줄바꿈이다"),
    ],
)
def test_markup_goes(text: str, left: str) -> None:
    cleaned, counts = markup.remove_html(text)
    assert cleaned == left
    assert counts


@pytest.mark.parametrize(
    "text",
    [
        "<별의 노래>를 봤다",
        "<부부평가단>",
        "a < b 그리고 c > d",
        "사랑해 <3",
        "<BOB>와 <DOA>",
        "<The Chronic>",
        "<a>",
        "<A>",
        "<B>",
        "<Time>과 <time>",
        "<Source Code>",
        "<Big Fish>",
        "<Map to the Stars>",
        "<별 class='a'>",
        "최고>ㅁ<b>",
        "><><",
        "<!-- 닫지 않은 말",
        "<b",
        "<br",
        "AT&T R&B M&A &",
        "?oid=1&nid=3&notice=4&lt=5&gt=6",
        "&gtLittle &lt7점",
        "&가; &#; &#x; &; &unknown;",
        "&notit;",
        "#가&나",
    ],
)
def test_look_alikes_stay(text: str) -> None:
    assert markup.remove_html(text) == (text, ())


def test_counts_name_kinds() -> None:
    text = "<p>가</p><!-- 나 -->&amp;"
    assert dict(markup.remove_html(text)[1]) == {"tag": 2, "comment": 1, "entity": 1}


@given(st.text("<>/b!-ar p=\"'가scriptyle", max_size=40))
def test_no_tag_is_left_and_nothing_is_added(text: str) -> None:
    cleaned, _ = markup.strip_tags(text)
    remaining = iter(text)
    assert all(c in remaining for c in cleaned if c != " ")
    assert "<br>" not in cleaned
    assert "<p>" not in cleaned
    assert markup.strip_tags(cleaned)[0] == cleaned


@given(st.text("&#x;lt gt amp 39 8203 가=", max_size=40))
def test_decoding_twice_is_decoding_once(text: str) -> None:
    decoded, _ = markup.remove_html(text)
    assert markup.remove_html(decoded)[0] == decoded


@pytest.mark.parametrize(
    "unit",
    ["<", "<b", "<b ", '<a b="', "<!--", "<script>", "<script></script", "&amp;", "&#38;", "<<b>"],
)
def test_hostile_repetition_is_quick(unit: str) -> None:
    """A pattern that ran away would not come back from 20,000 repetitions."""
    markup.remove_html(unit * 20_000)
