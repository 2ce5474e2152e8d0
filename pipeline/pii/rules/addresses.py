"""Street addresses with a region in front, by road name and by lot number.

The number of a house is candidate first; the administrative units in front of it decide.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.korea import DISTRICTS, SPELLINGS, STEMS
from pipeline.pii.rules.rule import (
    BLANK,
    HIGH,
    LIKELY,
    Candidate,
    D,
    Rule,
    Verdict,
    exact,
    one_of,
    words,
)

NUMBER: Final = r"\d{1,5}(?:-\d{1,4})?(?!\d)(?!-\d)"
#: A year, where no hyphen or 번지 makes it the number of a lot.
_NO_YEAR: Final = r"(?!(?:19|20)\d\d(?![-\d]| ?번지))"
_PARTICLES: Final = one_of("에 에서 에게 으로 로 은 는 이 가 을 를 의 과 와 도 까지 부터 입니다")
#: The end of a word, or a particle.
_END: Final = rf"(?:(?![가-힣])|(?=(?:{_PARTICLES})(?![가-힣])))"
_FLOOR: Final = r"\d{1,2}(?:층(?![가-힣]수)|[Ff](?![A-Za-z]))"
#: Block, floor and flat, and the legal dong in brackets.
DETAIL: Final = (
    rf"(?:,? ?(?:제 ?)?(?:\d{{1,4}}|[A-Z가나다라마])동{_END})?"
    rf"(?:,? ?(?:지하 ?|B)?{_FLOOR}|,? B\d(?!\d))?(?:,? ?(?:제 ?)?[A-Z]?\d{{1,5}}호(?!선|기|점))?"
    r"(?: ?\([가-힣]{1,8}\d{0,2}(?:동|가|리|로)\))?"
)
#: A lone block, as in `101동 1203호`, counts only with the flat behind it.
FLAT: Final = r"(?:,? ?(?:제 ?)?\d{1,4}동,? ?(?:제 ?)?\d{1,5}호)?"
#: What makes a number a quantity or a line rather than that of a house: always ...
_UNITS: Final = one_of(r"""
    년 월 시간 분[_만동정안에간] 명 개 원 호선 km 킬로 미터 m(?![A-Za-z]) % 퍼센트 번째 배 마리
    마일 장 곡 편 권 점 살 인분 박 일(?:간|에|까지|부터|동안|째|\s) 만 억 조원 천 백 여 초 단계
    번(?!지) kg g(?![A-Za-z]) ℃ 대\s\d :\s?\d 차로 차선 가닥 가지 건 쪽 칸 학년 교시 승 패 골
    득점 구역 선(?![가-힣]) ㎞ ㎡ [~∼] mm cm (?<=\D\d)가 주(?:간|째|년)
    세기 시[에까부] 층 경기 연승 연패 평 배속 \.\d ,\d{3}
""")
#: ... and where no other syllable follows.
_LONE_UNITS: Final = "[분위회대세도등차부반기시호종집]"
QUANTITY: Final = rf"(?!{_UNITS}|{_LONE_UNITS}(?![가-힣])| (?:{_UNITS}|{_LONE_UNITS})(?![가-힣]))"
_ROAD: Final = (
    r"(?P<road>[가-힣A-Za-z0-9·.]{1,13}(?:대로|로|길)"
    r"(?: ?\d{1,4}[가나다라마바사]?(?:번[가나다라]?길|길))?)"
)
_PROVINCE: Final = "|".join(SPELLINGS)
_DISTRICT: Final = "|".join(DISTRICTS)
_STEM: Final = "|".join(STEMS)
_OWN: Final = rf"(?:{_PROVINCE}|{_DISTRICT})[가이]"
_AREA: Final = r"[가-힣]{1,6}\d{0,2}(?:읍|면|동|리|가)"
#: Administrative units that end where the road or the legal dong begins.
REGION: Final = re.compile(
    rf"(?:(?<!휴)(?:{_PROVINCE}) ?(?:(?:{_DISTRICT}|[가-힣]{{1,4}}(?:시|군|구)|{_STEM}) ?){{0,3}}"
    rf"|(?<![가-힣])(?:{_DISTRICT}) ?(?:(?:{_DISTRICT}) ?)?)(?:{_AREA} ?){{0,2}}$"
)
#: The same, written together with the road or the legal dong.
_GLUED: Final = re.compile(
    rf"(?:(?:{_PROVINCE})(?:{_DISTRICT}|{_STEM}){{1,3}}|(?<![가-힣])(?:{_DISTRICT}){{1,2}}"
    rf"|(?<![가-힣])(?:{_PROVINCE}))(?:{_AREA})??(?=[가-힣])"
)
_WORDS: Final = one_of("""
    주소 주소지 배송지 도착지 거주지 소재지 본점 본사 자택 도로명 살던_곳 사는_곳 사업장 근무지
    집 발송지 수령지 반품지 현장 만날_곳 장소 매물 위치 받는_곳 받을_곳 받으실_곳 보내는_곳
    보내실_곳 보낼_곳 오시는_길 오는_길 가는_길 매장 가게 식당 출발지 목적지 주소록 계신_곳
