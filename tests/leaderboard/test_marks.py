from __future__ import annotations

import pytest
from boards import HIDDEN, Board, shown

from pipeline.leaderboard import audit_log, database, entries, ladders, submissions
from pipeline.leaderboard.marks import mark
from pipeline.leaderboard.records import Mark, RefusedError, Submission, Submitter


def _mark(
    board: Board, key: str, what: Mark, *, actor: Submitter | None = None, now: int = 50
) -> Submission:
    with database.writing(board.engine) as connection:
        return mark(connection, key, what, "테스트를 보고 배웠다", actor=actor, now=now)


def _refused(board: Board, key: str, what: Mark, actor: Submitter | None) -> int:
    with pytest.raises(RefusedError) as caught:
        _mark(board, key, what, actor=actor)
    return caught.value.status


def _shown(board: Board) -> list[tuple[str, str | None]]:
    with database.reading(board.engine) as connection:
        listed = entries.entries(connection, version=1, part="public")
    return [(entry.submission.key, entry.submission.mark) for entry in listed]


def _best(board: Board, key: str) -> str | None:
    with database.reading(board.engine) as connection:
        best = ladders.best_of(connection, submissions.get(connection, key), 1)
    return None if best is None else best.key


def _three(board: Board, who: Submitter) -> list[str]:
    """Return three submissions of a ladder: shown, not shown, shown and best."""
    return [
        board.scored(who, now=1),
        board.scored(who, now=2, best=False),
        board.scored(who, now=3),
    ]


def test_a_mark_is_added_and_nothing_goes(board: Board) -> None:
    who = board.submitter()
    key = board.scored(who, now=1)
    marked = _mark(board, key, "withdrawn", actor=who)
    assert (marked.state, marked.mark, marked.mark_reason) == (
        "scored",
        "withdrawn",
        "테스트를 보고 배웠다",
    )
    assert _shown(board) == [(key, "withdrawn")]
    assert (board.layout.submissions / marked.file).is_file()
    with database.reading(board.engine) as connection:
        _, event = audit_log.events(connection)[-1]
    assert (event.at, event.actor, event.action, event.subject) == (
        50,
        "submitter:한도담",
        "submission.mark",
        key,
    )
    assert event.detail == {"mark": "withdrawn", "reason": "테스트를 보고 배웠다"}


def test_whose_mark_it_may_be(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    key = board.scored(who, now=1)
    assert _refused(board, key, "withdrawn", other) == 404
    assert _refused(board, key, "disqualified", other) == 404
    assert _refused(board, key, "disqualified", who) == 403
    assert _refused(board, "nobody", "withdrawn", who) == 404
    assert _mark(board, key, "withdrawn").mark == "withdrawn"  # the organiser may do both
    assert _mark(board, key, "disqualified").mark == "disqualified"
    assert _refused(board, key, "withdrawn", who) == 409


@pytest.mark.parametrize("state", ["received", "accepted", "refused", "failed"])
def test_only_a_scored_submission_is_marked(board: Board, state: str) -> None:
    sent = board.send(board.submitter(), now=1)
    with database.writing(board.engine) as connection:
        if state == "refused":
            submissions.refuse(connection, sent.id, "why", now=2)
        elif state == "failed":
            submissions.fail(connection, sent.id, "why", now=2)
    if state == "accepted":
        board.accept(sent.id, now=2)
    assert _refused(board, sent.key, "disqualified", None) == 409


def test_the_same_mark_again_changes_nothing(board: Board) -> None:
    key = board.scored(board.submitter(), now=1)
    first = _mark(board, key, "disqualified", now=50)
    with database.writing(board.engine) as connection:
        before = audit_log.events(connection)
        assert mark(connection, key, "disqualified", "other", actor=None, now=60) == first
        assert audit_log.events(connection) == before


def test_a_withdrawn_best_stays_the_best_of_its_ladder(board: Board) -> None:
    """Otherwise the next one would be compared with less, or with nothing, and always be shown."""
    who = board.submitter()
    first, hidden, best = _three(board, who)
    _mark(board, best, "withdrawn", actor=who)
    assert _best(board, first) == best
    assert _shown(board) == [(best, "withdrawn")]
    fourth = board.scored(who, now=10**6)
    assert _best(board, first) == fourth
    assert _shown(board) == [(best, "withdrawn"), (fourth, None)]
    assert hidden not in dict(_shown(board))


def test_the_place_of_a_disqualified_best_goes_to_what_was_shown_before(board: Board) -> None:
    first, _, best = _three(board, board.submitter())
    _mark(board, best, "disqualified")
    assert _best(board, first) == first
    assert _shown(board) == [(first, None), (best, "disqualified")]
    _mark(board, first, "disqualified")
    assert _best(board, first) is None
    assert _shown(board) == [(first, "disqualified"), (best, "disqualified")]


def test_to_disqualify_what_is_not_the_best_leaves_the_best(board: Board) -> None:
    first, hidden, best = _three(board, board.submitter())
    _mark(board, first, "disqualified")
    _mark(board, hidden, "disqualified")
    assert _best(board, first) == best
    assert _shown(board) == [(first, "disqualified"), (best, None)]


def test_other_ladders_keep_their_best(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    key, theirs, task = (
        board.scored(who, now=1),
        board.scored(other, now=1),
        board.scored(who, now=1, task="nli"),
    )
    _mark(board, key, "disqualified")
    assert (_best(board, theirs), _best(board, task)) == (theirs, task)


def test_a_disqualified_submission_never_becomes_the_best_again(board: Board) -> None:
    who = board.submitter()
    first = board.scored(who, now=1)
    second = board.scored(who, now=2)
    _mark(board, second, "disqualified")
    with database.reading(board.engine) as connection:
        numbers = [submissions.get(connection, key).id for key in (first, second)]
    board.record(numbers[0], shown(0.5, part="final"), now=60)
    board.record(numbers[1], shown(0.9, part="final"), now=61)
    with database.reading(board.engine) as connection:
        final = entries.entries(connection, version=1, part="final")
    assert [(e.submission.key, e.submission.mark) for e in final] == [
        (first, None),
        (second, "disqualified"),
    ]
    assert _best(board, second) == first


def test_a_mark_on_what_was_never_shown_shows_nothing(board: Board) -> None:
    who = board.submitter()
    board.scored(who, now=1)
    sent = board.send(who, now=2)
    board.accept(sent.id, now=2)
    board.record(sent.id, HIDDEN, now=3)
    _mark(board, sent.key, "withdrawn", actor=who)
    assert sent.key not in dict(_shown(board))


@pytest.mark.parametrize("reason", ["", " \n", "x" * 2_001])
def test_a_mark_needs_a_reason(board: Board, reason: str) -> None:
    key = board.scored(board.submitter(), now=1)
    refused = pytest.raises(RefusedError, match="reason")
    with refused as caught, database.writing(board.engine) as connection:
        mark(connection, key, "withdrawn", reason, actor=None, now=2)
    assert caught.value.status == 422
