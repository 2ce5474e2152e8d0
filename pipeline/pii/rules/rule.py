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

from pipeline.pii.normal import spellings

# Levels of confidence. Below MINIMUM (kinds.py) a hit shows only when asked for.
CERTAIN: Final = 0.99
HIGH: Final = 0.9
LIKELY: Final = 0.75
FAIR: Final = 0.6
LOW: Final = 0.3

#: Not in the middle of a longer number: no digit and hyphen stand beside it, and no digit and dot
#: unless hyphens part its own groups, as in `1.010-2345-6789` and in lists of numbers.
LEFT: Final = r"(?<!\d)(?<!\d-)(?:(?<!\d\.)|(?=[+(]{0,2}\d{1,6}\)? ?-))"
_AFTER_HYPHEN: Final = "|".join(rf"(?<=-\d{{{n}}})" for n in range(1, 12))
RIGHT: Final = rf"(?!\d)(?!-\d)(?:(?!\.\d)|{_AFTER_HYPHEN})"
#: Between the groups of a number.
SEP: Final = r"(?: ?[-._·] ?| {1,2})"

# For gates: any spelling of a digit, of a blank, of what separates groups.
_DIGITS: Final = spellings("0123456789")
D: Final = f"[{_DIGITS}]"
BLANK: Final = f"[{spellings(' ')}]"
GAP: Final = f"[{spellings('-._·/ ()')}]"
#: What stands for a digit in the telephone numbers that people write past a filter.
SPELLED: Final = "OoIl공영일이삼사오육륙칠팔구둘"
_SPELLED: Final = f"(?:[{spellings('0123456789' + SPELLED)}]|하나)"
#: What may stand between digits: signs and blanks, and words that are read for a hyphen.
_WIDE_GAP: Final = r"(?:[^0-9A-Za-z０-９Ａ-Ｚａ-ｚ가-힣ㄱ-ㅠㅢㅣ\n\r]|에|다시|대시|하이픈|빼기)"
#: The gate of all numbers of plain digits: seven with nothing but separators between, of which
#: this asks as little as it can. One gate for all, since it costs more to prepare a gate than to
#: try a few texts too many.
NUMBERS: Final = rf"{D}[^A-Za-z가-힣\n\r]{{6}}"
#: The gate of numbers that begin with a zero and may be spelled.
SPELLED_NUMBERS: Final = f"[{spellings('0Oo공영')}](?:{_WIDE_GAP}{{0,4}}{_SPELLED}){{3}}"


def any_width(listed: str) -> str:
    """Return a pattern for RE2 that matches letters and digits of another in any width and case."""
    return re.sub("[0-9A-Za-z]", lambda c: f"[{spellings(c[0].lower() + c[0].upper())}]", listed)


