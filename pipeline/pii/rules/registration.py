"""Numbers that offices give to people, drivers, travellers, businesses and vehicles."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii import korea
from pipeline.pii.korea import METROPOLITAN, OFFICE_CODES, OFFICES, PROVINCES
from pipeline.pii.normal import spellings
from pipeline.pii.rules.rule import (
    BLANK,
    CERTAIN,
    FAIR,
    GAP,
    HIGH,
    LEFT,
    LIKELY,
    LOW,
    NUMBERS,
    RIGHT,
    SEP,
    Candidate,
    D,
    Rule,
    Verdict,
    exact,
    one_of,
)

_PERSON: Final = re.compile(
    r"주민|(?<!법인)(?<!법인 )(?<!사업자)(?<!사업자 )등록 ?번호|외국인|거소|생년월일|신분증|민증"
)
#: Beside a number of which the birthday and one digit are left.
_PARTIAL: Final = re.compile(
    one_of("""
    주번 민번 [앞뒷]_?자리 성별 까지만 외국인 생일 보험_가입 본인_확인 실명 신원 인적_사항 주민 국적
    체류 비자 등록증 출입국 유학생 다문화 근로자 출생 세대주 자녀 아들 딸 환자 피보험 신청인 가입자
    성명 이름 어머니 아버지 모친 부친 배우자 회원 명의
