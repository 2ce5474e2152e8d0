"""Numbers of payment cards and bank accounts."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii import korea
from pipeline.pii.rules.rule import (
    BLANK,
    CERTAIN,
    FAIR,
    HIGH,
    LEFT,
    LIKELY,
    NUMBERS,
    PAPER,
    RIGHT,
    SEP,
    Candidate,
    D,
    Rule,
    Verdict,
    any_width,
    exact,
    one_of,
)

_CARD: Final = re.compile(r"카드|결제|[Cc]ard|비자|마스터|아멕스|VISA|Visa|AMEX|JCB")
_PAYMENT: Final = (
    "계좌|입금|송금|예금주|이체|통장|은행|뱅크|새마을금고|우체국|신협|수협|농협|축협|저축|예치|신한"
)
_ABBREVIATED: Final = "KB|NH|IBK|SC|KDB"
_ACCOUNT: Final = re.compile(rf"{_PAYMENT}|(?<![A-Za-z])(?:{_ABBREVIATED})(?![A-Za-z])")
_BANKS: Final = one_of("""
    국민 신한 우리 하나 농협 기업 외환 산업 씨티 대구 부산 경남 광주 전북 제주 수협 신협 우체국
    카카오 카뱅 토스 토뱅 케이 케뱅 새마을 KB NH IBK SC SC제일 제일
""")
_BANK_IN_FRONT: Final = re.compile(rf"(?:{_BANKS})(?:은행|뱅크|금고)?[ :)(-]{{0,3}}$")
#: Whose account it is; `#` stands for the number.
_HOLDER: Final = re.compile(r"예금주|계좌주|명의|#[^#]{0,12}(?:받는 ?분|통장 ?주인)")
#: What is paid, and how somebody says so.
_PAID: Final = one_of(r"""
    회비 회원비 환불 환급 헌금 십일조 찬조 후원 참가비 기금 부의 조의 축의 신랑
    (?<!임)신부 혼주 정산
    더치 반반 보내_?[주줘실드면] 보낼_곳 여기로 부쳐 부치 입금 송금 선금 잔금 계약금 보증금 월세
    관리비 변상금 수강료 강사료 숙박비 지급 돈 이름 성함 대금 택배비 벌금 과외비 곗돈 \d_?원
    만_?원 천_?원 전하실 총무 상주 유족 부조
""")
_PAYING: Final = re.compile(_PAID)
#: A name behind the number, masked perhaps; and how numbers of large banks begin.
_NAMED: Final = re.compile(
    r"[ ,/(\"'“‘]{1,3}[가-힣][가-힣*○OXㅇ〇]{0,2}[가-힣*○OXㅇ〇]"
    r"(?<![은는을를에의로도만])(?![가-힣*○])"
)
_BRANCHES: Final = re.compile(
    r"(?:1[01]0|100[0125]|3333|3355|7979|35[1256]|30[12]|312|9002)\D{1,3}\d+\D{1,3}\d"
)
#: What has to be near.
_MENTIONED: Final = re.compile(rf"{_PAYMENT}|{_BANKS}|{_ABBREVIATED}|명의|계좌주|{_PAID}")
#: The same for a gate, and how the numbers of large banks begin.
_MENTIONED_GATE: Final = (
    D.join(map(any_width, _MENTIONED.pattern.replace("(?<!임)", "").split(r"\d"))).replace(
        " ?", f"{BLANK}?"
    )
    + "|"
    + any_width("110|100|3333|3355|7979|351|352|355|356|301|302|312|9002")
)
#: The number of a letter or case, whose first group has letters: 1AA-1708-...
_CODED: Final = re.compile(rf"(?<![A-Za-z])(?!(?:{_ABBREVIATED})[-_]?$)[A-Za-z]{{1,8}}[-_]?$")
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
    span, front = _account_span(candidate), candidate.before()
    beside = candidate.near(_MENTIONED, before=32, after=28) or _is_known(candidate)
    if span is None or not beside or candidate.is_reference() or candidate.is_blank:
        return None
    tail = candidate.match.group("s") == " " and re.search(r"\d $", front)
    if tail or _MONEY.match(candidate.after()) or _CODED.search(front) or PAPER.search(front):
        return None
    if _BANK_IN_FRONT.search(front):
        return Verdict(HIGH, ("context",), span)
    held = not _is_business(candidate) and _HOLDER.search(f"{front}#{candidate.after(24)}")
    known = "holder" if held else "context"
    named = held or candidate.near(_ACCOUNT, before=28, after=16)
    if not named and not _is_paid(candidate):
        return None
    if _PHONE.match(candidate.digits):
        return Verdict(FAIR, (known,), span)
    return Verdict(HIGH if known == "holder" else LIKELY, (known,), span)


def _is_business(candidate: Candidate) -> bool:
    return bool(re.fullmatch(r"\d{3}\D+\d\d\D+\d{5}", candidate.match.group()))


def _is_paid(candidate: Candidate) -> bool:
    """Tell whether digits stand where somebody is told what to pay, or whose account it is."""
    groups = re.findall(r"\d+", candidate.match.group())
    if groups[0] in ("978", "979") or candidate.is_reference(any_number=True):
        return False
    if re.fullmatch(r"(?:19|20)\d\d", groups[0]) or _is_business(candidate):
        return False
    if candidate.near(_PAYING, before=32, after=24):
        hyphens = len(groups) > 2 and " " not in candidate.match.group()
        return hyphens or bool(_NAMED.match(candidate.after()))
    return _is_known(candidate)


def _is_known(candidate: Candidate) -> bool:
    """Tell whether a name stands behind a number that begins as those of a large bank do."""
    return bool(_BRANCHES.match(candidate.match.group()) and _NAMED.match(candidate.after()))


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
        runs=exact(" 16 | 4 4 4 4 | 15 | 4 6 5 | 14 | 4 6 4 "),
    ),
    Rule(
        "bank_account.number@1",
        "bank_account",
        NUMBERS,
        exact(
            rf"{LEFT}(?:\d{{2,6}}(?P<s>{SEP}| ?[~/*:=|] ?)\d{{1,8}}(?:(?P=s)\d{{1,8}}){{0,3}}"
            rf"|\d{{10,14}}){RIGHT}"
        ),
        _account,
        _MENTIONED_GATE,
        10,
    ),
)
