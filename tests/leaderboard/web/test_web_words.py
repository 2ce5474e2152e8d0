"""Numbers and times as the pages write them."""

from __future__ import annotations

import pytest

from pipeline.leaderboard.records import Quota
from pipeline.leaderboard.web.views import words
from pipeline.leaderboard.web.views.quota import quota_line, sentence


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, ""),
        (999, "999"),
        (110_000_000, "110M"),
        (1_300_000_000, "1.3B"),
        (999_900_000, "1B"),
        (10**12, "1T"),
        (10**15, "1,000,000,000,000,000"),
    ],
)
def test_parameters(count: int | None, text: str) -> None:
    assert words.parameters(count) == text


def test_scores_and_differences_have_two_decimals_and_a_real_minus() -> None:
    assert [words.score(x) for x in (None, -3.14159, 100.0)] == ["–", "−3.14", "100.00"]
    assert [words.difference(x) for x in (None, 1.0, -0.5)] == ["–", "+1.00", "−0.50"]
    assert words.interval(None, 1.0) == ""
    assert words.interval(-1.0, 1.0) == "−1.00 to 1.00"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "less than a minute"), (60, "1 minute"), (7_200, "2 hours"), (30 * 86_400, "30 days")],
)
def test_durations(seconds: int, text: str) -> None:
    assert words.duration(seconds) == text


def test_sizes() -> None:
    assert [words.size(n) for n in (100 * 1024**2, 1024**3, 1_000)] == [
        "100 MiB",
        "1 GiB",
        "1,000 bytes",
    ]


def test_a_message_becomes_a_sentence() -> None:
    assert [words.sentence(text) for text in ("no task", "Done.", "", " 왜? ")] == [
        "No task.",
        "Done.",
        "",
        "왜?",
    ]


def test_a_quota_says_what_is_left_or_when() -> None:
    now = 1_793_491_200
    some = Quota("tc", (1, 3), (1, 20), (1, 100), pending=1)
    none = Quota("tc", (3, 3), (3, 20), (3, 100), pending=0, next_at=now + 7_200)
    spent = Quota("tc", (0, 3), (0, 20), (100, 100), pending=0)
    assert sentence(some, now=now) == "1 left now; 1 not yet checked"
    assert sentence(none, now=now) == "none left now; the next in 2 hours (2026-11-01 02:00 UTC)"
    assert sentence(spent, now=now) == "none left: all are used"
    assert quota_line(some, "Topics", now=now).month == "1 of 20"