def exact(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a rule; a digit is one of ten, since folding made the others plain."""
    return re.compile(pattern, re.ASCII)


class Verdict(NamedTuple):
    """How sure a rule is of a match, what speaks for it, and where it is if not the whole match."""

    confidence: float
    validated: tuple[str, ...] = ()
    span: tuple[int, int] | None = None


class Candidate:
    """A match in folded text, with its digits and its surroundings."""

    __slots__ = ("end", "match", "start", "text")

    def __init__(self, match: re.Match[str]) -> None:
        self.match = match
        self.text = match.string
        self.start, self.end = match.span()

    @property
    def digits(self) -> str:
        """The digits of the value."""
        return "".join(filter(str.isdigit, self.text[self.start : self.end]))

    def before(self, n: int = 24) -> str:
        """Return up to `n` characters in front of the value."""
        return self.text[max(0, self.start - n) : self.start]

    def after(self, n: int = 16) -> str:
        """Return up to `n` characters behind the value."""
        return self.text[self.end : self.end + n]

    def near(self, words: re.Pattern[str], *, before: int = 24, after: int = 12) -> bool:
        """Tell whether one of the words is in front of the value or behind it."""
        return bool(words.search(self.before(before)) or words.search(self.after(after)))

    @property
    def is_blank(self) -> bool:
        """Whether the digits only show a form: seven zeros at the end, or one digit throughout."""
        digits = self.digits
        return digits.endswith("0000000") or len(set(digits)) == 1

    def is_reference(self, *, any_number: bool = False) -> bool:
        """Tell whether a word right in front says that this is an order or part number or such.

        With `any_number` every `...번호` in front counts: the caller has looked for its own words.
        """
        front = self.before()
        return bool(_REFERENCE.search(front) or (any_number and _ANY_NUMBER.search(front)))


Judge = Callable[[Candidate], Verdict | None]


@dataclass(frozen=True)
class Rule:
    """One way in which a type of personal data is written. `judge` refuses with None.

    `front` is a second gate, for texts that passed the first: words that have to be somewhere.
    A text is not searched that has fewer than `digits` digits, or no `heads` in its digits put
    together, or no `runs` in the lengths of its runs of digits (` 3 2 5 ` for 123-45-67890).
    """

    id: str
    type: str
    gate: str
    pattern: re.Pattern[str]
    judge: Judge
    front: str = ""
    digits: int = 0
    heads: re.Pattern[str] | None = None
    runs: re.Pattern[str] | None = None


def words(listed: str) -> frozenset[str]:
    """Return the set of the words in a list with blanks between."""
    return frozenset(listed.split())


def one_of(listed: str) -> str:
    """Return a pattern of the words in a list with blanks between; `_` stands for a blank."""
    return "|".join(word.replace("_", " ?") for word in listed.split())


#: Words that say, with `번호` or such behind them: the number of a thing, not of a person.
_THINGS: Final = one_of("""
    주문 송장 운송장 택배 등기 우편 추적 조회 품목 부품 모델 제품 상품 일련 관리 접수 문서 예약
    쿠폰 티켓 승차권 승인 허가 특허 특허_등록 출원 의안 사건 기록 도서 분류 청구 청구서 회원 수험
    학생 사원 직원 시리얼 로트 참조 문의 민원 증서 인증 거래 결제 공고 입찰 계약 증권 정품 제조
    고유 식별 참가 당첨 복권 추첨 좌석 발권 항공권 처리 요청 발주 견적 견적서 전표 영수증 국제
    표준 심사 인가 고시 자산 재고 바코드 게시글 게시물 글 대기 순번 사서함 이벤트 경품 화물
    컨테이너 배치 빌드 세션 프로젝트 과제 논문 판례 고객 회차 프로모션 할인 기프트 상품권 포인트
    도면 기판 법인 법인_등록 예산 과목 연구 실험
""")
#: Words that say so alone.
_NAMES: Final = one_of("""
    품번 학번 사번 군번 시리얼 운송장 송장 바코드 모델명 모델 형번 제번 품명 부품 일련 로트 도면
    과목 청구서 견적서 명세서 ISBN ISSN EAN UPC SKU IMEI IMSI UUID S/N P/N DOI [Ss]erial [Oo]rder
    [Tt]racking [Mm]odel [Pp]art
""")
#: A particle and what else may stand between a word and the value it announces.
_JOIN: Final = r"(?:은|는|이|가|을|를|의|도|로)?[ :;=#('\"\[<-]{0,4}(?:No\.? ?)?$"
_REFERENCE: Final = re.compile(
    rf"(?:(?:{_THINGS}) ?(?:번호|코드|넘버|ID|아이디|No\.?)|{_NAMES}){_JOIN}"
)
#: Papers whose numbers are written right behind.
_PAPERS: Final = one_of("""
    주문 등기 택배 송장 구매 접수 청구 사건 신고 문서 계약 입찰 청원 민원 공고 보증서 보증_번호
    멤버십 멤버쉽 포인트 쿠폰 렌탈 승인 허가 특허 출원 의안 증권 발주 견적 전표
""")
#: A number right behind one of them is theirs, whatever its form.
PAPER: Final = re.compile(rf"(?:{_PAPERS}){_JOIN}")
_ANY_NUMBER: Final = re.compile(
    rf"(?:[가-힣] ?(?:번호|코드|넘버)|{_PAPERS}|영수증|로그|예약|좌석){_JOIN}"
)
