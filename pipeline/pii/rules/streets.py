"""Addresses below the city: streets, flats and lots without a region in front.

Nothing in front tells that this is an address, so its own parts have to.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.normal import spellings
from pipeline.pii.rules.addresses import DETAIL, FLAT, GATE, NUMBER, QUANTITY, REGION, is_word
from pipeline.pii.rules.rule import (
    BLANK,
    FAIR,
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

_HOMES: Final = one_of("""
    아파트 빌라 빌 맨션 오피스텔 연립 하우스 타운 캐슬 팰리스 원룸 고시원 고시텔 빌리지 주택 힐스
    빌딩 타워 상가 프라자 플라자
""")
_DWELLING: Final = (
    r"(?:제 ?)?(?:\d{1,4}|(?<= )[A-Z가나다라마바])동 ?,? ?(?:제 ?)?(?:지하 ?)?(?:\d{1,2}층 ?)?"
    r"[A-Z]?\d{1,4}호|\d{2,4}-\d{2,4}호"
)
_BUILDING: Final = r"[가-힣A-Za-z]{2,12}\d?"
#: A flat of a named building.
_INSIDE: Final = (
    rf",? ?{_BUILDING}(?: ?\d{{1,2}}(?:차|단지|블[록럭]))?(?: ?(?:{_HOMES}))?"
    rf"(?: ?(?:{_DWELLING})|(?:{'|'.join(rf'(?<={home})' for home in _HOMES.split('|'))})"
    r" ?(?:(?:\d{1,2}층 ?)?\d{1,4}호|\d{2,4}-\d{3,4}(?![-\d])))(?!선|기|점|차)"
)
#: Names of units below the city in front.
_UNIT: Final = r"(?P<unit>(?<![가-힣])[가-힣]{1,5}[시군구읍동] (?:[가-힣]{1,5}[읍면동리] )?)?"
#: Words in front of a flat that name no building; and how they end.
_NO_BUILDING: Final = re.compile(
    r"(?:우리|저희|너희|우리집|해당|같은|옆집|윗집|아랫집|현재|당시|지금|모두|단지|기숙사|생활관|병동"
    rf"|본관|신관|별관|건물|학교|{_HOMES}|.*[은는을를에의]|.*에서|.*으로)$"
)
#: Words that end like a dong or a ri; digits behind them are counted, or a score.
_NOT_LOTS: Final = words("""
    활동 운동 행동 이동 노동 자동 변동 감동 충동 진동 공동 아동 작동 출동 연동 수동 능동 시동 파동
    소동 선동 난동 구동 기동 격동 발동 합동 협동 부동 요동 율동 생동 제동 냉동 역동 가동 거동 반동
    유동 전동 우리 거리 처리 관리 정리 권리 논리 승리 분리 수리 심리 원리 유리 다리 자리 머리 소리
    요리 빨리 미리 조리 금리 물리 윤리 생리 진리 영리 편리 격리 대리 총리 무리 꼬리 허리 보리 고리
    도리 마리 사리 비리 멀리 널리 파리 헨리 페리 서리 추리 계리 로리 누가 작가 국가 평가 증가 추가
""")
#: Who lives in a flat, and what comes to it; and what has rooms, but nobody's home.
_LIVING: Final = re.compile(
    one_of("""
    우편 택배 배달 등기 집배 월세 전세 이사(?![장회]) 입주 세입자 세대 거주 부재 초인종 문_앞 층간
    사는
""")
)
_PUBLIC: Final = re.compile(
    "(?:[실관방제안가령법]|병원|[호모]텔|펜션|법정|[열기]차|고시|태풍|[구교][치도]소)$"
)
_SCORES: Final = re.compile("승|패|점수|세트|경기|이겼|이긴|졌|스코어|연승|무승부|대회|시즌|라운드")


#: What stands at a place.
_NEIGHBOURS: Final = one_of("""
    앞 옆 뒤 뒷 근처 맞은편 건너편 인근 일대 건물 상가 번지 반지하 옥탑 지하 원룸 고시원 빌라 사거리
    삼거리 골목 입구 정문 후문 주차 편의점 공터 담벼락
""")
_BESIDE: Final = re.compile(rf"(?:번지)? ?(?:{_NEIGHBOURS})")
#: What is told of a place.
_VISITED: Final = re.compile(
    one_of("""
    주차 방문 매장 가게 카페 식당 상가 오픈 개업 이전 집들이 택배 배송 퀵 하차 승차 픽업 모임 펜션
    공방 약국 의원 학원 교회 장례 예식 면접 주소 위치 임대 월세 전세 매물 분양 숙소 전화 문의 연락
