"""Telephone numbers: mobile, regional, Internet and safe numbers, representative ones, +82."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.rules.rule import (
    CERTAIN,
    FAIR,
    HIGH,
    LEFT,
    LIKELY,
    LOW,
    NUMBERS,
    RIGHT,
    SEP,
    Candidate,
    D,
    Judge,
    Rule,
    Verdict,
    exact,
)

_AREA: Final = r"0(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4])"
_SERVICE: Final = r"0(?:[678]0|50[2-9]|303)"
_REPRESENTATIVE: Final = (
    r"1(?:5(?:22|33|44|66|77|88|99)|6(?:00|11|22|33|4[3-4]|55|6[0-1]|66|68|70|77|88|99|80)"
    r"|8(?:00|11|22|33|44|55|66|77|88|99))"
)
_WORDS: Final = re.compile(
    r"전화|연락|문의|대표|고객|상담|콜|접수|신고|예약|팩스|휴대|핸드폰|폰|번호|☎|📞|☏|[Tt][Ee][Ll]|[Ff][Aa][Xx]"
    r"|[Pp]hone|[Mm]obile|(?<![A-Za-z])[TFMHPC][.:)]"
)
_UNITS: Final = re.compile(r" ?(?:년|월|원|명|개|억|만|천|여|건|장|쪽|페이지|km|kg|m(?![A-Za-z]))")


def _code(code: str) -> str:
    """Return a pattern of a code that may stand in brackets, with what follows it."""
    return rf"(?:\({code}\) ?-? ?|{code}\) ?|{code}{SEP}?)"


def _without_bracket(judge: Judge) -> Judge:
    """Leave an opening bracket to the sentence where the sentence closes it: 전화(02)123-4567)."""

    def bounded(candidate: Candidate) -> Verdict | None:
        verdict = judge(candidate)
        if verdict is None or candidate.match.group()[0] != "(" or candidate.after(1) != ")":
            return verdict
        return verdict._replace(span=(candidate.start + 1, candidate.end))

    return bounded


@_without_bracket
def _mobile(candidate: Candidate) -> Verdict | None:
    bare = candidate.match.group().isdigit()
    if candidate.is_reference():
        return None
    return Verdict(HIGH if bare else CERTAIN, ("prefix",))


@_without_bracket
def _landline(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference() or _UNITS.match(candidate.after()):
        return None
    known = ("prefix", "context") if candidate.near(_WORDS) else ("prefix",)
    if candidate.match.group().isdigit():
        return Verdict(LIKELY if len(known) == 2 else LOW, known)
    return Verdict(HIGH if len(known) == 2 or "-" in candidate.match.group() else LIKELY, known)


@_without_bracket
def _service(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference():
        return None
    known = ("prefix", "context") if candidate.near(_WORDS) else ("prefix",)
    bare = candidate.match.group().isdigit()
    return Verdict((LIKELY if len(known) == 2 else FAIR) if bare else HIGH, known)


def _representative(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference() or _UNITS.match(candidate.after()):
        return None
    if candidate.near(_WORDS):
        return Verdict(HIGH, ("prefix", "context"))
    first, second = candidate.digits[:4], candidate.digits[4:]
    years = first < second <= "2100"
    hyphen = "-" in candidate.match.group()
    return Verdict(LIKELY if hyphen and not years else LOW, ("prefix",))


def _international(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference():
        return None
    return Verdict(CERTAIN if candidate.match.group()[0] in "(+0" else LIKELY, ("prefix",))


_SYLLABLES: Final = "[0-9공영일이삼사오육륙칠팔구]"

RULES: Final = (
    Rule(
        "phone.mobile@1",
        "phone",
        NUMBERS,
        exact(
            rf"(?<![xX]){LEFT}(?:{_code('010')}\d{{4}}{SEP}?\d{{4}}|010/\d{{4}}/\d{{4}}"
            rf"|{_code('01[16789]')}\d{{3,4}}{SEP}?\d{{4}}){RIGHT}"
        ),
        _mobile,
        digits=10,
    ),
    Rule(
        "phone.regional@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_code(_AREA)}\d{{3,4}}{SEP}?\d{{4}}{RIGHT}"),
        _landline,
        digits=9,
    ),
    Rule(
        "phone.service@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_code(_SERVICE)}\d{{3,4}}{SEP}?\d{{4}}{RIGHT}"),
        _service,
        digits=10,
    ),
    Rule(
        "phone.representative@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_REPRESENTATIVE}{SEP}?\d{{4}}{RIGHT}"),
        _representative,
        digits=8,
    ),
    Rule(
        "phone.international@1",
        "phone",
        NUMBERS,
        exact(
            rf"{LEFT}(?:\(\+ ?82\)|\+ ?82|\(82\)|0082|82(?=[-. (])){SEP}?(?:\(0\) ?-?)?"
            rf"(?:{_code(r'0?(?:1[016789]|2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|80|50[2-9])')}"
            rf"\d{{3,4}}{SEP}?\d{{4}}|{_REPRESENTATIVE}{SEP}\d{{4}}){RIGHT}"
        ),
        _international,
        digits=10,
    ),
    Rule(
        "phone.syllables@1",
        "phone",
        rf"[공영]일[공영일육륙칠팔구]|[0０][1１]{D}[^가-힣]{{0,9}}[공영일이삼사오육륙칠팔구]",
        exact(
            rf"(?<!\d)(?:[공영]일[공영일육륙칠팔구]{SEP}?{_SYLLABLES}{{3,4}}"
            rf"|01[016789]{SEP}?(?=[0-9 .-]{{0,5}}[공영일이삼사오육륙칠팔구]){_SYLLABLES}{{3,4}})"
            rf"{SEP}?{_SYLLABLES}{{4}}(?!\d)"
        ),
        lambda _: Verdict(HIGH, ("prefix",)),
    ),
)
