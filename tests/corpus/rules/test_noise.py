"""One crafted text for each kind of noise, and for each look-alike that must stay."""

from __future__ import annotations

import re
import sys
import unicodedata

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.rules import noise
from pipeline.corpus.rules.table import RULES, Limits

ANY_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("가나 \t\u3000\u200b\u200d\ufe0f❤🔥#＃_1aㅋ()[]「」,;·&@/.!<>\u3164\ue000"),
    ),
    max_size=40,
)


# --- bad characters ---


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        *[("zero-width", c) for c in (0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0xFEFF, 0xAD)],
        *[("zero-width", c) for c in (0x2060, 0x2064, 0xFE0F, 0xFE00)],
        *[("direction", c) for c in (0x202A, 0x202E, 0x2066, 0x2069)],
        *[("control", c) for c in (0x00, 0x08, 0x0E, 0x1F, 0x7F, 0x80, 0x9F)],
        *[("filler", c) for c in (0x115F, 0x1160, 0x3164, 0xFFA0)],
        *[("replacement", c) for c in (0xFFF9, 0xFFFB, 0xFFFC, 0xFFFD)],
        *[("private", c) for c in (0xE000, 0xF8FF, 0xF0000, 0x10FFFD)],
        *[("noncharacter", c) for c in (0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0xEFFFF)],
    ],
)
def test_bad_characters_vanish(kind: str, code: int) -> None:
    assert noise.remove_bad_chars(f"좋{chr(code)}다") == ("좋다", ((kind, 1),))


@pytest.mark.parametrize("code", [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029])
def test_line_breaks_and_tabs_become_blanks(code: int) -> None:
    assert noise.remove_bad_chars(f"좋{chr(code)}다") == ("좋 다", (("line", 1),))


@pytest.mark.parametrize(
    "text",
    [
        *("❤\ufe0f", "👩\u200d👧", "👨🏽\u200d🚀", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3"),
        *("♥\ufe0f♥\ufe0f", "é한자漢"),
    ],
)
def test_joiners_stay_inside_emoji(text: str) -> None:
    assert noise.remove_bad_chars(text) == (text, ())


@pytest.mark.parametrize("text", ["가\ufe0f", "가\u200d나", "❤\u200d가", "가\u200d❤", "1\ufe0f점"])
def test_joiners_go_outside_emoji(text: str) -> None:
    assert noise.remove_bad_chars(text)[0] == text.replace("\ufe0f", "").replace("\u200d", "")


@given(ANY_TEXT)
def test_no_control_private_or_unassigned_noncharacter_is_left(text: str) -> None:
    cleaned, _ = noise.remove_bad_chars(text)
    assert not [c for c in cleaned if unicodedata.category(c) in ("Cc", "Co")]
    assert not [c for c in cleaned if ord(c) & 0xFFFE == 0xFFFE]
    assert noise.remove_bad_chars(cleaned) == (cleaned, ())


# --- hashtags ---


@pytest.mark.parametrize(
    ("text", "left", "tags"),
    [
        ("#맛집", "", 1),
        ("또 올게요 #맛집 추천", "또 올게요  추천", 1),
        ("좋다 #가#나 #다", "좋다  ", 3),
        ("~*^^*#필관람", "~*^^*", 1),
        ("재미,#강추", "재미,", 1),
        ("끝.#명작", "끝.", 1),
        ("최고♥#사랑", "최고♥", 1),
        ("최고❤️#사랑", "최고❤️", 1),
        ("<달빛>#추천", "<달빛>", 1),
        ("＃전각태그 좋다", " 좋다", 1),
        ("#ㅋㅋ #JMT #_밑줄", "  ", 3),
        ("#제이_하나로_위로가_된다", "", 1),
        ("#태그9", "", 1),
    ],
)
def test_hashtags_go_with_their_word(text: str, left: str, tags: int) -> None:
    assert noise.remove_hashtags(text) == (left, (("hashtag", tags),))


@pytest.mark.parametrize(
    "text",
    [
        "욕#설",
        "새#끼",
        "C#",
        "C#은 언어다",
        "F#단조",
        "^#^",
        "#",
        "# 띄움",
        "##들",
        "#1",
        "#4회까진 별로",
        "@#@#가나",
        "&#가;",
        "'#제목있음'은 영화다",
        "“#제목있음”",
        "(#광고)라는 표시",
        "!!!#월@일부터",
        "http://example.com/a.html#탭",
        "http://example.com/?#tab",
        "www.example.com/!#tab",
        "값#또",
    ],
)
def test_what_only_looks_like_a_hashtag_stays(text: str) -> None:
    assert noise.remove_hashtags(text) == (text, ())


# --- empty parentheses ---


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("베를린()은 크다", "베를린은 크다"),
        ("베를린 ()은 크다", "베를린은 크다"),
        ("베를린 () 시내", "베를린  시내"),
        ("홍길동( , )이", "홍길동이"),
        ("홍길동(;)", "홍길동"),
        ("홍길동( : , )", "홍길동"),
        ("홍길동(·)", "홍길동"),
        ("홍길동( / )", "홍길동"),
        ("사과 (), 배", "사과, 배"),
        ("끝 ().", "끝."),
        ("(())", ""),
        ("([{ }])", ""),
        ("（　）", ""),
        ("가[]나{}다", "가나다"),
        ("책 『』과 「」", "책과 "),
        ("〈〉《》【】〔〕", ""),
        ("좋음 ()최고", "좋음 최고"),
    ],
)
def test_empty_brackets_go(text: str, left: str) -> None:
    cleaned, counts = noise.remove_empty_parens(text)
    assert cleaned == left
    assert counts[0][0] == "pair"


