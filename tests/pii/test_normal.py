"""One key for every spelling of a value."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.pii.kinds import TYPES
from pipeline.pii.normal import fold, normal

SAME: dict[str, list[tuple[str, ...]]] = {
    "phone": [
        ("01012345678", "010-1234-5678", "010 – 1234 – 5678", "０１０．１２３４．５６７８"),
        ("01012345678", "+82 10-1234-5678", "0082 10 1234 5678", "82-10-1234-5678"),
        ("01012345678", "+82 (0)10 1234 5678", "(＋82) 10-1234-5678", "010\u200b1234\u200b5678"),
        (
            "01012345678",
            "공일공 일이삼사 오육칠팔",
            "영일영-일이삼사-오륙칠팔",
            "010 일이삼사 5678",
        ),
        ("01012345678", "010_1234_5678", "010/1234/5678", "010·1234·5678", "010ㆍ1234・5678"),
        ("01012345678", "010ー1234⁃5678", "010ㅡ1234˗5678"),
        ("021234567", "02)123-4567", "(02) 123 4567", "+82 2 123 4567"),
        ("15881234", "1588-1234", "+82-1588-1234"),
    ],
    "rrn": [("9001011234567", "900101-1234567", "900101 – 1234567", "９００１０１-１２３４５６７")],
    "card": [("4111111111111111", "4111-1111-1111-1111", "4111 1111 1111 1111")],
    "email": [
        ("user@naver.com", "User@NAVER.com", "user ＠ naver.com", "ｕｓｅｒ＠ｎａｖｅｒ．ｃｏｍ"),
        (
            "user@naver.com",
            "user 골뱅이 naver 점 com",
            "user골뱅이네이버닷컴",
            "user(at)naver[dot]com",
        ),
        ("user@naver.com", "user@naver。com", "user﹫naver．com", "user（at）naver｛dot｝com"),
        ("user@naver.com", "user at naver dot com", "user [at] naver.com", "user@네이버"),
        ("a.b@daum.net", "a.b@다음", "a 점 b 골뱅이 다음 닷 넷"),
        ("kim@hanmail.net", "kim@한메일넷", "kim@한메일.net"),
        ("kim@gmail.com", "kim@지메일", "kim@구글"),
    ],
    "ip": [
        ("8.8.8.8", "８.８.８.８", "008.008.008.008", "8. 8. 8. 8", "::ffff:8.8.8.8"),
        ("8.8.8.8", "8。8。8。8", "８．８．８．８", "٨.٨.٨.٨"),
        ("2001:db8::1", "2001:0DB8:0000:0000:0000:0000:0000:0001", "[2001:db8:0:0::1]"),
        ("fe80::1", "fe80::1%eth0"),
    ],
    "mac": [("c5d71484f8cf", "C5:D7:14:84:F8:CF", "c5-d7-14-84-f8-cf", "c5d7.1484.f8cf")],
    "mention": [("@gildong", "@Gildong", "＠gildong")],
    "url": [
        ("example.com/A?b=1", "https://www.Example.com/A?b=1", "HTTP://example.com/A?b=1"),
        ("example.com", "www.example.com", "http://example.com/", "EXAMPLE.com"),
        ("naver.com", "www.naver．com", "ｗｗｗ．naver。com", "http：／／www．naver.com"),
        ("www.com", "www.com"),
    ],
    "address": [
        (
            "서울특별시강남구테헤란로123-4 101동502호",
            "서울 강남구 테헤란로 123-4, 101동 502호",
            "서울시 강남구 테헤란로123 – 4 (101동502호)",
            "서울시 강남구 테헤란로123ー4 (101동·502호)",
            "서울특별시  강남구 테헤란로 123-4,101동 502호",
        ),
        ("강원특별자치도춘천시중앙로1", "강원 춘천시 중앙로 1", "강원도 춘천시 중앙로 1"),
        ("세종대로1", "세종대로 1"),
        ("제주시연동1", "제주시 연동 1"),
        ("부산진구전포동1", "부산진구 전포동 1"),
        ("인천광역시연수구송도동1", "인천 연수구 송도동 1", "인천연수구송도동1"),
        ("충청북도청주시상당로12 3층", "충북 청주시 상당로 12, 3층"),
    ],
    "passport": [("M123A4567", "m123a4567", "M 123A 4567", "Ｍ１２３Ａ４５６７")],
    "driver_license": [("111717413301", "11-17-174133-01", "서울 17-174133-01")],
    "vehicle_plate": [("55구1601", "55구 1601", "55 구 1601"), ("서울12가3456", "서울 12 가 3456")],
    "business_number": [("1234567890", "123-45-67890", "123 45 67890")],
    "health_insurance": [("12345678901", "1-2345678901")],
    "bank_account": [("110245124678", "110-245-124678", "110 245 124678")],
    "frn": [("1105275815659", "110527-5815659")],
}


@pytest.mark.parametrize(
    ("type", "key", "value"),
    [(t, key, value) for t, rows in SAME.items() for key, *values in rows for value in values],
)
def test_spellings_of_one_value_are_one_key(type: str, key: str, value: str) -> None:
    assert normal(type, value) == key


def test_every_type_is_tried() -> None:
    assert set(SAME) == set(TYPES)


def test_numbers_of_a_house_and_of_a_flat_do_not_run_together() -> None:
    assert normal("address", "중앙로 1, 23호") != normal("address", "중앙로 12, 3호")
    assert normal("address", "중앙로 1-23") != normal("address", "중앙로 123")


@pytest.mark.parametrize("type", TYPES)
@given(data=st.data())
def test_is_a_fixed_point_of_any_text(type: str, data: st.DataObject) -> None:
    signs = "0123456789+()-.@:/% \t－．１２ａＢ공일점닷컴골뱅이서울시동로가www.http:at[]"
    text = data.draw(st.one_of(st.text(max_size=40), st.text(signs, max_size=40)))
    once = normal(type, text)
    assert normal(type, once) == once


SEPARATORS = st.sampled_from(
    ["-", "–", "—", " ", ".", "", " - ", "\u200b", "\u3000", "－", "_", "/", "·", "。", "ー"]
)
NUMBERS = sorted(set(TYPES) - {"phone", "email", "ip", "mac", "mention", "address", "url"})


@given(
    st.sampled_from(NUMBERS),
    st.lists(st.from_regex(r"[0-9]{1,6}", fullmatch=True), min_size=1, max_size=4),
    SEPARATORS,
    SEPARATORS,
    st.booleans(),
)
def test_separators_and_width_do_not_count(
    type: str, groups: list[str], one: str, other: str, wide: bool
) -> None:
    spelt = one.join(groups)
    if wide:
        spelt = spelt.translate({48 + i: 0xFF10 + i for i in range(10)})
    assert normal(type, spelt) == normal(type, other.join(groups))


def test_decomposed_hangul_is_the_same() -> None:
    decomposed = unicodedata.normalize("NFD", "12가 3456")
    assert normal("vehicle_plate", decomposed) == "12가3456"


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(InputError, match="allowed: phone"):
        normal("name", "x")


@pytest.mark.parametrize("type", TYPES)
@given(st.text("0123ab.-@。．ー⁃ㅡ·・０１２ａｂ가나", max_size=30))
def test_characters_that_look_alike_to_the_detector_are_alike(type: str, text: str) -> None:
    assert normal(type, fold(text)) == normal(type, text)


@pytest.mark.thin(6)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("unit", [" ", "\u3000", "-", " -", ".", "www.", "//", "at ", "( "])
def test_long_runs_come_to_an_end(type: str, unit: str) -> None:
    # No clock: a rule that takes time by the square of the length would run for an hour.
    assert normal(type, f"a1{unit * 100_000}1x") is not None