""")
)
_FILED: Final = re.compile(r"[A-Za-z0-9]|\.[a-z]|[호형차번회항조편]| ?(?:필지|번지|지번)")
_LICENCE: Final = re.compile(r"면허|신분증")
_PASSPORT: Final = re.compile(r"여권|[Pp]assport|PASSPORT")
_BUSINESS: Final = re.compile(r"사업자|법인|등록 ?번호|고유 ?번호|세금|상호|[Bb]usiness")
_HEALTH: Final = re.compile(r"건강 ?보험|건보|보험증|의료 ?보험|의료 ?급여|증 ?번호|보험 ?번호")
#: Signs that hide a digit.
_MASK: Final = "*xXoOㅇㅁ○◯〇●◎•·#☆★∗✱※×✕✖Ⅹⅹ$%^■□◼◻▲△@?"
_REGIONS: Final = "|".join(OFFICE_CODES)
_OFFICE: Final = f"(?:{'|'.join(OFFICES)})"


def _registered(candidate: Candidate) -> Verdict | None:
    """Judge 13 digits by date of birth, checksum and words; those since October 2020 have none."""
    birth = korea.birth_date(candidate.digits)
    if birth is None:
        return None
    known = ["date"]
    if korea.is_registration_number(candidate.digits):
        known.append("checksum")
    if candidate.near(_PERSON):
        known.append("context")
    elif candidate.is_reference(any_number="checksum" not in known):
        return None
    bare = candidate.match.group().isdigit()
    return Verdict(_registered_confidence(known, bare, birth >= korea.RANDOM_SINCE), tuple(known))


def _partial(candidate: Candidate) -> Verdict | None:
    """Judge birthday and seventh digit, with signs for the rest or with words beside them."""
    if korea.birth_date(candidate.digits) is None:
        return None
    named = candidate.near(_PERSON) or candidate.near(_PARTIAL)
    known = ("date", "context") if named else ("date",)
    if candidate.is_reference(any_number=not named):
        return None
    if candidate.match.group("mask"):
        return Verdict(HIGH, known)
    if _FILED.match(candidate.after()):
        return None
    # Dates of this century, of files and versions, would be birthdays of people of a hundred years.
    old = candidate.digits[6] in "1256" and candidate.digits[0] in "3456789"
    if named or old:
        return Verdict(HIGH if named else LIKELY, known)
    young = candidate.digits[6] in "3478" and candidate.digits[0] in "01"
    return Verdict(FAIR, known) if young and candidate.digits[:2] <= "12" else None


def _registered_confidence(known: list[str], bare: bool, random: bool) -> float:
    if "checksum" in known:
        return HIGH if bare else CERTAIN
    if "context" in known:
        return LIKELY
    if bare:
        return LOW
    return LIKELY if random else FAIR


def _driver(candidate: Candidate) -> Verdict | None:
    if candidate.near(_LICENCE):
        return Verdict(HIGH, ("region", "context"))
    if candidate.is_reference(any_number=True):
        return None
    return Verdict(LIKELY if "-" in candidate.match.group() else LOW, ("region",))


def _passport(candidate: Candidate) -> Verdict | None:
    value = candidate.match.group()
    if candidate.near(_PASSPORT, after=24):
        return Verdict(HIGH, ("context",))
    if value != value.upper() or candidate.is_reference(any_number=True):
        return None
    if value[4].isalpha():
        return Verdict(LIKELY, ("form",))
    named = re.search("번호|코드", candidate.after(24))
    return Verdict(LOW if named or value[1].isalpha() else FAIR, ())


def _business(candidate: Candidate) -> Verdict | None:
    named = candidate.near(_BUSINESS)
    valid = korea.is_business_number(candidate.digits)
    if candidate.digits[0] == "0" or (candidate.is_reference(any_number=True) and not named):
        return None
    known = (("checksum",) if valid else ()) + (("context",) if named else ())
    bare = candidate.match.group().isdigit()
    if valid and named:
        return Verdict(CERTAIN, known)
    if named:
        return Verdict(LOW if bare else FAIR, known)
    if not valid:
        return None
    return Verdict(LOW if bare else HIGH if "-" in candidate.match.group() else FAIR, known)


def _health(candidate: Candidate) -> Verdict | None:
    if candidate.digits[0] == "0":
        return None
    if candidate.near(_HEALTH):
        return Verdict(HIGH, ("context",))
    value = candidate.match.group()
    if candidate.is_reference(any_number=True):
        return None
    return Verdict(FAIR if "-" in value else LOW, ())


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


def _plate(candidate: Candidate) -> Verdict | None:
    in_region = candidate.match.group("region")
    if candidate.is_blank or (
        not in_region
        and (
            _QUANTITY.match(candidate.after())
            or candidate.is_reference()
            or candidate.near(_COURT, before=16)
        )
    ):
        return None
    if in_region or candidate.near(_VEHICLE):
        return Verdict(HIGH, ("region" if in_region else "context",))
    if _TIME.search(candidate.before(2)):
        return None
    if " " not in candidate.match.group():
        return Verdict(LIKELY)
    return Verdict(LOW if candidate.match.group("use") in _COUNTERS else FAIR)


RULES: Final = (
    Rule(
        "rrn.number@1",
        "rrn",
        NUMBERS,
        exact(rf"(?<![A-Za-z]){LEFT}\d{{6}}{SEP}?[1-4]\d{{6}}{RIGHT}(?![A-Za-z])"),
        _registered,
        digits=13,
        runs=exact(" 13 | 6 7 "),
    ),
    Rule(
        "frn.number@1",
        "frn",
        NUMBERS,
        exact(rf"(?<![A-Za-z]){LEFT}\d{{6}}{SEP}?[5-8]\d{{6}}{RIGHT}(?![A-Za-z])"),
        _registered,
        digits=13,
        runs=exact(" 13 | 6 7 "),
    ),
    *(
        Rule(
            f"{type}.partial@1",
            type,
            NUMBERS,
            exact(
                rf"(?<![A-Za-z]){LEFT}\d{{6}}(?:(?:{SEP}| ?[~/] ?)?[{first}](?:\d{{0,5}}|(?= ))"
                rf"(?P<mask> ?[{_MASK}]{{2,8}}(?:[ -][{_MASK}]{{2,4}})?|[*●○]|[-_~.]{{4,8}})"
                rf"| ?- ?[{first}]{RIGHT}(?![{_MASK}]))"
            ),
            _partial,
            rf"{D}{{6}}{BLANK}?[{spellings('-')}]{BLANK}?{D}(?:[^0-9０-９]|$)"
            rf"|{D}{BLANK}?(?:[{spellings(_MASK)}]|[{spellings('-_~.')}]{{4}})",
            7,
        )
        for type, first in (("rrn", "1-4"), ("frn", "5-8"))
    ),
    Rule(
        "driver_license.number@1",
        "driver_license",
        NUMBERS,
        exact(rf"{LEFT}{_OFFICE}(?P<s>{SEP}|)\d{{2}}(?P=s)\d{{6}}(?P=s)\d{{2}}{RIGHT}"),
        _driver,
        digits=12,
        runs=exact(" 12 | 2 2 6 2 "),
    ),
    Rule(
        "driver_license.region@1",
        "driver_license",
        NUMBERS,
        exact(rf"(?:{_REGIONS}){SEP}?\d{{2}}{SEP}\d{{6}}{SEP}\d{{2}}{RIGHT}"),
        lambda _: Verdict(HIGH, ("region",)),
        digits=10,
        runs=exact(" 2 6 2 "),
    ),
    Rule(
        "passport.number@1",
        "passport",
        rf"[A-Za-zＡ-Ｚａ-ｚ]{D}{{3}}[A-Za-zＡ-Ｚａ-ｚ]{D}{{4}}|[A-Za-zＡ-Ｚａ-ｚ]{{1,2}}{D}{{7}}",
        exact(
            r"(?<![A-Za-z0-9])(?<!\d[-.])(?<![A-Za-z]-)"
            r"(?:[MSRODGmsrodg](?:\d{8}|\d{3}[A-Za-z]\d{4})|[A-Za-z]{2}\d{7})"
            r"(?![A-Za-z0-9])(?![-.]\d)"
        ),
        _passport,
    ),
    Rule(
        "business_number.number@1",
        "business_number",
        NUMBERS,
        exact(rf"{LEFT}\d{{3}}(?P<s>{SEP}|)\d{{2}}(?P=s)\d{{5}}{RIGHT}"),
        _business,
        digits=10,
        runs=exact(" 10 | 3 2 5 "),
    ),
    Rule(
        "health_insurance.number@1",
        "health_insurance",
        NUMBERS,
        exact(rf"{LEFT}[1-9](?: ?- ?| )?\d{{10}}{RIGHT}"),
        _health,
        digits=11,
        runs=exact(" 11 | 1 10 "),
    ),
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
