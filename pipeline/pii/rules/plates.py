"""Vehicle plates, with and without the region."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.places import METROPOLITAN, PROVINCES
from pipeline.pii.rules.rule import (
    BLANK,
    FAIR,
    GAP,
    HIGH,
    LIKELY,
    LOW,
    D,
    Found,
    Rule,
    Verdict,
    exact,
    one_of,
)

_USE: Final = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호"
#: Hangul that is also a unit or a counter after a number (12조 5000, 20도 1000): needs a word.
_COUNTERS: Final = frozenset("조주도호수부자로보무가다바사")
_VEHICLE: Final = re.compile(
    one_of("""
    차량 번호판 차_번호 승용차 트럭 택시 화물 렌터 차주 주차 차가 차는 차를 자동차 버스 오토바이
    SUV 승합 견인 블랙박스 블박 뺑소니 운전 끼어들 경적 음주 전기차 과속 신호_위반
    (?<![가-힣])차(?![가-힣])
""")
)
#: Numbers of court cases have the form of old plates: 98다1234.
_COURT: Final = re.compile(
    one_of("""
    판결 판례 대법원 법원 선고 헌재 헌법 사건 재판 소송 결정 지법 고법 원고 피고
""")
)
_REGION: Final = "|".join([*METROPOLITAN, *PROVINCES])
_UNITS: Final = one_of("""
    억 만 천 원 명 개 년 월 m(?![A-Za-z]) km kg 여 위 달러 점 회 건 장 석 톤 배 부(?![가-힣]) W
    ㎾ kW kcal 걸음 득점 실점 번길 호실 세대 %
""")
_QUANTITY: Final = re.compile(rf" ?(?:{_UNITS})")
_TIME: Final = re.compile(r"[시분년월일제] ?$")


def _plate(found: Found) -> Verdict | None:
    if found.match.group("region"):
        return Verdict(HIGH, ("region",))
    if _QUANTITY.match(found.after()) or found.is_reference() or found.near(_COURT, before=16):
        return None
    if found.near(_VEHICLE):
        return Verdict(HIGH, ("context",))
    if _TIME.search(found.before(2)):
        return None
    if " " not in found.match.group():
        return Verdict(LIKELY)
    return Verdict(LOW if found.match.group("use") in _COUNTERS else FAIR)


RULES: Final = (
    Rule(
        "vehicle_plate.number@1",
        "vehicle_plate",
        rf"{D}{BLANK}?[가-힣]{GAP}{{0,2}}{D}{{4}}",
        exact(
            rf"(?:(?P<region>{_REGION}) ?|(?<!\d)(?<!\d[.-]))"
            rf"(?P<front>\d{{2,3}}) ?(?P<use>[{_USE}])[ -]?\d{{4}}(?!\d)(?![-.,]\d)"
        ),
        _plate,
    ),
)
