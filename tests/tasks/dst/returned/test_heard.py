"""What counts as said: numbers, times, days and names in the ways people say them."""

from __future__ import annotations

import pytest

from pipeline.tasks.dst.value_matching import can_be_heard, without_blanks


@pytest.mark.parametrize(
    ("slot", "value", "text"),
    [
        ("숙소-예약 명수", "1", "저 혼자 묵어요"),
        ("숙소-예약 명수", "3", "세 명이요"),
        ("식당-예약 명수", "2", "2인 예약 부탁드려요"),
        ("식당-예약 명수", "3", "삼인으로요"),
        ("숙소-예약 기간", "2", "이틀 묵을게요"),
        ("숙소-예약 기간", "3", "3박 하려고요"),
        ("숙소-예약 기간", "7", "일주일 동안이요"),
        ("숙소-예약 요일", "토요일", "토욜부터요"),
        ("식당-예약 요일", "월요일", "오늘 저녁에요"),
        ("식당-예약 시간", "18:30", "오후 6시 반에 갈게요"),
        ("식당-예약 시간", "06:30", "여섯시 30분이요"),
        ("식당-예약 시간", "15:00", "15시 5명이요"),
        ("택시-출발 시간", "22:41", "22:41에 나가요"),
        ("숙소-지역", "서울 중앙", "도심에 있는 곳이요"),
        ("숙소-가격대", "저렴", "싼 데로요"),
        ("식당-종류", "일식당", "초밥 먹고 싶어요"),
        ("숙소-주차 가능", "yes", "차를 가져가요"),
        ("숙소-이름", "졸린 고래 호텔", "졸린고래호텔로 할게요"),
        ("관광-이름", "가온경기장 (다온 경기장)", "가온경기장 가려고요"),
        ("지하철-출발지", "강남역", "강남에서 타요"),
    ],
)
def test_is_heard(slot: str, value: str, text: str) -> None:
    assert can_be_heard(slot, value, without_blanks(text))


@pytest.mark.parametrize(
    ("slot", "value", "text"),
    [
        ("숙소-예약 명수", "2", "3명이요"),
        ("숙소-예약 기간", "5", "하루만요"),
        ("숙소-예약 요일", "토요일", "일요일에요"),
        ("식당-예약 시간", "15:05", "15시 5명이요"),
        ("식당-예약 시간", "18:30", "6시에 갈게요"),
        ("숙소-지역", "서울 중앙", "서울 남쪽이요"),
        ("숙소-주차 가능", "yes", "수영장이 있나요"),
        ("숙소-이름", "졸린 고래 호텔", "웃는 고래 호텔로 할게요"),
        ("지하철-출발지", "서울역", "서울 남쪽에서요"),
    ],
)
def test_is_not_heard(slot: str, value: str, text: str) -> None:
    assert not can_be_heard(slot, value, without_blanks(text))
