"""Names, parts of values and dates: as knowledge bases write them, and as sentences do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tasks.re.knowledge.properties import (
    dates,
    key_of,
    may_be_name,
    pieces,
    split_title,
    surfaces,
)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("차은목_(소설가)", ("차은목", "소설가")),
        ("솔하 (2012년 음반)", ("솔하", "2012년 음반")),
        ("문태율_(축구)__문태율__1", ("문태율", "축구")),
        ("《소금밭의_달력》", ("소금밭의 달력", "")),
        ("가람포_FC", ("가람포 FC", "")),
        ("(주)둥근달", ("(주)둥근달", "")),
        ("_", ("", "")),
    ],
)
def test_names_lose_underscores_and_qualifiers(title: str, expected: tuple[str, str]) -> None:
    assert split_title(title) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("윤상백(부), 오정임(모)", ["윤상백", "오정임"]),
        ("배우 / 가수·작사가", ["배우", "가수", "작사가"]),
        ("1,234명 (2019년 12월)", ["1,234명"]),
        ("한빛섬 [1] ((옛) 이름)", ["한빛섬"]),
        (" , / ", []),
    ],
)
def test_values_are_split_without_brackets(value: str, expected: list[str]) -> None:
    assert pieces(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1963-05-21", ["1963년 5월 21일", "1963년"]),
        ("+1963-05-21T00:00:00Z", ["1963년 5월 21일", "1963년"]),
        ("1963년 5월 21일(1963-05-21)", ["1963년 5월 21일", "1963년"]),
        ("1963.5.", ["1963년 5월", "1963년"]),
        ("1963년", ["1963년"]),
        ("1963-00-00", ["1963년"]),
        ("1963-13-40", ["1963년"]),
        ("서울특별시", []),
        ("0000-01-01", []),
    ],
)
def test_dates_take_the_form_of_text(value: str, expected: list[str]) -> None:
    assert dates(value) == expected


def test_two_writings_have_one_key() -> None:
    assert key_of("마르코 벨라리") == key_of("마르코벨라리")
    assert key_of("1963. 5. 21.") == key_of("1963년 5월 21일") == key_of("1963-05-21")
    assert key_of("1963") == key_of("1963년")
    assert key_of("7,000명") == key_of("7000명")
    assert key_of("ＫＢＳ") == key_of("kbs")
    assert key_of("1963년") != key_of("1963년 5월")


def test_what_cannot_stand_in_a_sentence_is_no_name() -> None:
    bad = ["가", "12345", "https://example.org/가나", "가" * 41, '\\"가나\\"', "", "1a"]
    assert not any(map(may_be_name, bad))
    assert all(map(may_be_name, ["가나", "2NE", "가람포 FC"]))


def test_links_and_parts_and_dates_come_once() -> None:
    found = list(
        surfaces("가람포시 북문동, 가람포시 (1990-01-02)", ["가람포시", "북문동 (가람포)"])
    )
    assert found == ["가람포시", "북문동", "가람포시 북문동", "1990년 1월 2일", "1990년"]


@given(st.text(max_size=60))
def test_any_text_is_taken(text: str) -> None:
    assert not any(c.isspace() for c in key_of(text))
    assert all(pieces(piece) for piece in pieces(text))
    assert "(" not in split_title(text).qualifier
    assert len(list(surfaces(text, [text]))) == len(set(surfaces(text, [text])))