""")
#: Words that announce an address of a road and a number only.
_ANNOUNCED: Final = re.compile(rf"(?:{_WORDS})(?:은|는|이|가|을|를|도)? ?[:=]? ?[\"'(\[]?$")
#: Words that end like a road and are none.
_NOT_ROADS: Final = words("""
        새로 바로 서로 따로 별로 가로 세로 홀로 절로 주로 때로 대체로 함부로 제멋대로 이대로
        그대로 저대로 마음대로 멋대로 뜻대로 도로 철로 선로 진로 항로 수로 통로 미로 경로 회로
        활주로 용광로 난로 실로 스스로 최대로 최소로 실제로 진짜로 정말로 반대로 차례로 추가로
        하나로 둘로 셋으로 대로 맘대로 제대로 예정대로 갈래길 갈림길 길 비탈길 지름길 하굣길
        등굣길 출근길 퇴근길 귀갓길 귀성길
    """)
_NOT_ROAD_ENDS: Final = re.compile(r"(?:으로|고속도로|간도로|철로|전화로|전용도로|순환도로)$")


def _address(candidate: Candidate) -> Verdict | None:
    """Judge a road or legal dong with a number by what stands in front of it."""
    road = candidate.match.groupdict().get("road")
    front = candidate.before(48)
    region = REGION.search(front)
    if re.fullmatch(_OWN, candidate.match.groupdict().get("area") or ""):
        return None  # 남구가 132 mm
    if region is not None:
        return _located(candidate, region.start() - len(front), road)
    name = road if road is not None else candidate.match.group("area")
    front = candidate.before(30)
    for units in _GLUED.finditer(front + name):
        rest = (front + name)[units.end() :]
        if units.end() > len(front) and rest != "로" and " " not in rest.split("길")[0]:
            return _located(
                candidate, units.start() - len(front), rest if road is not None else None
            )
    if road is not None and not is_word(road) and _ANNOUNCED.search(front):
        return Verdict(LIKELY, ("context",))
    return None


def _located(candidate: Candidate, offset: int, road: str | None) -> Verdict | None:
    """Return the hit that begins `offset` code points from the road, unless that is no road."""
    if road is not None and is_word(road):
        return None
    return Verdict(HIGH, ("region",), (candidate.start + offset, candidate.end))


def is_word(road: str) -> bool:
    name = road.split(" ", maxsplit=1)[0]
    return name in _NOT_ROADS or bool(_NOT_ROAD_ENDS.search(name))


#: What an address cannot be without, looked for in survivors only: `으로 10` is everywhere.
_FRONT: Final = "|".join(
    ["[시군구]", *sorted({name[:2] for name in SPELLINGS}), _WORDS.replace(" ", BLANK)]
)
GATE: Final = rf"(?:로|길|동|리|가|읍|면){BLANK}?(?:(?:산|지하){BLANK}?)?{D}"

RULES: Final = (
    Rule(
        "address.road@1",
        "address",
        GATE,
        exact(rf"{_ROAD} ?(?:지하 ?)?{NUMBER}{QUANTITY}(?:번지)?{DETAIL}"),
        _address,
        _FRONT,
    ),
    Rule(
        "address.lot@1",
        "address",
        GATE,
        exact(
            r"(?P<area>[가-힣]{1,8}\d{0,2}(?:동|리|가|읍|면))"
            rf" ?(?:산 ?)?{_NO_YEAR}{NUMBER}{QUANTITY}(?: ?번지)?{FLAT}{DETAIL}"
        ),
        _address,
        _FRONT,
    ),
    Rule(
        "address.block@1",
        "address",
        rf"대{D}{{1,3}}[가길]",
        exact(r"(?P<area>[가-힣]{1,8}대\d{1,3}[가길])(?!\d)"),
        _address,
        _FRONT,
    ),
)
