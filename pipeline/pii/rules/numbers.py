"""Numbers of telephones, payment cards and bank accounts.

Telephone numbers are mobile, regional, Internet and safe ones, representative ones, and +82.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii import korea
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
    one_of,
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

_CARD: Final = re.compile(r"카드|결제|[Cc]ard|비자|마스터|아멕스|VISA|Visa|AMEX|JCB")
_ACCOUNT: Final = re.compile(
    r"계좌|입금|송금|예금주|이체|통장|은행|뱅크|새마을금고|우체국|신협|수협|농협|축협|저축|예치|국민|신한"
    r"|(?<![A-Za-z])(?:KB|NH|IBK|SC|KDB)(?![A-Za-z])"
)
_BANKS: Final = one_of("""
    국민 신한 우리 하나 농협 기업 외환 산업 씨티 대구 부산 경남 광주 전북 제주 수협 신협 우체국
    카카오 카뱅 토스 토뱅 케이 케뱅 새마을 KB NH IBK SC SC제일 제일
""")
_BANK_IN_FRONT: Final = re.compile(rf"(?:{_BANKS})(?:은행|뱅크|금고)?[ :)(-]{{0,3}}$")
_YEARS: Final = re.compile(r"(?:(?:19|20)\d{2}){4}")
_MONEY: Final = re.compile(r"원|달러|명|개|건|억|만|천|여| (?:원|달러|명|개|건)(?![가-힣])")
_PHONE: Final = re.compile(r"^(?:01[016789]|02|0[3-6][1-5]|070|080|050\d)")


def _card(candidate: Candidate) -> Verdict | None:
    named = candidate.near(_CARD)
    if not named and (candidate.is_reference() or _YEARS.fullmatch(candidate.digits)):
        return None
    known = (("luhn",) if korea.is_luhn(candidate.digits) else ()) + (("context",) if named else ())
    if "luhn" not in known:
        return Verdict(FAIR, known) if named else None
    if candidate.digits[0] not in "234569":
        return Verdict(FAIR, known) if named else None
    if candidate.match.group().isdigit():
        return Verdict(HIGH if named else LIKELY, known)
    return Verdict(CERTAIN, known)


def _account(candidate: Candidate) -> Verdict | None:
    """Judge 10 to 14 digits: a bank account is one only beside a bank or a word of payment."""
    span = _account_span(candidate)
    if span is None or _MONEY.match(candidate.after()) or candidate.is_reference():
        return None
    if _BANK_IN_FRONT.search(candidate.before()):
        return Verdict(HIGH, ("context",), span)
    if not candidate.near(_ACCOUNT, before=28, after=16):
        return None
    return Verdict(FAIR if _PHONE.match(candidate.digits) else LIKELY, ("context",), span)


def _account_span(candidate: Candidate) -> tuple[int, int] | None:
    """Return the groups that make 10 to 14 digits; what follows with a blank is another number."""
    value, digits, end = candidate.match.group(), 0, None
    for group in re.finditer(r"\d+", value):
        digits += group.end() - group.start()
        if digits > 14:
            break
        end = candidate.start + group.end() if digits >= 10 else None
    whole = end == candidate.end or candidate.match.group("s") == " "
    return (candidate.start, end) if end is not None and whole else None


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
    Rule(
        "card.number@1",
        "card",
        NUMBERS,
        exact(
            rf"{LEFT}(?:\d{{4}}(?P<a>{SEP}|)\d{{4}}(?P=a)\d{{4}}(?P=a)\d{{4}}"
            rf"|3[47]\d{{2}}(?P<b>{SEP}|)\d{{6}}(?P=b)\d{{5}}"
            rf"|3(?:0[0-5]|[689]\d)\d(?P<c>{SEP}|)\d{{6}}(?P=c)\d{{4}}){RIGHT}"
        ),
        _card,
        digits=14,
    ),
    Rule(
        "bank_account.number@1",
        "bank_account",
        NUMBERS,
        exact(
            rf"{LEFT}(?:\d{{2,6}}(?P<s>{SEP})\d{{1,8}}(?:(?P=s)\d{{1,8}}){{0,3}}|\d{{10,14}}){RIGHT}"
        ),
        _account,
        digits=10,
    ),
)
