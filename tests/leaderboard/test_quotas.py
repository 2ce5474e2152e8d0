from __future__ import annotations

import pytest
from boards import Board
from hypothesis import given
from hypothesis import strategies as st

from pipeline.leaderboard import database, quotas, submissions
from pipeline.leaderboard.records import Quota, RefusedError, Submitter
from pipeline.leaderboard.settings import Limits

DAY, MONTH = 24 * 3600, 30 * 24 * 3600
START = 1_800_000_000


def _fits(charged: list[int], limits: Limits, at: int) -> bool:
    """Tell whether one more may be accepted at a time, as the rule is written: by counting."""
    return (
        sum(at - DAY < time <= at for time in charged) < limits.day
        and sum(at - MONTH < time <= at for time in charged) < limits.month
        and len(charged) < limits.total
    )


LIMITS = st.builds(Limits, day=st.integers(1, 4), month=st.integers(1, 8), total=st.integers(1, 12))
#: Ages of accepted submissions, many near the edges of the windows.
AGES = st.one_of(
    st.integers(0, MONTH + 10),
    st.integers(-2, 2).map(lambda near: DAY + near),
    st.integers(-2, 2).map(lambda near: MONTH + near),
    st.integers(0, 3),
)


@given(st.lists(AGES, max_size=14), LIMITS)
def test_the_next_time_is_right_to_the_second(ages: list[int], limits: Limits) -> None:
    charged = [START - age for age in ages]
    found = quotas.next_at(charged, limits, now=START)
    if found is None:
        assert not _fits(charged, limits, START + 10 * MONTH)
        return
    assert found >= START
    assert _fits(charged, limits, found)
    assert found == START or not _fits(charged, limits, found - 1)


@given(st.lists(AGES, max_size=14), LIMITS)
def test_room_never_shrinks_while_nothing_is_accepted(ages: list[int], limits: Limits) -> None:
    """With this, to look at the second before `next_at` is to look at all seconds before it."""
    charged = [START - age for age in ages]
    edges = sorted(
        START - age + window + d for age in ages for window in (DAY, MONTH) for d in (-1, 0)
    )
    fits = [_fits(charged, limits, at) for at in edges if at >= START]
    assert fits == sorted(fits)


def _quota(board: Board, who: Submitter, limits: Limits, now: int, task: str = "tc") -> Quota:
    with database.reading(board.engine) as connection:
        return quotas.quota_of(connection, who, task, limits, now=now)


def test_a_new_submitter_has_all(board: Board) -> None:
    quota = _quota(board, board.submitter(), Limits(day=2, month=5, total=9), 1)
    assert quota == Quota("tc", (0, 2), (0, 5), (0, 9), 0, None)
    assert quota.left == 2


def test_each_window_rolls(board: Board) -> None:
    who, limits = board.submitter(), Limits(day=2, month=3, total=4)
    for at in (0, 100):
        board.accept(board.send(who, now=at, limits=limits).id, now=at, limits=limits)
    quota = _quota(board, who, limits, 200)
    assert (quota.day, quota.left, quota.next_at) == ((2, 2), 0, DAY)
    assert _quota(board, who, limits, DAY - 1).left == 0
    quota = _quota(board, who, limits, DAY)
    assert (quota.day, quota.month, quota.left) == ((1, 2), (2, 3), 1)
    board.accept(board.send(who, now=DAY, limits=limits).id, now=DAY, limits=limits)
    quota = _quota(board, who, limits, DAY + 1)
    assert (quota.day, quota.month, quota.next_at) == ((2, 2), (3, 3), MONTH)
    now = MONTH + 100
    board.accept(board.send(who, now=now, limits=limits).id, now=now, limits=limits)
    quota = _quota(board, who, limits, 9 * MONTH)
    assert (quota.day, quota.month, quota.total) == ((0, 2), (0, 3), (4, 4))
    assert (quota.left, quota.next_at) == (0, None)


def test_only_what_is_accepted_and_did_not_fail_is_charged(board: Board) -> None:
    who, limits = board.submitter(), Limits(day=9)
    sent = [board.send(who, now=1, limits=limits) for _ in range(5)]
    assert _quota(board, who, limits, 2).pending == 5
    with database.writing(board.engine) as connection:
        submissions.refuse(connection, sent[0].id, "line 3: no guid", now=2)
        submissions.fail(connection, sent[1].id, "the checker died", now=2)
    for submission in sent[2:4]:
        board.accept(submission.id, now=2, limits=limits)
    quota = _quota(board, who, limits, 3)
    assert (quota.day, quota.pending, quota.left) == ((2, 9), 1, 6)
    with database.writing(board.engine) as connection:
        submissions.fail(connection, sent[2].id, "the scorer died", now=4)
    assert _quota(board, who, limits, 5).day == (1, 9)


def test_tasks_and_submitters_have_quotas_of_their_own(board: Board) -> None:
    who, other, limits = board.submitter("한도담"), board.submitter("가람"), Limits(day=1)
    board.accept(board.send(who, now=1, limits=limits).id, now=1, limits=limits)
    assert _quota(board, who, limits, 2).left == 0
    assert _quota(board, who, limits, 2, task="nli").left == 1
    assert _quota(board, other, limits, 2).left == 1


def test_what_waits_counts_as_if_it_were_accepted_now(board: Board) -> None:
    who, limits = board.submitter(), Limits(day=2, month=2, total=9)
    board.accept(board.send(who, now=5, limits=limits).id, now=5, limits=limits)
    board.send(who, now=6, limits=limits)
    quota = _quota(board, who, limits, 10)
    assert (quota.day, quota.pending, quota.left) == ((1, 2), 1, 0)
    assert quota.next_at == 5 + MONTH


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [(Limits(day=1), DAY - 3), (Limits(day=1, month=1), MONTH - 3), (Limits(total=1), None)],
    ids=["day", "month", "total"],
)
def test_a_refusal_says_what_is_used_and_when_there_is_more(
    board: Board, limits: Limits, seconds: int | None
) -> None:
    who = board.submitter()
    board.accept(board.send(who, now=1, limits=limits).id, now=2, limits=limits)
    with pytest.raises(RefusedError, match=r"no submission to tc is left: accepted are 1 of") as it:
        board.send(who, now=5, limits=limits)
    assert (it.value.status, it.value.retry_after) == (429, seconds)
    assert list(board.layout.submissions.iterdir())[1:] == []  # the second file is gone
    if seconds is not None:
        assert f"possible in {seconds:,} s" in it.value.reason
        with pytest.raises(RefusedError):
            board.send(who, now=5 + seconds - 1, limits=limits)
        assert board.send(who, now=5 + seconds, limits=limits).state == "received"


def test_a_clock_that_goes_back_gives_nothing(board: Board) -> None:
    who, limits = board.submitter(), Limits(day=1)
    board.accept(board.send(who, now=5_000, limits=limits).id, now=5_000, limits=limits)
    assert _quota(board, who, limits, 10).left == 0
