"""The form of the original stays, and all forms of one value agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.pii.actions import Pseudonymiser
from pipeline.pii.normal import normal

KEY = b"a key of the test, 32 bytes long"
PSEUDONYMISER = Pseudonymiser(KEY)
replace = PSEUDONYMISER.replace

#: Forms of one value each, and what the pseudonym must look like.
FORMS = {
    "phone": [
        ("010-1234-5678", r"010-[01]\d{3}-\d{4}"),
        ("01012345678", r"010[01]\d{7}"),
        ("010 . 1234 . 5678", r"010 \. \d{4} \. \d{4}"),
        ("+82 10 1234 5678", r"\+82 10 \d{4} \d{4}"),
        ("+82-(0)10-1234-5678", r"\+82-\(0\)10-\d{4}-\d{4}"),
        ("0082 10-1234-5678", r"0082 10-\d{4}-\d{4}"),
        ("82-10-1234-5678", r"82-10-\d{4}-\d{4}"),
        ("０１０－１２３４－５６７８", r"０１０－[０-９]{4}－[０-９]{4}"),
        ("010_1234_5678", r"010_[01]\d{3}_\d{4}"),
        ("010/1234/5678", r"010/[01]\d{3}/\d{4}"),
        ("010·1234ㆍ5678", r"010·[01]\d{3}ㆍ\d{4}"),
        ("010ー1234⁃5678", r"010ー[01]\d{3}⁃\d{4}"),
        ("공일공 일이삼사 오육칠팔", r"공일공 [공일이삼사오육칠팔구]{4} [공일이삼사오육칠팔구]{4}"),
        ("영일영 일이삼사 오육칠팔", r"영일영 [영일이삼사오육칠팔구]{4} [영일이삼사오육칠팔구]{4}"),
    ],
    "email": [
        ("hong@naver.com", r"[a-z0-9_]+@example\.(com|net|org)"),
        ("HONG@NAVER.COM", r"[A-Z0-9_]+@EXAMPLE\.(COM|NET|ORG)"),
        ("hong 골뱅이 naver 점 com", r"[a-z0-9_]+ 골뱅이 example 점 (com|net|org)"),
        ("hong(at)naver[dot]com", r"[a-z0-9_]+\(at\)example\[dot\](com|net|org)"),
        ("hong골뱅이네이버닷컴", r"[a-z0-9_]+골뱅이example닷(com|net|org)"),
        ("hong@네이버", r"[a-z0-9_]+@example\.(com|net|org)"),
        ("ｈｏｎｇ＠ｎａｖｅｒ．ｃｏｍ", r"[ａ-ｚ０-９＿]+＠ｅｘａｍｐｌｅ．[ａ-ｚ]{3}"),
    ],
    "ip": [
        ("8.8.4.4", r"\d+\.\d+\.\d+\.\d+"),
        ("008.008.004.004", r"\d{3}\.\d{3}\.\d{3}\.\d{3}"),
        ("8. 8. 4. 4", r"\d+\. \d+\. \d+\. \d+"),
        ("８．８．４．４", r"[０-９]+．[０-９]+．[０-９]+．[０-９]+"),
        ("8。8。4。4", r"\d+。\d+。\d+。\d+"),
        ("::ffff:8.8.4.4", r"::ffff:\d+\.\d+\.\d+\.\d+"),
        ("::FFFF:808:404", r"::FFFF:[0-9a-f]+:[0-9a-f]+"),
    ],
    "mac": [
        ("00:1a:2b:3c:4d:5e", r"[0-9a-f]{2}(:[0-9a-f]{2}){5}"),
        ("00-1A-2B-3C-4D-5E", r"[0-9A-F]{2}(-[0-9A-F]{2}){5}"),
        ("００：１ａ：２ｂ：３ｃ：４ｄ：５ｅ", r"[０-９ａ-ｆ]{2}(：[０-９ａ-ｆ]{2}){5}"),
        ("００－１Ａ－２Ｂ－３Ｃ－４Ｄ－５Ｅ", r"[０-９Ａ-Ｆ]{2}(－[０-９Ａ-Ｆ]{2}){5}"),
        ("001a.2b3c.4d5e", r"[0-9a-f]{4}(\.[0-9a-f]{4}){2}"),
    ],
    "passport": [
        ("M123A4567", r"M\d{3}[A-Z]\d{4}"),
        ("m123a4567", r"m\d{3}[a-z]\d{4}"),
        ("Ｍ１２３Ａ４５６７", r"Ｍ[０-９]{3}[Ａ-Ｚ][０-９]{4}"),
    ],
    "driver_license": [
        ("11-17-174133-01", r"\d\d-\d\d-\d{6}-\d\d"),
        ("서울 17-174133-01", r"(경기북부|[가-힣]{2}) \d\d-\d{6}-\d\d"),
        ("111717413301", r"\d{12}"),
    ],
    "vehicle_plate": [
        ("12가3456", r"\d\d[가-주]\d{4}"),
        ("12 가 3456", r"\d\d [가-주] \d{4}"),
        ("１２가 ３４５６", r"[０-９]{2}[가-주] [０-９]{4}"),
    ],
    "url": [
        (
            "https://www.gildong.kr/A1/b?c=9#z",
            r"https://www\.example\.\w+/[A-Z]\d/[a-z]\?[a-z]=\d#[a-z]",
        ),
        ("gildong.kr/A1/b?c=9#z", r"example\.\w+/[A-Z]\d/[a-z]\?[a-z]=\d#[a-z]"),
        (
            "ｗｗｗ．ｇｉｌｄｏｎｇ．ｋｒ/A1/b?ｃ=9#z",
            r"ｗｗｗ．ｅｘａｍｐｌｅ．[ａ-ｚ]{3}/[A-Z]\d/[a-z]\?[ａ-ｚ]=\d#[a-z]",
        ),
        ("www.gildong．kr/A1/b?c=9#z", r"www\.example．\w+/[A-Z]\d/[a-z]\?[a-z]=\d#[a-z]"),
        ("HTTP://GILDONG.KR/A1/b?c=9#z", r"HTTP://example\.\w+/[A-Z]\d/[a-z]\?[a-z]=\d#[a-z]"),
    ],
    "mention": [("@gildong", r"@[a-z0-9_]+"), ("＠gildong", r"＠[a-z0-9_]+")],
    "address": [
        ("서울 강남구 테헤란로 123-4, 5층", r"[가-힣]{2} [가-힣]+구 [가-힣]+로 \d{3}-\d, \d층"),
        (
            "서울시 강남구 테헤란로123-4 (5층)",
            r"[가-힣]{2}시 [가-힣]+구 [가-힣]+로\d{3}-\d \(\d층\)",
        ),
        (
            "서울특별시 강남구 테헤란로 123-4 5층",
            r"[가-힣]{2}광역시 [가-힣]+구 [가-힣]+로 \d{3}-\d \d층",
        ),
    ],
}


@pytest.mark.parametrize(
    ("type", "value", "shape"), [(t, v, s) for t, rows in FORMS.items() for v, s in rows]
)
def test_the_form_stays(type: str, value: str, shape: str) -> None:
    assert re.fullmatch(shape, replace(type, value)), replace(type, value)


@pytest.mark.parametrize("type", FORMS)
def test_all_forms_of_one_value_have_one_pseudonym(type: str) -> None:
    values = [value for value, _ in FORMS[type]]
    assert len({normal(type, value) for value in values}) == 1
    assert len({normal(type, replace(type, value)) for value in values}) == 1


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("02)123-4567", r"02\)[01]\d\d-\d{4}"),
        ("(02) 1234-5678", r"\(02\) [01]\d{3}-\d{4}"),
        ("1588-1234", r"1[568]\d\d-\d{4}"),
        ("+82-1588-1234", r"\+82-1[568]\d\d-\d{4}"),
        ("070-1234-5678", r"070-[01]\d{3}-\d{4}"),
        ("0507-1234-5678", r"0507-[2-9]\d{3}-\d{4}"),
        ("0502-123-4567", r"0502-[2-9]\d{2}-\d{4}"),
        ("080-123-4567", r"080-[2-9]\d{2}-\d{4}"),
        ("011-234-5678", r"01[16-9]-[01]\d{2}-\d{4}"),
        ("064-712-3456", r"0[3-6][1-5]-[01]\d{2}-\d{4}"),
    ],
)
def test_a_telephone_number_stays_of_its_kind(value: str, shape: str) -> None:
    assert re.fullmatch(shape, replace("phone", value)), replace("phone", value)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("2001:4860:4860::8888", r"2001:db8:[0-9a-f]{4}::[0-9a-f]{4}"),
        ("2001:4860:4860:0:0:0:0:8888", r"2001:db8:[0-9a-f]{4}:0:0:0:0:[0-9a-f]{4}"),
        ("2A00:4860::AB", r"2001:DB8::[0-9A-F]{2}"),
        ("２Ａ００：４８６０：：ＡＢ", r"２００１：ＤＢ８：：[０-９Ａ-Ｆ]{2}"),
        ("[::1]", r"\[2001:db8::[0-9a-f]\]"),
    ],
)
def test_groups_of_ipv6_stay(value: str, shape: str) -> None:
    assert re.fullmatch(shape, replace("ip", value)), replace("ip", value)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("경기도 성남시 분당구 정자일로 95", r"[가-힣]+도 [가-힣]+시 [가-힣]+구 [가-힣]+로 \d\d"),
        ("전북 완주군 봉동읍 장기리 산 12-3번지", r"\S\S \S+군 \S+읍 \S+리 산 \d\d-\d번지"),
        ("구로구 구로동 12", r"(?!구로)\S+구 (?!구로)\S+동 \d\d"),
        ("경기성남시분당구정자동7", r"\S\S\S+시\S+구\S+동\d"),
        ("부산 해운대구 센텀중앙로48번길 5", r"\S\S \S+구 \S+로\d\d번길 \d"),
        ("서울 중구 을지로3가 12", r"\S\S \S+구 \S+\d가 \d\d"),
        ("서울 중구 장교동 무학빌딩 지하 2층", r"\S\S \S+구 \S+동 (?!무학)\S+빌딩 지하 \d층"),
        ("제주시 연동 12", r"(?!제주)\S+시 \S+동 \d\d"),
        ("부산진구 전포동 12", r"(?!부산)\S+구 \S+동 \d\d"),
        ("세종대로 110", r"(?!세종)\S+로 \d{3}"),
        ("０５호 서울", r"０[０-９]호 (?!서울)[가-힣]+"),
        ("경기 성남 분당구 정자동 12", r"\S\S (?!성남)[가-힣]{2} \S+구 \S+동 \d\d"),
        ("대구 동구로 12", r"\S\S (?!동구)\S+로 \d\d"),
        ("경기 성남 수정로 12", r"\S\S (?!성남)[가-힣]{2} \S+로 \d\d"),
        ("서울 강남대로 12", r"\S\S (?!강남)\S+로 \d\d"),
        ("부산 해운대구 APEC로 55", r"\S\S \S+구 [가-힣]+로 \d\d"),
        ("경기 김포시 김포한강4로 125", r"\S\S \S+시 [가-힣]+\d로 \d{3}"),
        ("제주시 1100로 12", r"(?!제주)\S+시 (?!1100)\d{4}로 \d\d"),
        ("현대모비스연구소앞길 7", r"(?!현대모비스)\S{2,5}길 (?!7)\d"),
        ("분당구 정자동 정자일로 95", r"\S+구 \S+동 (?!정자)\S+로 \d\d"),
        ("중구 필동 A동 101호", r"\S+구 \S+동 (?!A)[A-H]동 \d{3}호"),
    ],
)
def test_parts_of_an_address_stay_of_their_level(value: str, shape: str) -> None:
    assert re.fullmatch(shape, replace("address", value)), replace("address", value)


def test_a_road_is_never_its_own_pseudonym() -> None:
    for n in range(100):
        found = replace("address", f"서울 강남구 테헤란로 {n + 10}")
        assert not re.search("서울|강남|테헤란", found)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("12바3456", r"\d\d[바사아자]\d{4}"),
        ("서울 70 아 1234", r"(?!서울)[가-힣]{2} \d\d [바사아자] \d{4}"),
        ("12허3456", r"\d\d[하허호]\d{4}"),
        ("12배3456", r"\d\d배\d{4}"),
        ("123가4567", r"\d{3}[가-주]\d{4}"),
    ],
)
def test_a_plate_keeps_its_use(value: str, shape: str) -> None:
    assert re.fullmatch(shape, replace("vehicle_plate", value)), replace("vehicle_plate", value)


def test_masked_numbers_stay_masked() -> None:
    assert re.fullmatch(r"\d{6}-[12]\*{6}", replace("rrn", "900101-1******"))
    assert re.fullmatch(r"4\d{3}-\*{4}-\*{4}-\d{4}", replace("card", "4111-****-****-1111"))


def test_percent_codes_and_hangul_of_a_path_keep_their_kind() -> None:
    found = replace("url", "ko.wiki.kr/위키/%EA%B0%80.html")
    assert re.fullmatch(
        r"example\.\w+/[가-힣]{2}/%[0-9A-F]{2}%[0-9A-F]{2}%[0-9A-F]{2}\.[a-z]{4}", found
    )


SEPARATORS = st.sampled_from(["-", " ", "–", ".", "", " - ", "－", "_", "/", "·", "。", "ー"])


@given(
    st.sampled_from(["rrn", "frn", "bank_account", "business_number", "health_insurance", "card"]),
    st.lists(st.from_regex(r"[0-9]{3,6}", fullmatch=True), min_size=3, max_size=4),
    SEPARATORS,
    st.booleans(),
)
def test_only_digits_of_numbers_change(
    type: str, groups: list[str], separator: str, wide: bool
) -> None:
    spelt = separator.join(groups)
    if wide:
        spelt = spelt.translate({48 + i: 0xFF10 + i for i in range(10)})
    found = replace(type, spelt)
    # Digits of either width become 9 of that width.
    mask = {**dict.fromkeys(range(48, 58), "9"), **dict.fromkeys(range(0xFF10, 0xFF1A), "９")}
    assert found.translate(mask) == spelt.translate(mask)
    assert normal(type, found) == normal(type, replace(type, "".join(groups)))
    assert normal(type, found) != normal(type, spelt)


@given(
    st.from_regex(r"01[016-9][0-9]{7,8}|02[0-9]{7,8}|031[0-9]{7,8}|0507[0-9]{8}", fullmatch=True),
    st.sampled_from(["+82", "+82 ", "+82-(0)", "0082-", "(+82) 0"]),
    SEPARATORS,
)
def test_the_country_code_is_a_form_of_the_same_number(
    number: str, code: str, separator: str
) -> None:
    foreign = code + separator.join((number[1:-8], number[-8:-4], number[-4:]))
    found = replace("phone", foreign)
    assert found.startswith(code)
    assert normal("phone", foreign) == number
    assert normal("phone", found) == normal("phone", replace("phone", number))


@given(st.sampled_from(sorted(FORMS)), st.data())
def test_any_text_gives_a_pseudonym_or_a_clear_error(type: str, data: st.DataObject) -> None:
    text = data.draw(st.text(max_size=30))
    try:
        found = replace(type, text)
    except InputError:
        return
    assert normal(type, found) != normal(type, text)