@pytest.mark.parametrize(
    "text",
    [
        *("(..)", "(...)", "(-)", "(--)", "(+)", "_()_", "-()-", "<>", ">_<", "(ㅋ)", "(1)"),
        *("(]", "[)", "(.,.)", "(··)", "(><)", "(^^)"),
    ],
)
def test_faces_and_signs_stay(text: str) -> None:
    assert noise.remove_empty_parens(text) == (text, ())


# --- blanks ---


def test_blanks_are_those_of_unicode() -> None:
    pattern = re.compile(f"[{noise.BLANKS}]")
    every = {chr(c) for c in range(sys.maxunicode + 1)}
    assert {c for c in every if pattern.match(c)} == {c for c in every if c.isspace()}


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("가  나", "가 나", 1),
        (" 가 나 ", "가 나", 2),
        ("가\u3000나", "가 나", 1),
        ("가\xa0\xa0나", "가 나", 1),
        ("가 \u2009\t나\n", "가 나", 3),
        ("   ", "", 3),
    ],
)
def test_blanks_collapse(text: str, left: str, count: int) -> None:
    assert noise.collapse_blanks(text) == (left, (("blank", count),))


def test_single_blanks_stay() -> None:
    assert noise.collapse_blanks("가 나 다") == ("가 나 다", ())


# --- judgements ---


@pytest.mark.parametrize("text", ["", " ", "...", "♥♥", "❤️", "^^", "ㆍㆍ", "()", "ⓒⓞⓞⓛ"])
def test_texts_without_letter_or_digit_are_empty(text: str) -> None:
    assert noise.is_empty(text)


@pytest.mark.parametrize("text", ["ㅋ", "1", "a", "漢", "가", "...ㅠ", "10점"])
def test_texts_with_letter_or_digit_are_not_empty(text: str) -> None:
    assert not noise.is_empty(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("漢字", 2),
        ("ひらがな", 4),
        ("カタカナ", 4),
        ("ｶﾞ", 2),
        ("人々", 2),
        ("\u3400\U00020000\uf900", 3),
        ("㐀ㇰ", 2),
        ("가·나・다ㆍ라", 0),
        ("㈜한빛 ㎡", 0),
        ("、。「」", 0),
        ("한글 abc 123", 0),
    ],
)
def test_chinese_and_japanese_characters_are_counted(text: str, count: int) -> None:
    assert noise.count_foreign(text) == count


@pytest.mark.parametrize(
    ("text", "hangul", "letters"),
    [
        ("가나 ab 12", 2, 4),
        ("ㅋㅋ", 2, 2),
        ("\u1112\u1161\u11ab", 3, 3),
        ("ﾡ", 1, 1),
        ("ㆍㆍ", 0, 0),
        ("10", 0, 0),
        ("Кино", 0, 4),
        ("漢字가", 1, 3),
    ],
)
def test_letters_are_counted(text: str, hangul: int, letters: int) -> None:
    assert noise.count_letters(text) == (hangul, letters)


@pytest.mark.parametrize("rule", ["noise.foreign_script@1", "noise.non_korean@1"])
def test_gates_of_scripts_let_no_character_pass_that_a_rule_drops(rule: str) -> None:
    """RE2 may know an older Unicode than this Python, which then knows no name of it either."""
    known = [chr(c) for c in range(sys.maxunicode) if unicodedata.category(chr(c)) not in UNKNOWN]
    texts = pa.array([25 * c for c in known])
    passed = pc.invert(pc.match_substring_regex(texts, RULES[rule].gate))
    survivors = texts.filter(passed).to_pylist()
    assert len(survivors) > 1_000
    assert [t[0] for t in survivors if RULES[rule].apply(t, Limits()).text is None] == []


#: Categories of code points without a character: unassigned, surrogates, private use.
UNKNOWN = ("Cn", "Cs", "Co")


# --- properties of every edit ---

EDITS = (
    noise.remove_bad_chars,
    noise.remove_hashtags,
    noise.remove_empty_parens,
    noise.collapse_blanks,
)


@given(ANY_TEXT)
def test_an_edit_only_takes_away_and_says_so(text: str) -> None:
    for edit in EDITS:
        cleaned, counts = edit(text)
        remaining = iter(text)
        assert all(c in remaining for c in cleaned if c != " ")
        assert (cleaned == text) == (not counts)
        assert edit(cleaned)[0] == cleaned


@pytest.mark.parametrize("unit", ["(", "()", "#", "#가", " ", "( ,", "\u200b", "❤\u200d", "({["])
def test_hostile_repetition_is_quick(unit: str) -> None:
    """A pattern that ran away would not come back from 20,000 repetitions."""
    for edit in EDITS:
        edit(unit * 20_000)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("도담시(#도담시) 농업기술센터", "도담시() 농업기술센터"),
        ("새 글(#광고, #협찬)을 썼다", "새 글()을 썼다"),
        ("'(#광고)라는 표시", "'(#광고)라는 표시"),
        ("글(#광고 아님)을 썼다", "글(#광고 아님)을 썼다"),
    ],
)
def test_tags_that_fill_their_brackets(text: str, cleaned: str) -> None:
    assert noise.remove_hashtags(text)[0] == cleaned
