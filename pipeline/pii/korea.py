"""Public facts about Korean addresses and numbers: names of regions, and check digits.

Sources: the administrative divisions of the Republic of Korea (17 provinces; Gangwon and Jeonbuk
became special self-governing provinces in 2023 and 2024) and the office codes in front of driver's
licence numbers. The lists below the districts are a choice of well-known names, not all of them.
Functions that check numbers take digits only.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

#: Metropolitan cities: short name to full name.
METROPOLITAN: Final = {
    "서울": "서울특별시",
    "부산": "부산광역시",
    "대구": "대구광역시",
    "인천": "인천광역시",
    "광주": "광주광역시",
    "대전": "대전광역시",
    "울산": "울산광역시",
    "세종": "세종특별자치시",
}
#: Provinces: short name to full name.
PROVINCES: Final = {
    "경기": "경기도",
    "강원": "강원특별자치도",
    "충북": "충청북도",
    "충남": "충청남도",
    "전북": "전북특별자치도",
    "전남": "전라남도",
    "경북": "경상북도",
    "경남": "경상남도",
    "제주": "제주특별자치도",
}

#: Every spelling of a region at the head of an address, longest first, and its full name.
SPELLINGS: Final = dict(
    sorted(
        {
            **{full: full for full in (*METROPOLITAN.values(), *PROVINCES.values())},
            **METROPOLITAN,
            **PROVINCES,
            **{f"{short}시": full for short, full in METROPOLITAN.items()},
            **{f"{full[:2]}직할시": full for full in METROPOLITAN.values()},
            "강원도": "강원특별자치도",
            "전라북도": "전북특별자치도",
            "제주도": "제주특별자치도",
            "세종시": "세종특별자치시",
        }.items(),
        key=lambda item: (-len(item[0]), item[0]),
    )
)
# A short name is a region before a blank or the name of a city, county or borough; it is none in
# `세종대로`, `제주시` and `부산진구`.
_AFTER_SHORT: Final = re.compile(r"\Z|[^가-힣]|(?!진구)[가-힣]{1,4}?[시군구]")


def region(text: str) -> str:
    """Return how the region at the very start of an address is spelling, '' if there is none."""
    for spelling in SPELLINGS:
        if text.startswith(spelling) and (len(spelling) > 2 or _AFTER_SHORT.match(text, 2)):
            return spelling
    return ""


#: Driver's licence offices by the first two digits of the number.
OFFICES: Final = {
    "11": "서울",
    "12": "부산",
    "13": "경기",
    "14": "강원",
    "15": "충북",
    "16": "충남",
    "17": "전북",
    "18": "전남",
    "19": "경북",
    "20": "경남",
    "21": "제주",
    "22": "대구",
    "23": "인천",
    "24": "광주",
    "25": "대전",
    "26": "울산",
    "28": "경기북부",
}
#: Office codes by the spellings of their names, longest first.
OFFICE_CODES: Final = {"경기남부": "13", **{n: c for c, n in reversed(list(OFFICES.items()))}}


_CITIES: Final = (
    "수원 성남 의정부 안양 부천 광명 평택 동두천 안산 고양 과천 구리 남양주 오산 시흥 "
    "군포 의왕 하남 용인 파주 이천 안성 김포 화성 광주 양주 포천 여주 춘천 원주 강릉 동해 "
    "태백 속초 삼척 청주 충주 제천 천안 공주 보령 아산 서산 논산 계룡 당진 전주 군산 익산 "
    "정읍 남원 김제 목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 "
    "경산 창원 진주 통영 사천 김해 밀양 거제 양산 제주 서귀포"
)
_COUNTIES: Final = (
    "연천 가평 양평 홍천 횡성 영월 평창 정선 철원 화천 양구 인제 고성 양양 보은 옥천 영동 "
    "증평 진천 괴산 음성 단양 금산 부여 서천 청양 홍성 예산 태안 완주 진안 무주 장수 임실 "
    "순창 고창 부안 담양 곡성 구례 고흥 보성 화순 장흥 강진 해남 영암 무안 함평 영광 장성 "
    "완도 진도 신안 의성 청송 영양 영덕 청도 고령 성주 칠곡 예천 봉화 울진 울릉 의령 함안 "
    "창녕 남해 하동 산청 함양 거창 합천 기장 달성 군위 강화 옹진 울주"
)
_WARDS: Final = (
    "종로 중 용산 성동 광진 동대문 중랑 성북 강북 도봉 노원 은평 서대문 마포 양천 강서 "
    "구로 금천 영등포 동작 관악 서초 강남 송파 강동 서 동 영도 부산진 동래 남 북 해운대 "
    "사하 금정 연제 수영 사상 수성 달서 미추홀 연수 남동 부평 계양 광산 유성 대덕 장안 "
    "권선 팔달 영통 수정 중원 분당 만안 동안 원미 소사 오정 상록 단원 덕양 일산동 일산서 "
    "처인 기흥 수지 상당 서원 흥덕 청원 동남 서북 완산 덕진 의창 성산 마산합포 마산회원 "
    "진해"
)

#: Cities, counties and wards, the longest first so that a pattern takes the whole name.
DISTRICTS: Final = tuple(
    sorted(
        {f"{name}시" for name in _CITIES.split()}
        | {f"{name}군" for name in _COUNTIES.split()}
        | {f"{name}구" for name in _WARDS.split()},
        key=lambda name: (-len(name), name),
    )
)


#: Districts without their last syllable (경기 성남 분당구), the longest first.
STEMS: Final = tuple(
    sorted({name[:-1] for name in DISTRICTS if len(name) > 2}, key=lambda d: (-len(d), d))
)
_OTHER_NAMES: Final = {
    "읍": """
        진접읍 화도읍 오포읍 봉담읍 향남읍 조치원읍 오창읍 홍성읍 예산읍 봉동읍 화순읍
        해남읍 진영읍
        """,
    "면": """
        서종면 양서면 대부면 남면 북면 서면 동면 산내면 금성면 청계면 대산면 옥산면
        안덕면 한림면
        """,
    "동": """
        신흥동 중앙동 신촌동 대흥동 송정동 효자동 평화동 금곡동 산곡동 용현동 상동 중동
        신정동 화곡동 수유동 미아동 봉천동 신림동 도곡동 대치동 문정동 가락동 우동 좌동
        범어동 만촌동 둔산동 봉명동 용봉동
        """,
    "리": """
        신리 상리 하리 중리 대곡리 송정리 금곡리 신촌리 장암리 덕산리 월곡리 내동리
        용암리 석정리
        """,
    "로": """
        중앙로 시청로 평화로 문화로 공원로 강변로 번영로 충무로 을지로 세종로 테헤란로
        학동로 역삼로 양재로 가락로 오금로 삼성로 통일로 자유로 월드컵로 한강로 호수로
        산업로 대학로 봉은사로 도산로 남부로
        """,
    "길": """
        중앙길 시장길 학교길 강변길 은행나무길 느티나무길 벚꽃길 솔밭길 한옥길 언덕길
        돌담길 샘터길
        """,
    "가": """
        을지로 충무로 종로 명동 남대문로 태평로 충정로 한강로 당산동 문래동 양평동
        영등포동
        """,
}
#: Names by the last syllable of a part of an address; a new name is chosen from the same list.
NAMES: Final = {
    **{last: tuple(sorted(n for n in DISTRICTS if n[-1] == last)) for last in "시군구"},
    **{last: tuple(names.split()) for last, names in _OTHER_NAMES.items()},
}


#: Registration numbers given since this day end in six random digits, without a check digit.
RANDOM_SINCE = date(2020, 10, 1)
#: The last year of birth that is taken for one.
LATEST_BIRTH = 2035
_WEIGHTS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)


def birth_date(digits: str) -> date | None:
    """Return the date of birth in a resident or foreign registration number, None if it is none.

    The seventh digit gives the century: 1, 2, 5, 6 the 1900s; 3, 4, 7, 8 the 2000s.
    """
    year = {"1": 1900, "2": 1900, "5": 1900, "6": 1900}.get(digits[6], 2000) + int(digits[:2])
    try:
        birth = date(year, int(digits[2:4]), int(digits[4:6]))
    except ValueError:
        return None
    return birth if year <= LATEST_BIRTH else None


def is_registration_number(digits: str) -> bool:
    """Check the last of the 13 digits of a resident's or (seventh digit 5 to 8) a foreigner's."""
    base = 13 if digits[6:7] in tuple("5678") else 11
    weighted = sum(w * int(d) for w, d in zip(_WEIGHTS, digits, strict=False))
    return len(digits) == 13 and (base - weighted % 11) % 10 == int(digits[12])


def is_business_number(digits: str) -> bool:
    """Check the last of the 10 digits of a business registration number."""
    if len(digits) != 10:
        return False
    ninth = int(digits[8]) * 5
    weighted = (w * int(d) for w, d in zip((1, 3, 7, 1, 3, 7, 1, 3), digits, strict=False))
    return (10 - (sum(weighted) + ninth // 10 + ninth) % 10) % 10 == int(digits[9])


def is_luhn(digits: str) -> bool:
    """Check a payment card number by Luhn's algorithm (ISO/IEC 7812-1)."""
    doubled = [int(digit) * (1 + n % 2) for n, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
