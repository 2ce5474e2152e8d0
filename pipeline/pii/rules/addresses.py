"""Street addresses, by road name and by lot number.

The number of a house is candidate first; the administrative units in front of it decide.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.korea import DISTRICTS, SPELLINGS, STEMS
from pipeline.pii.normal import spellings
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

_NUMBER: Final = r"\d{1,5}(?:-\d{1,4})?(?!\d)(?!-\d)"
#: A year, where no hyphen or 번지 makes it the number of a lot.
_NO_YEAR: Final = r"(?!(?:19|20)\d\d(?![-\d]| ?번지))"
_PARTICLES: Final = one_of("에 에서 에게 으로 로 은 는 이 가 을 를 의 과 와 도 까지 부터 입니다")
#: The end of a word, or a particle.
_END: Final = rf"(?:(?![가-힣])|(?=(?:{_PARTICLES})(?![가-힣])))"
_FLOOR: Final = r"\d{1,2}(?:층(?![가-힣]수)|[Ff](?![A-Za-z]))"
#: Block, floor and flat, and the legal dong in brackets.
_DETAIL: Final = (
    rf"(?:,? ?(?:제 ?)?(?:\d{{1,4}}|[A-Z가나다라마])동{_END})?"
    rf"(?:,? ?(?:지하 ?|B)?{_FLOOR}|,? B\d(?!\d))?(?:,? ?(?:제 ?)?[A-Z]?\d{{1,5}}호(?!선|기|점))?"
    r"(?: ?\([가-힣]{1,8}\d{0,2}(?:동|가|리|로)\))?"
)
#: A lone block, as in `101동 1203호`, counts only with the flat behind it.
_FLAT: Final = r"(?:,? ?(?:제 ?)?\d{1,4}동,? ?(?:제 ?)?\d{1,5}호)?"
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
_QUANTITY: Final = rf"(?!{_UNITS}|{_LONE_UNITS}(?![가-힣])| (?:{_UNITS}|{_LONE_UNITS})(?![가-힣]))"
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
_REGION: Final = re.compile(
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
    region = _REGION.search(front)
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
    if road is not None and not _is_word(road) and _ANNOUNCED.search(front):
        return Verdict(LIKELY, ("context",))
    return None


def _located(candidate: Candidate, offset: int, road: str | None) -> Verdict | None:
    """Return the hit that begins `offset` code points from the road, unless that is no road."""
    if road is not None and _is_word(road):
        return None
    return Verdict(HIGH, ("region",), (candidate.start + offset, candidate.end))


def _is_word(road: str) -> bool:
    name = road.split(" ", maxsplit=1)[0]
    return name in _NOT_ROADS or bool(_NOT_ROAD_ENDS.search(name))


# Below the city: nothing in front tells that this is an address, so its own parts have to.

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
    "우편|택배|배달|배송|등기|집배|월세|전세|이사|입주|세입자|세대|거주|부재|초인종|문 ?앞|층간|사시는|사는"
)
_PUBLIC: Final = re.compile(
    "(?:실|관|병원|호텔|모텔|펜션|법정|열차|기차|공보|고시|법률|조례|제|객실|방|태풍|구치소|교도소)$"
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
    "주차|방문|매장|가게|카페|식당|상가|오픈|개업|이전|집들이|택배|배송|퀵|하차|승차|픽업|모임|펜션|공방"
    "|미용실|약국|의원|학원|교회|장례|예식|면접|주소|위치|임대|월세|전세|매물|분양|숙소|전화|문의|연락"
)
_WAYS: Final = one_of("코스 구간 곳 군데 갈래 길 km 킬로 정거장 분 시간")


def _street(candidate: Candidate) -> Verdict | None:
    """Judge road and number by what else is there: a branch, a flat, a floor, a neighbour."""
    match = candidate.match
    road, detail, unit = match.group("road").replace(" ", ""), match.group("detail"), match["unit"]
    if _is_word(road) or len(road) < 3 or (unit and unit.strip()[-2:] in _NOT_LOTS):
        return None
    if match.group("branch") or detail.endswith(("호", ")")) or (unit and "-" in match.group()):
        return Verdict(HIGH, ("form",))
    if candidate.near(_SCORES, before=16, after=16):
        return None
    if unit or re.search("[층호FfB]", detail) or _BESIDE.match(candidate.after()):
        return Verdict(LIKELY, ("form",))
    visited = road[-2:] != "으로" and candidate.near(_VISITED, before=16, after=12)
    return Verdict(FAIR, ("context",)) if visited else None


def _flat(candidate: Candidate) -> Verdict | None:
    name = re.split(r"[ \d]", candidate.match.group("name"), maxsplit=1)[0]
    if _NO_BUILDING.match(name):
        return None
    if candidate.match.group("lone") is None:
        return Verdict(HIGH, ("form",))
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


#: What an address cannot be without, looked for in survivors only: `으로 10` is everywhere.
_FRONT: Final = "|".join(
    ["[시군구]", *sorted({name[:2] for name in SPELLINGS}), _WORDS.replace(" ", BLANK)]
)
_GATE: Final = rf"(?:로|길|동|리|가|읍|면){BLANK}?(?:(?:산|지하){BLANK}?)?{D}"

#: What `_street` and `_lot` cannot do without.
_LOW_FRONT: Final = (
    rf"[호층산(（]|번지|{D}[{spellings('-')}]{D}|{D}{BLANK}?[가나다라]?{BLANK}?(?:번{BLANK}?)?길"
    rf"|[시군구읍동]{BLANK}|[FfＦｆ]|[BＢ]{D}|{_NEIGHBOURS}|{_VISITED.pattern}"
)

RULES: Final = (
    Rule(
        "address.road@1",
        "address",
        _GATE,
        exact(rf"{_ROAD} ?(?:지하 ?)?{_NUMBER}{_QUANTITY}(?:번지)?{_DETAIL}"),
        _address,
        _FRONT,
    ),
    Rule(
        "address.lot@1",
        "address",
        _GATE,
        exact(
            r"(?P<area>[가-힣]{1,8}\d{0,2}(?:동|리|가|읍|면))"
            rf" ?(?:산 ?)?{_NO_YEAR}{_NUMBER}{_QUANTITY}(?: ?번지)?{_FLAT}{_DETAIL}"
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
    Rule(
        "address.street@1",
        "address",
        _GATE,
        exact(
            rf"{_UNIT}(?P<road>(?<![가-힣A-Za-z])[가-힣A-Za-z·]{{2,10}}(?:대로|로|길)"
            rf"|(?<![가-힣])[가-힣]{{2,8}} (?:대로|로|길)(?= ?\d{{1,3}} ?(?:번 ?)?길 ?\d))"
            r"(?P<branch> ?\d{1,3}[가나다라]? ?(?:번 ?)?길)? ?(?:지하 ?)?"
            rf"{_NUMBER}{_QUANTITY}(?! ?(?:{_WAYS}))(?:번지)?"
            rf"(?P<detail>{_INSIDE}|{_DETAIL})"
        ),
        _street,
        _LOW_FRONT,
    ),
    Rule(
        "address.flat@1",
        "address",
        rf"{D}호|(?:{_HOMES}){BLANK}?{D}{{2,4}}[{spellings('-')}]{D}{{3}}",
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
        _GATE,
        exact(
            r"(?<![가-힣])(?P<town>[가-힣]{1,5}[읍면] ?(?=[가-힣]{1,5}리))?"
            r"(?P<area>[가-힣]{1,6}\d{0,2}(?:동|리)(?:\d?가)?|[가-힣]{1,6}\d가)"
            r" ?(?P<hill>(?<= )산 ?(?=\d))?"
            r"(?P<lot>(?P<first>\d{1,4})(?:-\d{1,4})?)(?!\d)(?![-.]\d)"
            rf"{_QUANTITY}(?P<sure> ?번지)?(?:{_INSIDE}|{_FLAT}{_DETAIL})"
        ),
        _lot,
        _LOW_FRONT,
    ),
)
