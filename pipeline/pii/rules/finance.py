"""Payment cards and bank accounts."""

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
    NUMBERS,
    RIGHT,
    SEP,
    Candidate,
    Rule,
    Verdict,
    exact,
    one_of,
)

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
