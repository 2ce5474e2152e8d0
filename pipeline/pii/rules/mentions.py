"""Mentions of accounts: @gildong."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.rules.rule import HIGH, LIKELY, Found, Rule, Verdict, one_of
from pipeline.pii.rules.web import ENDINGS

#: Annotations of programming languages and words that call everybody; no accounts.
_NOT_ACCOUNTS: Final = frozenset(
    one_of("""
    abstractmethod after afterall aftereach all app apply article author autowired bean before
    beforeall beforeeach book builder cached_property channel charset classmethod column
    component configuration controller data dataclass deletemapping deprecated disabled end
    entity everyone extend final font-face foreach forward functools fxml getmapping getter here
    id ignore implementation import include inject injectable inproceedings input interface
    jvmstatic keyframes layer lru_cache media misc mixin mock ngmodule nonnull notnull nullable
    optional output overload override page param params pathvariable postmapping property
    putmapping pytest repository requestbody requestmapping responsebody restcontroller return
    returns see selector service setter since slf4j springbootapplication staticmethod supports
    suppresswarnings synthesize table tailwind test throws todo transactional use value version
    viewchild wraps
    """).split("|")
)
#: Words that stand for a name where somebody tells how to write one.
_PLACEHOLDERS: Final = frozenset(
    ["아이디", "닉네임", "이름", "계정", "사용자", "상대방", "친구", "멘션", "태그"]
)
_PROGRAMMING: Final = re.compile(
    one_of("""
    애너테이션 어노테이션 데코레이터 변수 함수 매크로 코틀린 자바 파이썬 루비 PHP 스프링 CSS 엑셀
    수식 글꼴 지시자 지시어 의존성 패키지 클래스 메서드 메소드 컴파일 스크립트 참고_문헌 항목
    키워드 문법 표_계산 템플릿 반복문 조건문 SQL Java Python
""")
)
#: What follows a name in code, and never an account: a call, a scope, a mask, a range, a value.
_CODE: Final = re.compile(r"[(/*:-][^\s)]| ?=|[*]")
_QUOTED: Final = re.compile(r"[^@]{0,24}(?<![\s님,(])@")
_HONORIFIC: Final = re.compile(
    r"(?:님[가-힣]{0,4}|씨(?:가|는|를|의|도|에게)?|에게|한테|께서|이랑|에서|으로|입니다)$"
)


def _mention(found: Found) -> Verdict | None:
    handle = found.match.group()[1:].rstrip("._")
    behind = found.text[found.start + 1 + len(handle) :][:4]
    if _CODE.match(behind) or _PROGRAMMING.search(found.before(20) + " " + found.after(16)):
        return None
    if "가" <= handle[0] <= "힣":
        return _korean_mention(found, handle)
    word = handle.lower()
    if word.split(".")[0] in _NOT_ACCOUNTS or not any(c.isalpha() for c in word):
        return None
    if len(handle) < 2 or re.search(rf"\.(?:{ENDINGS})$", word):
        return None
    return Verdict(HIGH, (), (found.start, found.start + 1 + len(handle)))


def _korean_mention(found: Found, handle: str) -> Verdict | None:
    own = _HONORIFIC.sub("", handle)
    quoted = _QUOTED.match(found.after(28))  # @...@ is how some people set words apart
    if len(own) < 2 or own in _PLACEHOLDERS or quoted or re.search("[가-힣]$", found.before(1)):
        return None
    return Verdict(LIKELY, (), (found.start, found.start + 1 + len(own)))


RULES: Final = (
    Rule(
        "mention.handle@1",
        "mention",
        r"[@＠﹫][A-Za-z0-9_Ａ-Ｚａ-ｚ０-９가-힣]",
        re.compile(
            r"(?<![A-Za-z0-9._%+@/℃-])@(?:[A-Za-z0-9_][A-Za-z0-9_.]{1,29}"
            r"|[가-힣][가-힣A-Za-z0-9_]{1,19})"
        ),
        _mention,
    ),
)
