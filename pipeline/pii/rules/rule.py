"""What a detection rule is, and the parts that many rules share.

A rule has two patterns. `gate` is for RE2, runs over whole columns of text as read, and is a cheap
necessary condition; `pattern` is exact and runs over folded text. Every repetition in `pattern` is
bounded, so that time grows with the length of the text and nothing else. Neither uses a word
boundary: Korean glues particles to both sides (`메일은user@naver.com으로`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from pipeline.pii.folding import spellings

# Levels of confidence. Below MINIMUM (kinds.py) a hit shows only when asked for.
CERTAIN: Final = 0.99
HIGH: Final = 0.9
LIKELY: Final = 0.75
FAIR: Final = 0.6
LOW: Final = 0.3

#: Not in the middle of a longer number, with or without separators; and not at its end.
LEFT: Final = r"(?<!\d)(?<!\d[-.,:/])"
RIGHT: Final = r"(?!\d)(?!-\d)(?!\.\d)"
#: Between the groups of a number.
SEP: Final = r"(?: ?[-.] ?| {1,2})"

# For gates: any spelling of a digit, of a blank, of what separates groups.
_DIGITS: Final = spellings("0123456789")
D: Final = f"[{_DIGITS}]"
BLANK: Final = f"[{spellings(' ')}]"
GAP: Final = f"[{spellings('-. ()')}]"


class Verdict(NamedTuple):
    """How sure a rule is of a match, what speaks for it, and where it is (None: the whole match)."""

    confidence: float
    validated: tuple[str, ...] = ()
    span: tuple[int, int] | None = None


class Found:
    """A match in folded text, with its digits and its surroundings."""

    __slots__ = ("digits", "end", "match", "start", "text")

    def __init__(self, match: re.Match[str]) -> None:
        """Take a match; its group `v`, if there is one, is the value."""
        self.match = match
        self.text = match.string
        self.start, self.end = match.span("v" if "v" in match.re.groupindex else 0)
        self.digits = "".join(filter(str.isdigit, self.text[self.start : self.end]))

    def before(self, n: int = 24) -> str:
        """Return up to `n` characters in front of the value."""
        return self.text[max(0, self.start - n) : self.start]

    def after(self, n: int = 16) -> str:
        """Return up to `n` characters behind the value."""
        return self.text[self.end : self.end + n]

    def near(self, words: re.Pattern[str], *, before: int = 24, after: int = 12) -> bool:
        """Tell whether one of the words stands in front of the value or behind it."""
        return bool(words.search(self.before(before)) or words.search(self.after(after)))

    def is_reference(self, *, any_number: bool = False) -> bool:
        """Tell whether a word right in front says that this is an order or part number or such.

        With `any_number` every `...번호` in front counts: the caller has looked for its own words.
        """
        front = self.before()
        return bool(_REFERENCE.search(front) or (any_number and _ANY_NUMBER.search(front)))


Judge = Callable[[Found], Verdict | None]


@dataclass(frozen=True)
class Rule:
    """One way in which a type of personal data is written. `judge` refuses with None."""

    id: str
    type: str
    gate: str
    pattern: re.Pattern[str]
    judge: Judge


def at_least(digits: int) -> str:
    """Return a gate: so many digits with nothing but separators, at most three, between them."""
    return f"{D}(?:{GAP}{{0,3}}{D}){{{digits - 1}}}"


#: Words that say: what follows is the number of a thing, not of a person.
_THINGS: Final = [r"주문", r"송장", r"운송장", r"택배", r"등기", r"우편", r"추적", r"조회", r"품목", r"부품", r"모델", r"제품", r"상품", r"일련", r"관리", r"접수", r"문서", r"예약", r"쿠폰", r"티켓", r"승차권", r"승인", r"허가", r"특허", r"출원", r"의안", r"사건", r"기록", r"도서", r"분류", r"청구", r"청구서", r"회원", r"수험", r"학생", r"사원", r"직원", r"시리얼", r"로트", r"참조", r"문의", r"민원", r"증서", r"인증", r"거래", r"결제", r"공고", r"입찰", r"계약", r"증권", r"정품", r"제조", r"고유", r"식별", r"참가", r"당첨", r"복권", r"추첨", r"좌석", r"발권", r"항공권", r"처리", r"요청", r"발주", r"견적", r"견적서", r"전표", r"영수증", r"국제", r"표준", r"심사", r"인가", r"고시", r"자산", r"재고", r"바코드", r"게시글", r"게시물", r"글", r"대기", r"순번", r"사서함", r"이벤트", r"경품", r"화물", r"컨테이너", r"배치", r"빌드", r"세션", r"프로젝트", r"과제", r"논문", r"판례", r"고객", r"회차", r"프로모션", r"할인", r"기프트", r"상품권", r"포인트", r"도면", r"기판", r"법인", r"법인\s?등록", r"예산", r"과목", r"연구", r"실험"]
#: Words that say so without `번호` behind them.
_NAMES: Final = ["품번", "학번", "사번", "군번", "시리얼", "운송장", "송장", "바코드", "모델명", "모델", "형번", "제번", "품명", "부품", "일련", "로트", "도면", "과목", "청구서", "견적서", "ISBN", "ISSN", "EAN", "UPC", "SKU", "IMEI", "IMSI", "UUID", "S/N", "P/N", "DOI", "[Ss]erial", "[Oo]rder", "[Tt]racking", "[Mm]odel", "[Pp]art"]
#: A particle and what else may stand between a word and the value it announces.
_JOIN: Final = r"(?:은|는|이|가|을|를|의|도|로)?[ :;=#('\"\[<-]{0,4}(?:No\.? ?)?$"
_REFERENCE: Final = re.compile(
    rf"(?:(?:{'|'.join(_THINGS)}) ?(?:번호|코드|넘버|ID|아이디|No\.?)|{'|'.join(_NAMES)}){_JOIN}"
)
_ANY_NUMBER: Final = re.compile(rf"[가-힣] ?(?:번호|코드|넘버){_JOIN}")
