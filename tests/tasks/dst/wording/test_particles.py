"""Particles after words of every kind of end."""

from __future__ import annotations

import pytest

from pipeline.tasks.dst.wording import resolve


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("호텔(을/를)", "호텔을"),
        ("숙소(을/를)", "숙소를"),
        ("인원(은/는)", "인원은"),
        ("가격대(은/는)", "가격대는"),
        ("식당(과/와)", "식당과"),
        ("관광지(이/가)", "관광지가"),
        ("서울 남쪽(으로/로)", "서울 남쪽으로"),
        ("저렴한 쪽(으로/로)", "저렴한 쪽으로"),
        ("모텔(으로/로)", "모텔로"),  # after ㄹ it is 로
        ("호텔(을/를)", "호텔을"),
        ("숙소(으로/로)", "숙소로"),
        ("'졸린 고래 호텔'(으로/로)", "'졸린 고래 호텔'로"),  # marks stand between
        ("서울로7017(을/를)", "서울로7017을"),  # 칠
        ("2(이/가)", "2가"),
        ("3(과/와)", "3과"),
        ("63(으로/로)", "63으로"),  # 삼
        ("IFC MALL(으로/로)", "IFC MALL로"),  # 엘
        ("주소, 평점(과/와) 요금(을/를) 물어보세요.", "주소, 평점과 요금을 물어보세요."),
    ],
)
def test_particle_fits_the_end(template: str, text: str) -> None:
    assert resolve(template) == text


def test_other_brackets_stay() -> None:
    assert resolve("총신대입구(이수) 근처") == "총신대입구(이수) 근처"