""")
)
_WAYS: Final = one_of("코스 구간 곳 군데 갈래 길 km 킬로 정거장 분 시간")


def _from_region(candidate: Candidate) -> tuple[int, int]:
    """Return the span with the province and city in front of it."""
    front = candidate.before(32)
    region = REGION.search(front) if front.endswith(" ") else None
    return (
        candidate.start - len(front) + region.start() if region else candidate.start,
        candidate.end,
    )


def _street(candidate: Candidate) -> Verdict | None:
    """Judge road and number by what else is there: a branch, a flat, a floor, a neighbour."""
    match = candidate.match
    road, detail, unit = match.group("road").replace(" ", ""), match.group("detail"), match["unit"]
    if is_word(road) or len(road) < 3 or (unit and unit.strip()[-2:] in _NOT_LOTS):
        return None
    if match.group("branch") or detail.endswith(("호", ")")) or (unit and "-" in match.group()):
        return Verdict(HIGH, ("form",), _from_region(candidate))
    if candidate.near(_SCORES, before=16, after=16):
        return None
    if unit or re.search("[층호FfB]", detail) or _BESIDE.match(candidate.after()):
        return Verdict(LIKELY, ("form",), _from_region(candidate))
    visited = road[-2:] != "으로" and candidate.near(_VISITED, before=16, after=12)
    return Verdict(FAIR, ("context",)) if visited else None


def _flat(candidate: Candidate) -> Verdict | None:
    name = re.split(r"[ \d]", candidate.match.group("name"), maxsplit=1)[0]
    if _NO_BUILDING.match(name):
        return None
    if candidate.match.group("lone") is None:
        return Verdict(HIGH, ("form",), _from_region(candidate))
    lived_in = not _PUBLIC.search(name) and candidate.near(_LIVING, before=16, after=20)
    return Verdict(FAIR, ("context",)) if lived_in else None


def _lot(candidate: Candidate) -> Verdict | None:
    """Judge a legal dong or ri with the number of a lot."""
    match = candidate.match
    if match.group("sure") or match.group("hill"):
        return Verdict(HIGH, ("form",))
    if "-" not in match.group("lot"):
        return None
    if match.group("town"):
        return Verdict(HIGH, ("form",))
    if len(match.group("first")) < 2:
        return None
    if match.group("area")[-2:] in _NOT_LOTS or candidate.near(_SCORES, before=16, after=16):
        return None
    return Verdict(LIKELY, ("form",))


#: What `_street` and `_lot` cannot do without.
_LOW_FRONT: Final = (
    rf"[호층산(（]|번지|{D}[{spellings('-')}]{D}|{D}{BLANK}?[가나다라]?{BLANK}?(?:번{BLANK}?)?길"
    rf"|[시군구읍동]{BLANK}|[FfＦｆ]|[BＢ]{D}|{_NEIGHBOURS}|{_VISITED.pattern}"
)

RULES: Final = (
    Rule(
        "address.street@1",
        "address",
        GATE,
        exact(
            rf"{_UNIT}(?P<road>(?<![가-힣A-Za-z])[가-힣A-Za-z·]{{2,10}}(?:대로|로|길)"
            rf"|(?<![가-힣])[가-힣]{{2,8}} (?:대로|로|길)(?= ?\d{{1,3}} ?(?:번 ?)?길 ?\d))"
            r"(?P<branch> ?\d{1,3}[가나다라]? ?(?:번 ?)?길)? ?(?:지하 ?)?"
            rf"{NUMBER}{QUANTITY}(?! ?(?:{_WAYS}))(?:번지)?"
            rf"(?P<detail>{_INSIDE}|{DETAIL})"
        ),
        _street,
        _LOW_FRONT,
    ),
    Rule(
        "address.flat@1",
        "address",
        rf"{D}호|[가-힣]{BLANK}?{D}{{2,4}}[{spellings('-')}]{D}{{3}}",
        exact(
            rf"(?<![가-힣A-Za-z0-9]){_UNIT}(?<![가-힣A-Za-z0-9])(?P<name>(?={_BUILDING})(?:{_INSIDE}"
            rf"|(?P<lone>{_BUILDING}) ?\d{{3,4}}호(?!선|기|점|차|실)))"
        ),
        _flat,
        digits=2,
    ),
    Rule(
        "address.lot_low@1",
        "address",
        GATE,
        exact(
            r"(?<![가-힣])(?P<town>[가-힣]{1,5}[읍면] ?(?=[가-힣]{1,5}리))?"
            r"(?P<area>[가-힣]{1,6}\d{0,2}(?:동|리)(?:\d?가)?|[가-힣]{1,6}\d가)"
            r" ?(?P<hill>(?<= )산 ?(?=\d))?"
            r"(?P<lot>(?P<first>\d{1,4})(?:-\d{1,4})?)(?!\d)(?![-.]\d)"
            rf"{QUANTITY}(?P<sure> ?번지)?(?:{_INSIDE}|{FLAT}{DETAIL})"
        ),
        _lot,
        _LOW_FRONT,
    ),
)
