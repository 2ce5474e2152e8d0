"""Numbers of telephones: mobile, regional, Internet, safe, representative ones, and +82.

Also as people write them to be read by people only: with letters or Hangul for digits, digits set
apart, without the leading zero, without the area code.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.normal import spellings, spoken_digit
from pipeline.pii.rules.rule import (
    BLANK,
    CERTAIN,
    FAIR,
    HIGH,
    LEFT,
    LIKELY,
    LOW,
    NUMBERS,
    RIGHT,
    SPELLED,
    SPELLED_NUMBERS,
    Candidate,
    Judge,
    Rule,
    Verdict,
    any_width,
    exact,
)

_AREA: Final = r"0(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4])"
_SERVICE: Final = r"0(?:[678]0|50[2-9]|303)"
_REPRESENTATIVE: Final = (
    r"1(?:5(?:22|33|44|66|77|88|99)|6(?:00|11|22|33|4[3-4]|55|6[0-1]|66|68|70|77|88|99|80)"
    r"|8(?:00|11|22|33|44|55|66|77|88|99))"
)
#: Between the groups of a telephone number: signs that do not belong to quantities or quotations.
_SEP: Final = r"(?: ?[^0-9A-Za-z가-힣ㄱ-ㅣ\s,+%&?!\"'<>()\[\]{}]{1,2} ?| {1,3})"
#: And of one that nothing else looks like.
_ANY: Final = r"[^0-9A-Za-z가-힣ㄱ-ㅣ\n\r]"
_OPEN: Final = r"[(\[{<「『【〔《〈≪]"
_CLOSE: Final = r"[)\]}>」』】〕》〉≫]"
_WORDS: Final = re.compile(
    r"전화|연락|문의|대표|고객|상담|콜|접수|신고|예약|팩스|휴대|핸드폰|폰|번호|문자|통화|모바일|핸펀|☎|📞|☏|[Tt][Ee][Ll]|[Ff][Aa][Xx]"
    r"|[Pp]hone|[Mm]obile|(?<![A-Za-z])[TFMHPC][.:)]"
)
_UNITS: Final = re.compile(r" ?(?:년|월|원|명|개|억|만|천|여|건|장|쪽|페이지|km|kg|m(?![A-Za-z]))")


def _code(code: str) -> str:
    """Return a pattern of a code that may stand in brackets, with what follows it."""
    return rf"(?:{_OPEN} ?{code} ?{_CLOSE} ?-? ?|{code}\) ?|{code}{_SEP}?)"


def _without_bracket(judge: Judge) -> Judge:
    """Leave an opening bracket to the sentence where the sentence closes it: 전화(02)123-4567)."""

    def bounded(candidate: Candidate) -> Verdict | None:
        verdict = judge(candidate)
        ends = candidate.match.group()[0] + candidate.after(1)
        if verdict is None or not re.fullmatch(_OPEN + _CLOSE, ends):
            return verdict
        return verdict._replace(span=(candidate.start + 1, candidate.end))

    return bounded


@_without_bracket
def _mobile(candidate: Candidate) -> Verdict | None:
    bare = candidate.match.group().isdigit()
    if candidate.is_reference() or candidate.is_blank:
        return None
    return Verdict(HIGH if bare else CERTAIN, ("prefix",))


@_without_bracket
def _landline(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference() or candidate.is_blank or _UNITS.match(candidate.after()):
        return None
    known = ("prefix", "context") if candidate.near(_WORDS) else ("prefix",)
    if candidate.match.group().isdigit() or re.fullmatch(r"\d{5,6}-\d{4}", candidate.match.group()):
        return Verdict(LIKELY if len(known) == 2 else LOW, known)  # 02110-1301 is in Boston
    return Verdict(HIGH if len(known) == 2 or "-" in candidate.match.group() else LIKELY, known)


@_without_bracket
def _service(candidate: Candidate) -> Verdict | None:
    if candidate.is_reference() or candidate.is_blank:
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
    if not candidate.match.group().startswith("8"):
        return Verdict(CERTAIN, ("prefix",))
    return Verdict(HIGH if candidate.near(_WORDS) else LIKELY, ("prefix",))


#: What tells that digits without an area code, or without their zero, are a telephone number.
_CALL: Final = (
    r"(?:전화|연락처?|문의처?|휴대|폰|콜|팩스|전번|모바일|핸펀|[☎📞☏📱℡✆]|[Tt][Ee][Ll]|[Ff][Aa][Xx]|[Pp]hone"
    r"|[Mm]obile|[Cc]all|(?<![A-Za-z])(?:[TFMP](?=[.:) ])|H\.?P|C\.?P))"
)
_JOINED: Final = (
    r"(?: ?번호| ?[Nn][Oo])?(?: ?[란칸])?(?:은|는|이|가|을|를|에|로|로는)?[ .:;=/|)(\]\"'-]{0,4}$"
)
_ASKED: Final = re.compile(rf"{_CALL}|대표|고객|상담|신고|예약|문자|통화")
_CALLED: Final = re.compile(_CALL + _JOINED)
#: The same with other words between, for digits that have the form of such a number.
_ABOUT: Final = re.compile(
    rf"{_CALL}(?!.*(?:기호|요금|금액|가격|모델|코드|재고))[^0-9.!?\n]{{0,12}}$"
)
_CALL_BEHIND: Final = re.compile(r"[ (]{0,2}번?(?:으?로|에)? ?(?:전화|연락|문의)")
_ASKED_BEHIND: Final = re.compile(
    r"[ (,]{0,2}(?:번?(?:으?로|에)? ?|[가-힣]{2,6}(?:으?로|에게|께|에) )"
    r"(?:전화|연락|문의|통화|예약|상담)"
)
_MOBILE_FORM: Final = re.compile(r"10( ?[-.~] ?)\d{4}\1\d{4}|10 ?-.*")
_DESK: Final = re.compile(
    r"(?:직통|예약|대표|상담|신고|배달|교환|접수|안내|포장|대여|출장|민원|신청|[무관리민원비]실"
    rf"|사무[소국]|센터|매장|지점|본점|대리점)(?:{_JOINED[:-1]})$"
    r"|(?:집|가게|매장|식당|회사|병원|약국|학교) ?번호는? ?$"
)
#: Numbers of telephones in front of another: 전화 977-1371 또는.
_SIBLINGS: Final = re.compile(
    r"(?:(?:0\d{1,2}[-) ]{1,2})?\d{3,4}[- ]\d{4} ?(?:또는|혹은|이나|나|및|와|과|[,/·~&]|) ?){1,3}$"
)
_OTHERS: Final = re.compile(
    r"[호동쪽장조항ㄱ-ㅎ]|번지|년|월|원|명|개|억|만|천|여|건|페이지|km|kg|m(?![A-Za-z])"
)
_YEARS: Final = re.compile(r"(?:19|20)\d{2}(?:(?:19|20)\d{2}|(?:0\d|1[0-2])[0-3]\d)")


def _announced(candidate: Candidate) -> Verdict | None:
    """Judge digits that are a telephone number only where the words beside them say so."""
    value = candidate.match.group()
    front = _SIBLINGS.sub("", candidate.before(48))[-20:]
    other = _OTHERS.match(candidate.after()) or _YEARS.fullmatch(candidate.digits)
    if other or candidate.is_reference() or candidate.is_blank:
        return None
    if _CALLED.search(front) or _CALL_BEHIND.match(candidate.after()):
        return Verdict(HIGH, ("context",))
    grouped = len(re.findall(r"\d+", value))
    if grouped == 3 and candidate.near(_WORDS if value.startswith("10") else _ASKED):
        return Verdict(HIGH, ("context",))
    if grouped == 2 and "-" in value:
        about = _ABOUT.search(front) or _ASKED_BEHIND.match(candidate.after())
        if about or _DESK.search(front):
            return Verdict(LIKELY, ("context",))
    if len(value) == 10 and value.startswith("10") and _ABOUT.search(front):
        return Verdict(LIKELY, ("context",))
    return Verdict(FAIR) if _MOBILE_FORM.fullmatch(value) else None


_ONE: Final = f"(?:[0-9{SPELLED}]|하나)"
_ZERO: Final = "[0Oo공영]"
_APART: Final = r"(?: ?[-._·~*/:=,()]{1,2} ?| {1,2}|에 ?| ?(?:다시|대시|하이픈|빼기) ?)"
_HANGUL: Final = "(?:[공영일이둘삼사오육륙칠팔구]|하나)"
#: Between single digits.
_SPLIT: Final = r"(?: ?[^0-9A-Za-z가-힣ㄱ-ㅣ\s()\[\]]{1,2} ?| {1,3})"
#: Area and mobile codes, however spelled.
_CODES: Final = (
    rf"{_ZERO}(?:(?:[1Il일]|하나){_ONE}|[2이둘]|[3-6삼사오육륙][1-5Il일이둘삼사오]|[7칠]{_ZERO})"
)
_SHAPE: Final = re.compile(r"0(?:10\d{8}|(?:1[16-9]|2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70)\d{7,8})")


def _spelled(candidate: Candidate) -> Verdict | None:
    """Judge digits that are spelled or set apart by the number that they make."""
    value = candidate.match.group()
    digits = "".join(map(spoken_digit, value))
    plain = not re.search(f"[{SPELLED}하]", value)
    if not _SHAPE.fullmatch(digits) or set(digits) <= {"0", "1"} or candidate.is_reference():
        return None
    if plain and (candidate.match.group("apart") is None or digits[1] != "1"):
        return None  # the rules above know these, and single digits make all kinds of rows
    return Verdict(HIGH, ("prefix",))


#: What `_announced` cannot do without.
_WORDS_GATE: Final = (
    "전화|연락|문의|대표|고객|상담|콜|접수|신고|예약|팩스|휴대|폰|번호|직통|배달|교환|[무관리민원비]실|전번|통화|안내|포장|대여|출장|신청|민원|사무[소국]|센터|매장|지점|본점|대리점|[☎📞☏📱℡✆]|"
    + any_width("tel|fax|phone|mobile|call|hp|cp")
    + f"|문자|[1１][0０]{BLANK}?[{spellings('-.~')}]|[TFMHPCＴＦＭＨＰＣ][{spellings('.:) ')}]"
)

RULES: Final = (
    Rule(
        "phone.mobile@1",
        "phone",
        NUMBERS,
        exact(
            rf"(?<![xX]){LEFT}(?:(?:{_code('010')}|010{_ANY}{{0,3}})\d{{4}}{_ANY}{{0,3}}\d{{4}}"
            rf"|010(?:{_ANY}{{0,2}}\d){{8}}|{_code('01[16789]')}\d{{3,4}}{_SEP}?\d{{4}}){RIGHT}"
        ),
        _mobile,
        digits=10,
        heads=exact("01"),
    ),
    Rule(
        "phone.regional@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_code(_AREA)}\d{{3,4}}{_SEP}?\d{{4}}{RIGHT}"),
        _landline,
        digits=9,
        heads=exact("02|03|04|05|06"),
    ),
    Rule(
        "phone.service@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_code(_SERVICE)}\d{{3,4}}{_SEP}?\d{{4}}{RIGHT}"),
        _service,
        digits=10,
        heads=exact("03|05|06|07|08"),
    ),
    Rule(
        "phone.representative@1",
        "phone",
        NUMBERS,
        exact(rf"{LEFT}{_REPRESENTATIVE}{_SEP}?\d{{4}}{RIGHT}"),
        _representative,
        digits=8,
        heads=exact("15|16|18"),
        runs=exact(" 8 | 4 4 "),
    ),
    Rule(
        "phone.international@1",
        "phone",
        NUMBERS,
        exact(
            rf"{LEFT}(?:{_OPEN}\+? ?82 ?{_CLOSE}|\+ ?\(?82\)?|00(?:\d{{0,3}}-)?82|82\)"
            rf"|82(?=[-. (_~/]|010-|10-?\d{{4}}-?\d{{4}})){_SEP}?(?:\(0\) ?-?)?"
            rf"(?:{_code(r'0?(?:1[016789]|2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|80|50[2-9])')}"
            rf"\d{{3,4}}{_SEP}?\d{{4}}|{_REPRESENTATIVE}{_SEP}\d{{4}}){RIGHT}"
        ),
        _international,
        digits=10,
        heads=exact("82"),
    ),
    Rule(
        "phone.local@1",
        "phone",
        NUMBERS,
        exact(rf"(?<![A-Za-z]){LEFT}[2-9]\d{{2,3}}(?: ?[-.)~·] ?| )?\d{{4}}{RIGHT}"),
        _announced,
        _WORDS_GATE,
        7,
        runs=exact(" 7 | 8 | 3 4 | 4 4 "),
    ),
    Rule(
        "phone.lost_zero@1",
        "phone",
        NUMBERS,
        exact(
            rf"(?<![A-Za-z])(?<!82)(?<!82[-. )]){LEFT}"
            rf"(?:(?:10{_SEP}?|{_OPEN}?10{_CLOSE} ?)\d{{4}}{_SEP}?\d{{4}}"
            rf"|(?:[3-6][1-5]|70|80|50[2-9]|1[16-9]){_SEP}?\d{{3,4}}{_SEP}\d{{4}}"
            rf"|2{_SEP}\d{{3,4}}{_SEP}\d{{4}}"
            rf"|{_OPEN}?(?:[3-6][1-5]|70|2){_CLOSE} ?\d{{3,4}}{_SEP}\d{{4}}"
            rf"|(?:(?:[3-6][1-5]|70|2(?=\d{{8}})){_SEP}?|2{_SEP})\d{{7,8}}){RIGHT}"
        ),
        _announced,
        _WORDS_GATE,
        8,
    ),
    Rule(
        "phone.syllables@2",
        "phone",
        SPELLED_NUMBERS,
        exact(
            rf"(?<![0-9A-Za-z])(?<![0-9][-.])(?:{_CODES}{_APART}?{_ONE}{{3,4}}{_APART}?{_ONE}{{4}}"
            rf"|(?P<apart>{_ZERO}(?:{_SPLIT}{_ONE}){{8,10}})"
            rf"|{_HANGUL}(?:{_APART}?{_HANGUL}){{8,10}})"
            rf"(?![0-9A-Za-z공영일삼사오육륙칠팔구둘]|이[0-9공영일이삼사오육륙칠팔구])"
        ),
        _spelled,
    ),
)
