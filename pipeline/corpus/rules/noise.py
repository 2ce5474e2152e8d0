"""The noise rules: what is cut out of a text, and when a text is no Korean sentence at all.

Each edit is a pure function ``text -> (text, counts)``; `counts` says what was found and how often,
never the text itself. Each judgement returns a number that `rules` compares with its limits.
Source: KLUE, section 2.3 (hashtags, HTML, bad characters, empty parentheses, consecutive blanks,
more than ten Chinese or Japanese characters, non-Korean text).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import regex

#: What an edit found: (kind, how many).
Counts = tuple[tuple[str, int], ...]
Edit = tuple[str, Counts]

#: Nested findings are followed to this depth; what lies deeper is left, so that no text is slow.
MAX_DEPTH: Final = 8

#: The body of a regex class for every blank of Unicode, for `re` and for RE2 alike.
BLANKS: Final = r"\t\n\x0b\x0c\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

# --- bad characters ------------------------------------------------------------------------------

_LINE: Final = r"\t\n\x0b\x0c\r\x85\u2028\u2029"
_KINDS: Final[dict[str, str]] = {
    "zero-width": r"\u200b-\u200f\u2060-\u2065\ufeff\u00ad\u180e\ufe00-\ufe0f",
    "direction": r"\u061c\u202a-\u202e\u2066-\u206f",
    "control": r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f",
    "filler": r"\u115f\u1160\u3164\uffa0",
    "replacement": r"\ufff9-\ufffd",
    "private": r"\ue000-\uf8ff\U000f0000-\U0010ffff",
    "noncharacter": r"\ufdd0-\ufdef\ufffe\uffff"
    + "".join(rf"\U{p:04x}fffe\U{p:04x}ffff" for p in range(1, 15)),
}
BAD_CHARS: Final = _LINE + "".join(_KINDS.values())
_PICTURE: Final = (
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    r"\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_SELECTED: Final = rf"{_PICTURE}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_EMOJI: Final = rf"[0-9#*]\ufe0f(?=\u20e3)|{_SELECTED}(?:\u200d{_SELECTED})*"
_BAD_OR_EMOJI: Final = re.compile(rf"({_EMOJI})|[{BAD_CHARS}]")
_NAMED: Final = [("line", re.compile(f"[{_LINE}]"))] + [
    (kind, re.compile(f"[{body}]")) for kind, body in _KINDS.items()
]


def remove_bad_chars(text: str) -> Edit:
    """Cut characters that nobody sees or types on purpose; a tab or line break becomes a blank.

    ZERO WIDTH JOINER and the variation selectors stay inside emoji sequences and keycaps only.
    """
    counts = Counter[str]()

    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return match[0]
        kind = next(name for name, pattern in _NAMED if pattern.match(match[0]))
        counts[kind] += 1
        return " " if kind == "line" else ""

    return _BAD_OR_EMOJI.sub(replace, text), tuple(counts.items())


# --- hashtags, parentheses, blanks ---------------------------------------------------------------

_HASHTAG: Final = re.compile(
    r"""(?<![\w#＃@$%^&+=/\\|<\-"'“‘「『《〈(（\[{])(?:[#＃][^\W\d]\w*+)++(?![@%])"""
    r"""|(?<=[(（\[])(?:[#＃][^\W\d]\w*+[ ,]{0,2}+)++(?=[)）\]](?!이?라[는고]))"""
)


def remove_hashtags(text: str) -> Edit:
    """Cut hashtags with their words, chains of them included.

    A tag begins with a letter or underscore, at the start of the text, after a blank, or after
    punctuation or a symbol that ends something (``. ! ? ~ * ) > ♥``). Judged on 712 thousand
    reviews and 34 thousand comments, these are not tags and stay: ``#4회`` (a number), ``F#단조``,
    ``욕#설`` and ``노잼#또`` (after a letter or digit, a sharp or a masked word is as likely),
    ``##들`` and ``@#ㅋ`` (masked or random characters), ``'#제목'`` and ``(#광고)라는`` (after an
    opening quotation mark, or in brackets that a quoting particle follows, it is spoken of),
    ``#월@일`` (a form to fill in), and the fragment of a URL.
    """
    count = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal count
        word = text[max(0, match.start() - 200) : match.start()].rpartition(" ")[2]
        if "://" in word or word.startswith("www."):
            return match[0]
        count += match[0].count("#") + match[0].count("＃")
        return ""

    return _HASHTAG.sub(replace, text), ((("hashtag", count),) if count else ())


_LEFTOVER: Final = rf"[{BLANKS},;:/，；：、]*+"
_EMPTY_PAIR: Final = "|".join(
    rf"{re.escape(left)}{_LEFTOVER}(?:[·ㆍ・]{_LEFTOVER})?+{re.escape(right)}"
    for left, right in zip("([{（［｛〔【「『《〈", ")]}）］｝〕】」』》〉", strict=True)
)
_JOINED: Final = (
    r"(?:(?:은|는|이|가|을|를|의|에|와|과|도|만|로|으로|에서|에게|부터|까지|보다|처럼|이나|나"
    r"|이며|며|이고|고|이다|란|이란|라는|이라는)(?![가-힣])|[,.!?)\]…])"
)
_EMPTY_PARENS: Final = re.compile(
    rf"(?<!_(?=\(\)_))(?<!-(?=\(\)-))(?:(?<=\S)[{BLANKS}]++(?=(?:{_EMPTY_PAIR}){_JOINED}))?+"
    rf"(?:{_EMPTY_PAIR})"
)


def remove_empty_parens(text: str) -> Edit:
    """Cut brackets that hold nothing but blanks and leftover separators, nested ones included.

    A particle or punctuation mark behind them joins the word before. Faces and signs stay:
    ``(..)``, ``(-)``, ``(--)``, ``_()_`` (a bow); so does ``<>``, which writers use as eyes.
    """
    total = 0
    for _ in range(MAX_DEPTH):
        text, count = _EMPTY_PARENS.subn("", text)
        total += count
        if not count:
            break
    return text, ((("pair", total),) if total else ())


def collapse_blanks(text: str) -> Edit:
    """Make one U+0020 of every run of blanks, and none at the ends."""
    cleaned = " ".join(text.split())
    if cleaned == text:
        return text, ()
    return cleaned, (
        ("blank", len(text) - len(cleaned) or len(re.findall(rf"(?! )[{BLANKS}]", text))),
    )


# --- judgements ----------------------------------------------------------------------------------

#: Letters of Hangul: syllables and jamo without fillers. U+318D is left out: writers use it as a
#: middle dot.
_HANGUL: Final = regex.compile(r"[\p{Hangul}&&\p{Letter}--[\u3164\u318D\uFFA0]]", regex.V1)
#: Signs of the script that are no such letters: tone marks, fillers, the dot, letters in brackets
#: and circles. The body of a class of RE2, which cannot take them away from the script.
NO_LETTERS: Final = r"\x{302e}\x{302f}\x{3164}ㆍ\x{3200}-\x{321e}\x{3260}-\x{327e}\x{ffa0}"
#: Han and kana with the marks that lengthen or voice a kana, for RE2 too; the katakana middle dot
#: is of no script, Korean text uses it as well.
FOREIGN: Final = r"[\p{Han}\p{Hiragana}\p{Katakana}゙-゜ーｰﾞﾟ]"
_FOREIGN: Final = regex.compile(FOREIGN)
_DOT: Final = "ㆍ"


def is_empty(text: str) -> bool:
    """Tell whether no letter and no digit is left."""
    return not any(c.isalnum() and c != _DOT for c in text)


def count_foreign(text: str) -> int:
    """Count the Chinese and Japanese characters."""
    return len(_FOREIGN.findall(text))


def count_letters(text: str) -> tuple[int, int]:
    """Count the Hangul letters and all letters; digits are no letters."""
    hangul = len(_HANGUL.findall(text))
    return hangul, max(hangul, sum(map(str.isalpha, text)) - text.count(_DOT))
