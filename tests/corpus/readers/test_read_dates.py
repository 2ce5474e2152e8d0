"""Dates of corpora to ISO dates."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.readers import records


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2017-09-21", "2017-09-21"),
        ("2017.09.21. 오후 5:09", "2017-09-21"),
        ("2017. 9. 21.", "2017-09-21"),
        ("2017-09-21 17:09:00", "2017-09-21"),
        ("2017/9/21", "2017-09-21"),
        ("2017년 9월 21일", "2017-09-21"),
        ("20170921", "2017-09-21"),
        ("20170921170900", "2017-09-21"),
        ("2017-09-21T17:09:00Z", "2017-09-21"),
        ("2017-09-21T23:59:59.123+09:00", "2017-09-21"),
        (" 2017-09-21 ", "2017-09-21"),
        ("2017-02-30", None),
        ("2017-13-01", None),
        ("2017-09", None),
        ("2017-09-211", None),
        ("201709211", None),
        ("21.09.2017", None),
        ("어제", None),
        ("", None),
        ("0000-00-00", None),
    ],
)
def test_the_forms_that_corpora_use(text: str, expected: str | None) -> None:
    assert records.iso_date(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("11.04.05", "2011-04-05"), ("00.02.29", "2000-02-29"), ("11.13.05", None), ("11.4", None)],
)
def test_dates_with_a_short_year(text: str, expected: str | None) -> None:
    assert records.short_date(text) == expected


@given(st.dates(min_value=datetime.date(1000, 1, 1)))
def test_every_day_survives_each_form(day: datetime.date) -> None:
    for form in ("%Y-%m-%d", "%Y%m%d", "%Y.%m.%d.", "%Y년 %m월 %d일", "%Y-%m-%dT%H:%M:%S+09:00"):
        assert records.iso_date(day.strftime(form)) == day.isoformat()
