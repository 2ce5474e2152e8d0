"""How a Korean sentence ends: whether it states something, and in which form.

Korean marks mood at the end of the last predicate (Sohn, "The Korean Language", 1999, chapter 8).
Speech also ends where writing would go on: in 는데, in 음 or 함, in a noun without its copula. This
module distinguishes the forms; the spec decides which of them a premise may have.

Tags are those of mecab-ko:
    endings     EF final, EC connective, EP pre-final, ETN makes a noun, ETM a modifier
    predicates  VV verb, VA adjective, VX auxiliary, VCP and VCN copula (이다 and 아니다)
    suffixes    XSV, XSA and XSN make a verb, an adjective and a noun
    particles   JKS subject, JX auxiliary
    nouns       NN* noun, NR numeral, NP pronoun, XR root; SN number, SL Latin, SH Chinese letters
    others      MAG adverb, IC interjection
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from pipeline.core.morphology import Morpheme

#: The form and the tag of a morpheme.
Part = tuple[str, str]
#: final: a declarative ending. suspended: 는데 in place of one. nominalised: 음 or 듯 in place of
#: one. copula_less: a subject and a noun as its predicate. phrase: nouns and their modifiers. The
#: others state nothing.
Kind = Literal[
    "final",
    "suspended",
    "nominalised",
    "copula_less",
    "phrase",
    "question",
    "imperative",
    "propositive",
    "exclamation",
    "unfinished",
]

#: Marks, laughter (ㅋㅋ) and emoji after the last word; quotes and brackets stay.
_TAIL: Final = re.compile(r"[^\uac00-\ud7a3\w%)\]}>”’\"'》〉」』】]+$|[\u3131-\u318e_]+$")
#: mecab-ko writes a consonant without a syllable as a conjoining letter, patterns here as a plain
#: one.
_PLAIN_LETTERS: Final = str.maketrans(
    "\u11ab\u11af\u11b7\u11b8\u1102\u1105\u1106\u1107", "ㄴㄹㅁㅂㄴㄹㅁㅂ"
)
_NOUNS: Final = ("NNG", "NNP", "NNB", "NNBC", "NR", "NP", "XSN", "XR", "SN", "SL", "SH")
#: Before a last ending such as 어, these tags and stems tell that it is no command: adjectives,
#: copulas and tenses, and verbs of state.
_NO_COMMAND_TAGS: Final = ("VA", "XSA", "VCP", "VCN", "EP")
_STATIVE_STEMS: Final = ("있", "없", "싶", "계시", "않")

#: The first pattern that an ending matches gives its kind; one that matches none is unfinished.
_ENDINGS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("propositive", re.compile(r"(자|자[고구]|자고요|[ㅂ읍]시다)$")),
    ("exclamation", re.compile(r"([다라]니|도다|ㄹ세라)$")),
    (
        "question",
        re.compile(
            r"((?<!니)까요?|[ㅂ습]니까|^나요?|려나|[은는ㄴ던]가요?|냐[고구]?요?|^니"
            r"|[은는ㄴ을ㄹ던]지요?)$"
        ),
    ),
    ("imperative", re.compile(r"(^[아어여거너으]?라|십시오|^으?시오|소서|렴|려무나)$")),
    ("suspended", re.compile(r"[은는ㄴ던]데요?$")),
    (
        "final",
        re.compile(
            r"([다당]|[다라]니까|요|죠|네|^지|^어|^아|야|군|구나|구[만먼]|거든|잖아|더라"
            r"|^[다라]?[대래]|^[ㄹ을]래|[여염유]|소)$"
        ),
    ),
    ("nominalised", re.compile(r"^[음ㅁ]$")),
)
#: Final endings that make a question if the clause has an interrogative.
_QUESTION_IF_ASKED: Final = re.compile(r"(지|죠|어|아|야|요|대|래|네)$")
_INTERROGATIVES: Final = (
    *("왜", "뭐", "뭘", "무엇", "무슨", "누구", "누가", "어디", "어떻게", "어째서", "얼마나"),
    *("대체", "도대체"),
)
#: Suffixes after which an interrogative no longer asks: 누구나, 어디든, 뭔가, 무엇보다, 대체적.
_INDEFINITE: Final = ("나", "든", "든지", "도", "라도", "이나", "ㄴ가", "ㄴ지", "보다", "적")
_EMBEDDED_QUESTION: Final = re.compile(r"[은는ㄴ을ㄹ던]지$")
_REQUEST: Final = re.compile(r"(줘요?|주세요|다오|주라|달라)$")
#: Endings that mecab-ko reads as part of an unknown noun: 보험설계사이다, 스타일리쉬해요.
_UNSEGMENTED: Final = re.compile(r"(이다|해요|합니다)$")


def without_tail(text: str) -> str:
    """Return a text without the marks, laughter and emoji that follow its last word."""
    while (shorter := _TAIL.sub("", text.rstrip())) != text:
        text = shorter
    return text


def parts_of(morphemes: Sequence[Morpheme]) -> list[Part]:
    """Return form and tag of all parts of the morphemes, consonants as plain letters."""
    return [(form.translate(_PLAIN_LETTERS), tag) for word in morphemes for form, tag in word.parts]


def ending(text: str, parts: Sequence[Part]) -> tuple[Kind, str, str]:
    """Return how a text ends: the kind of its ending, and form and tag of its last morpheme.

    `text` is from `without_tail`, `parts` from `parts_of`.
    """
    while parts:
        form, tag = parts[-1]
        is_suffix = tag == "XSN" and parts[-2:-1] != [] and parts[-2][1] in ("EF", "EC")
        if tag != "IC" and not is_suffix:
            return _kind(text, parts, form, tag), form, tag
        parts = parts[:-1]  # interjections, and the 용 of 좋네용
    return "phrase", "", ""


def _kind(text: str, parts: Sequence[Part], form: str, tag: str) -> Kind:
    if tag in ("EF", "EC") or (tag == "ETN" and form != "기"):
        return "phrase" if tag == "ETN" and _is_modified_noun(parts) else _mood(text, parts, form)
    if tag == "JX" and form in ("요", "에요", "야"):  # a copula read as a particle: 분위기에요
        return "question" if _has_interrogative(parts) else "final"
    if (tag in ("UNKNOWN", "MAG") and form.endswith("다")) or _UNSEGMENTED.search(text):
        return "final"
    if form == "듯":
        return "nominalised"
    if form == "셈" and parts[-2:-1] and parts[-2][1].startswith("V"):  # 보셈
        return "imperative"
    return "copula_less" if tag in _NOUNS and _is_predicate(parts) else "phrase"


def _mood(text: str, parts: Sequence[Part], form: str) -> Kind:
    kind: Kind = next((kind for kind, pattern in _ENDINGS if pattern.search(form)), "unfinished")
    if kind == "imperative" and parts[-2:-1] and parts[-2][1] in ("VCP", "VCN"):
        return "unfinished"  # 영화라, 아니라
    if kind != "final":
        return kind
    if _REQUEST.search(text) or _is_command(text, parts, form):
        return "imperative"
    return "question" if _QUESTION_IF_ASKED.search(form) and _has_interrogative(parts) else "final"


def _is_command(text: str, parts: Sequence[Part], form: str) -> bool:
    """Tell whether a verb of action ends in 세요, or in 어 without a tense."""
    stem = [(f, tag) for f, tag in parts[:-1] if not (tag == "EP" and f.endswith("시"))]
    if not stem or stem[-1][1] in _NO_COMMAND_TAGS or stem[-1][0] in _STATIVE_STEMS:
        return False
    return text.endswith(("세요", "셔요")) or form in ("어", "아")


def _has_interrogative(parts: Sequence[Part]) -> bool:
    """Tell whether an interrogative governs the last clause: 왜 낮죠, but not 왜 낮은지 알아요."""
    last = max(
        (n for n, (form, _) in enumerate(parts[:-1]) if _EMBEDDED_QUESTION.search(form)), default=0
    )
    pairs = zip(parts[last:], parts[last + 1 :], strict=False)
    return any(
        form in _INTERROGATIVES and tag != "IC" and after not in _INDEFINITE
        for (form, tag), (after, _) in pairs
    )


def _is_modified_noun(parts: Sequence[Part]) -> bool:
    """Tell whether a nominalised predicate is a noun that a clause modifies: 액션이 주는 피곤함."""
    stem = [tag for _, tag in parts[:-1] if tag not in ("EP", "XSV", "XSA")]
    return stem[-2:-1] == ["ETM"] and stem[-1] not in ("VCP", "NNB")


def _is_predicate(parts: Sequence[Part]) -> bool:
    """Tell whether a final noun is the predicate of a subject or topic, with no clause between."""
    tags = [tag for _, tag in parts]
    marks = [
        n
        for n, (form, tag) in enumerate(parts)
        if tag == "JKS" or (tag == "JX" and form in ("은", "는", "ㄴ"))
    ]
    return bool(marks) and not {"ETM", "EC", "ETN"} & set(tags[marks[-1] :])
