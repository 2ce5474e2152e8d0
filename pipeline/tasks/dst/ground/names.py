"""The names of Table 23 that code goes by: domains, slots without their domain, special values."""

from __future__ import annotations

from typing import Final

from pipeline.core.fingerprint import ROOT

#: The folder of all data files of this package; its digest must enter the fingerprint of a call.
DATA: Final = ROOT / "data" / "dialogue"

HOTEL: Final = "숙소"
RESTAURANT: Final = "식당"
ATTRACTION: Final = "관광"
TAXI: Final = "택시"
METRO: Final = "지하철"
#: The domains of places, in the order of Table 23.
VENUES: Final = (HOTEL, RESTAURANT, ATTRACTION)
DOMAINS: Final = (*VENUES, TAXI, METRO)

NAME: Final = "이름"
TYPE: Final = "종류"
AREA: Final = "지역"
PRICE: Final = "가격대"
STATION: Final = "인근 역"
DAY: Final = "예약 요일"
TIME: Final = "예약 시간"
STAY: Final = "예약 기간"
PEOPLE: Final = "예약 명수"
LEAVE: Final = "출발 시간"
ARRIVE: Final = "도착 시간"
FROM: Final = "출발지"
TO: Final = "도착지"

#: The value that says that any will do.
ANY: Final = "dontcare"
YES_NO: Final = ("yes", "no")


def domain_of(slot: str) -> str:
    """Return the domain of a slot id."""
    return slot.split("-", 1)[0]


def word_of(slot: str) -> str:
    """Return the name of a slot without its domain."""
    return slot.split("-", 1)[1]
