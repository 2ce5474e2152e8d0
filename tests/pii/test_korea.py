"""Check digits against python-stdnum, an independent implementation of the public rules."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn as luhn_reference
from stdnum.kr import brn, rrn

from pipeline.pii import korea


def _digits(n: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=n, max_size=n)


@given(st.from_regex(r"[0-9]{6}[0-49][0-9]{5}", fullmatch=True))
def test_resident_registration_numbers(first: str) -> None:
    assert korea.is_registration_number(first + rrn.calc_check_digit(first + "0"))
    assert sum(korea.is_registration_number(first + last) for last in "0123456789") == 1


@given(st.from_regex(r"[0-9]{6}[5-8][0-9]{5}", fullmatch=True))
def test_the_foreign_check_digit_is_the_resident_one_plus_two(first: str) -> None:
    last = (int(rrn.calc_check_digit(first + "0")) + 2) % 10
    assert korea.is_registration_number(f"{first}{last}")
    assert sum(korea.is_registration_number(first + digit) for digit in "0123456789") == 1


@pytest.mark.parametrize("digits", ["1168200276", "1348672683", "1248100998", "2208162517"])
def test_published_business_registration_numbers(digits: str) -> None:
    assert korea.is_business_number(digits)
    assert brn.is_valid(digits)
    changed = [digits[:9] + last for last in "0123456789" if last != digits[9]]
    assert not any(map(korea.is_business_number, changed))
    assert not korea.is_business_number(digits[:9])


@given(_digits(15))
def test_payment_cards(first: str) -> None:
    assert korea.is_luhn(first + luhn_reference.calc_check_digit(first))
    assert sum(korea.is_luhn(first + last) for last in "0123456789") == 1


@pytest.mark.parametrize(
    ("digits", "birth"),
    [
        ("9002281", date(1990, 2, 28)),
        ("0002293", date(2000, 2, 29)),
        ("0002291", None),  # 1900 was no leap year
        ("9002301", None),
        ("9913322", None),
        ("2010017", date(2020, 10, 1)),
        ("9001013", None),  # 2090
    ],
)
def test_birth_dates(digits: str, birth: date | None) -> None:
    assert korea.birth_date(digits + "000000") == birth
