"""Names of Korean regions: provinces in all their spellings, licence offices, and real names below.

Sources: the administrative divisions of the Republic of Korea (17 provinces; Gangwon and Jeonbuk
became special self-governing provinces in 2023 and 2024) and the office codes in front of driver's
licence numbers. The lists below the provinces are a choice of well-known names, not all of them.
"""

from __future__ import annotations

import re
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
_FORMER: Final = {
    "강원도": "강원특별자치도",
    "전라북도": "전북특별자치도",
    "제주도": "제주특별자치도",
    "세종시": "세종특별자치시",
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
            **_FORMER,
        }.items(),
        key=lambda item: (-len(item[0]), item[0]),
    )
)
# A short name is a region before a blank or the name of a city, county or borough; not in `세종대로`,
# `제주시` or `부산진구`.
_AFTER_SHORT: Final = re.compile(r"\Z|[^가-힣]|(?!진구)[가-힣]{1,4}?[시군구]")


def region(text: str) -> str:
    """Return how the region at the very start of an address is spelt, '' if there is none."""
    for spelt in SPELLINGS:
        if text.startswith(spelt) and (len(spelt) > 2 or _AFTER_SHORT.match(text, 2)):
            return spelt
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


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: Names by the last syllable of a part of an address; a new name is chosen from the same list.
NAMES: Final = {
    "시": _names(
        """
        수원시 성남시 안양시 부천시 광명시 평택시 안산시 고양시 구리시 남양주시 시흥시
        군포시 하남시 용인시 파주시 김포시 화성시 춘천시 원주시 강릉시 청주시 충주시
        천안시 아산시 전주시 군산시 익산시 목포시 여수시 순천시 포항시 경주시 구미시
        안동시 창원시 진주시 김해시 거제시
        """
    ),
    "군": _names(
        """
        가평군 양평군 홍천군 평창군 정선군 옥천군 영동군 진천군 부여군 홍성군 예산군
        태안군 완주군 고창군 부안군 담양군 해남군 영광군 완도군 의성군 청도군 울진군
        함안군 고성군 거창군 합천군
        """
    ),
    "구": _names(
        """
        중구 동구 서구 남구 북구 종로구 용산구 성동구 광진구 중랑구 성북구 강북구 도봉구
        노원구 은평구 마포구 양천구 강서구 구로구 금천구 동작구 관악구 서초구 강남구
        송파구 강동구 수영구 연제구 달서구 수성구 부평구 계양구 유성구 대덕구
        """
    ),
    "읍": _names(
        """
        진접읍 화도읍 오포읍 봉담읍 향남읍 조치원읍 오창읍 홍성읍 예산읍 봉동읍 화순읍
        해남읍 진영읍
        """
    ),
    "면": _names(
        """
        서종면 양서면 대부면 남면 북면 서면 동면 산내면 금성면 청계면 대산면 옥산면
        안덕면 한림면
        """
    ),
    "동": _names(
        """
        신흥동 중앙동 신촌동 대흥동 송정동 효자동 평화동 금곡동 산곡동 용현동 상동 중동
        신정동 화곡동 수유동 미아동 봉천동 신림동 도곡동 대치동 문정동 가락동 우동 좌동
        범어동 만촌동 둔산동 봉명동 용봉동
        """
    ),
    "리": _names(
        """
        신리 상리 하리 중리 대곡리 송정리 금곡리 신촌리 장암리 덕산리 월곡리 내동리
        용암리 석정리
        """
    ),
    "로": _names(
        """
        중앙로 시청로 평화로 문화로 공원로 강변로 번영로 충무로 을지로 세종로 테헤란로
        학동로 역삼로 양재로 가락로 오금로 삼성로 통일로 자유로 월드컵로 한강로 호수로
        산업로 대학로 봉은사로 도산로 남부로
        """
    ),
    "길": _names(
        """
        중앙길 시장길 학교길 강변길 은행나무길 느티나무길 벚꽃길 솔밭길 한옥길 언덕길
        돌담길 샘터길
        """
    ),
    "가": _names(
        """
        을지로 충무로 종로 명동 남대문로 태평로 충정로 한강로 당산동 문래동 양평동
        영등포동
        """
    ),
}
