"""Street addresses, by road name and by lot number, and vehicle plates."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.rules.regions import DISTRICTS, PROVINCES
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
)

# ----- addresses: the number is found first, then the administrative units in front of it

_NUMBER: Final = r"\d{1,5}(?:-\d{1,4})?(?!\d)(?!-\d)"
_DETAIL: Final = (
    r"(?:,? ?(?:제 ?)?\d{1,4}동(?![가-힣]))?(?:,? ?(?:지하 ?|B)?\d{1,3}층(?![가-힣]수))?"
    r"(?:,? ?(?:제 ?)?[A-Z]?\d{1,5}호(?!선|기|점))?(?: ?\([가-힣]{1,8}\d{0,2}(?:동|가|리|로)\))?"
)
#: A lone 동, as in `101동 1203호`, counts only with the flat behind it.
_FLAT: Final = r"(?:,? ?(?:제 ?)?\d{1,4}동,? ?(?:제 ?)?\d{1,5}호)?"
#: What makes a number a quantity or a line rather than that of a house.
_QUANTITY: Final = (
    r"(?! ?(?:년|월|시간|분(?![가-힣])|분[ 만동정안에간]|명|개|원|호선|km|킬로|미터|m(?![A-Za-z])|%|퍼센트|번째|위(?![가-힣])"
    r"|회(?![가-힣])|배|마리|마일|대(?![가-힣])|장|곡|편|권|점|살|세(?![가-힣])|인분|박|일(?:간|에|까지|부터|동안|째| )|도(?![가-힣])|만|억|조원|천|백|여|초"
    r"|단계|등(?![가-힣])|번(?!지)|kg|g(?![A-Za-z])|℃|대 \d|: ?\d|차로|차선|가닥|가지|차(?![가-힣])|부(?![가-힣])|건|쪽|칸|학년|반(?![가-힣])|교시|기(?![가-힣])|승|패|골|득점|주(?:간|째|년)|세기|시(?![가-힣])|시[에까부]|층|호(?![가-힣])|종(?![가-힣])|경기|연승|연패|명가량|평|편입|집(?![가-힣])|배속|\.\d|,\d{3}))"
)
_ROAD: Final = r"(?P<road>(?:[가-힣0-9]{0,12}[가-힣](?:대로|로|길)|(?<![가-힣0-9])종로)(?: ?\d{1,4}[가나다라마바사]?(?:번[가나다라]?길|길))?)"
_PROVINCE: Final = "|".join(PROVINCES)
_DISTRICT: Final = "|".join(DISTRICTS)
_STEM: Final = "|".join(sorted({d[:-1] for d in DISTRICTS if len(d) > 2}, key=len, reverse=True))
_UNIT: Final = rf"(?:(?:{_DISTRICT})|[가-힣]{{1,4}}(?:시|군|구))"
_AREA: Final = r"[가-힣]{1,6}\d{0,2}(?:읍|면|동|리|가)"
#: Administrative units that end where the road or the legal dong begins.
_REGION: Final = re.compile(
    rf"(?:(?:{_PROVINCE}) ?(?:(?:{_UNIT}|{_STEM}) ?){{0,3}}|(?<![가-힣])(?:{_DISTRICT}) ?(?:(?:{_DISTRICT}) ?)?)"
    rf"(?:{_AREA} ?){{0,2}}$"
)
_WORD: Final = re.compile(
    r"(?:주소|주소지|배송지|거주지|소재지|본점|본사|자택|도로명|살던 곳|사는 곳|사업장|근무지|집|발송지|수령지|반품지)"
    r"(?:은|는|이|가|을|를|도)? ?[:：=]? ?[\"'(\[]?$"
)
#: Words that end like a road and are none.
_NOT_ROADS: Final = frozenset(
    ["새로", "바로", "서로", "따로", "별로", "가로", "세로", "홀로", "절로", "주로", "때로", "대체로", "함부로", "제멋대로", "이대로", "그대로", "저대로", "마음대로", "멋대로", "뜻대로", "도로", "철로", "선로", "진로", "항로", "수로", "통로", "미로", "경로", "회로", "활주로", "용광로", "난로", "실로", "스스로", "최대로", "최소로", "실제로", "진짜로", "정말로", "반대로", "차례로", "추가로", "하나로", "둘로", "셋으로", "대로", "맘대로", "제대로", "예정대로", "갈래길", "갈림길", "길", "비탈길", "지름길", "하굣길", "등굣길", "출근길", "퇴근길", "귀갓길", "귀성길"]
)
_NOT_ROAD_ENDS: Final = re.compile(r"(?:으로|고속도로|간도로|철로|전용도로|순환도로)$")


def _address(found: Found) -> Verdict | None:
    """Judge a road or legal dong with a number by the administrative units in front of it."""
    road = found.match.groupdict().get("road")
    front = found.before(48)
    region = _REGION.search(front)
    if region is not None:
        start = found.start - len(front) + region.start()
        if road is not None and _is_word(road):
            return None
        return Verdict(HIGH, ("region",), (start, found.end))
    glued = _glued(found, road)
    if glued is not None:
        return glued
    if _WORD.search(front) and road is not None and not _is_word(road):
        return Verdict(LIKELY, ("context",))
    return None


def _is_word(road: str) -> bool:
    name = road.split(" ", maxsplit=1)[0]
    return name in _NOT_ROADS or bool(_NOT_ROAD_ENDS.search(name))


_GLUED: Final = re.compile(
    rf"(?:(?:{_PROVINCE})(?:{_DISTRICT}|{_STEM}){{1,3}}|(?<![가-힣])(?:{_DISTRICT}){{1,2}}|(?:{_PROVINCE}))(?:{_AREA}){{0,1}}?"
    r"(?=[가-힣])"
)


def _glued(found: Found, road: str | None) -> Verdict | None:
    """Find administrative units that are written together with the road or legal dong."""
    name = road if road is not None else found.match.group("area")
    front = found.before(30)
    whole = front + name
    for match in _GLUED.finditer(whole):
        rest = whole[match.end() :]
        if match.end() > len(front) and " " not in rest.split("길")[0]:
            if road is not None and _is_word(rest):
                return None
            start = found.start - len(front) + match.start()
            return Verdict(HIGH, ("region",), (start, found.end))
    return None


_HOUSE_GATE: Final = rf"(?:로|길|동|리|가|읍|면){BLANK}?(?:(?:산|지하){BLANK}?)?{D}"

# ----- vehicle plates

_USE: Final = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호"
#: Hangul that is also a unit or a counter after a number (12조 5000, 20도 1000): needs a word.
_COUNTERS: Final = frozenset("조주도호수부자로보구무가다바사")
_VEHICLE: Final = re.compile(
    r"차량|번호판|차 ?번호|승용차|트럭|택시|화물|렌터|차주|주차|차가|차는|차를|자동차|버스|오토바이|SUV|승합|견인|블랙박스|뺑소니"
)
#: Numbers of court cases have the form of old plates: 98다1234.
_COURT: Final = re.compile(
    r"판결|판례|대법원|법원|선고|헌재|헌법|사건|재판|소송|결정|지법|고법|원고|피고"
)
_PLATE_REGIONS: Final = (
    "서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주"
)
_PLATE_UNITS: Final = re.compile(
    r" ?(?:억|만|천|원|명|개|년|월|m(?![A-Za-z])|km|kg|여|위|달러|점|회|건|장|석|톤|배|부(?![가-힣])|W|㎾|kW|kcal|걸음|득점|실점|번길|호실|세대|%)"
)


def _plate(found: Found) -> Verdict | None:
    if found.match.group("region"):
        return Verdict(HIGH, ("region",))
    if _PLATE_UNITS.match(found.after()) or found.is_reference():
        return None
    if found.near(_COURT, before=16):
        return None
    if found.near(_VEHICLE):
        return Verdict(HIGH, ("context",))
    if re.search(r"(?:시|분|년|월|일|제) ?$", found.before(2)):
        return None
    spaced = " " in found.match.group()
    ambiguous = found.match.group("use") in _COUNTERS
    if spaced and ambiguous:
        return Verdict(LOW if found.match.group("use") != "구" else FAIR, ())
    return Verdict(LIKELY if not spaced else FAIR, ())


RULES: Final = (
    Rule(
        "address.road@1",
        "address",
        _HOUSE_GATE,
        re.compile(rf"{_ROAD} ?(?:지하 ?)?{_NUMBER}{_QUANTITY}(?:번지)?{_DETAIL}"),
        _address,
    ),
    Rule(
        "address.lot@1",
        "address",
        _HOUSE_GATE,
        re.compile(
            r"(?P<area>[가-힣]{1,8}\d{0,2}(?:동|리|가|읍|면))"
            rf" ?(?:산 ?)?{_NUMBER}{_QUANTITY}(?: ?번지)?{_FLAT}{_DETAIL}"
        ),
        _address,
    ),
    Rule(
        "address.block@1",
        "address",
        rf"대{D}{{1,3}}[가길]",
        re.compile(r"(?P<area>[가-힣]{1,8}대\d{1,3}[가길])(?!\d)"),
        _address,
    ),
    Rule(
        "vehicle_plate.number@1",
        "vehicle_plate",
        rf"{D}{BLANK}?[가-힣]{GAP}{{0,2}}{D}{{4}}",
        re.compile(
            rf"(?:(?P<region>{_PLATE_REGIONS}) ?|(?<!\d)(?<!\d[.,:/-]))"
            rf"(?P<front>\d{{2,3}}) ?(?P<use>[{_USE}])[ -]?\d{{4}}(?!\d)(?![-.,]\d)"
        ),
        _plate,
    ),
)
