from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import boards
import pytest
from boards import HASH, HIDDEN, LIMITS, MODEL, SCORER, Board, shown

from pipeline.leaderboard import audit_log, database, ladders, scores, submissions, versions
from pipeline.leaderboard.records import ModelInfo, RefusedError, Score, Submission, Submitter
from pipeline.leaderboard.settings import Limits


def _take(board: Board, state: str, now: int, lease: int = 10) -> Submission | None:
    with database.writing(board.engine) as connection:
        return submissions.take(connection, state, now=now, lease=lease)  # type: ignore[arg-type]


def _get(board: Board, key: str) -> Submission:
    with database.reading(board.engine) as connection:
        return submissions.get(connection, key)


def _actions(board: Board) -> list[str]:
    with database.reading(board.engine) as connection:
        return [event.action for _, event in audit_log.events(connection)]


def _refused(board: Board, who: Submitter, **more: object) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        board.send(who, **more)  # type: ignore[arg-type]
    return caught.value


def test_a_submission_goes_its_way(board: Board) -> None:
    who = board.submitter()
    sent = board.send(who, now=5, dev=b"{}")
    assert (sent.state, sent.received_at, sent.accepted_at) == ("received", 5, None)
    assert (sent.submitter, sent.model, sent.size_class) == (who, MODEL, "100M to 1B")
    assert (sent.file, sent.dev_file) == (f"{sent.key}.jsonl", f"{sent.key}.dev.jsonl")
    taken = _take(board, "received", 6)
    assert taken is not None
    assert (taken.id, taken.attempts) == (sent.id, 1)
    accepted = board.accept(sent.id, now=7)
    assert (accepted.state, accepted.accepted_at, accepted.attempts) == ("accepted", 7, 0)
    assert _take(board, "accepted", 8) is not None
    done = board.record(sent.id, shown(0.5), shown(None, part="dev", best=False), now=9)
    assert (done.state, done.reason) == ("scored", "")
    assert _get(board, sent.key) == done
    assert _actions(board)[2:] == [
        "submission.receive",
        "submission.accept",
        "submission.score",
    ]
    with database.reading(board.engine) as connection:
        dev, public = scores.scores_of(connection, sent.id, 1)
        assert submissions.files(connection) == {sent.file, sent.dev_file}
    assert (public.part, public.metrics, public.best) == ("public", {"f1": 0.5}, True)
    assert (dev.part, dev.metrics, dev.reasons) == ("dev", {"f1": None}, {"f1": "too few examples"})


def test_every_step_that_is_made_again_changes_nothing(board: Board) -> None:
    who, content = board.submitter(), b'{"guid": "a"}'
    first = board.send(who, now=1, content=content, key="k1")
    assert board.send(who, now=9, content=content, key="k1") == first
    accepted = board.accept(first.id, now=2)
    assert board.accept(first.id, now=9) == accepted
    scored = board.record(first.id, shown(0.5), now=3)
    assert board.record(first.id, shown(0.7), now=9, message="other") == scored
    before = _actions(board)
    with database.writing(board.engine) as connection:
        assert submissions.refuse(connection, first.id, "late", now=9) == scored
        assert submissions.fail(connection, first.id, "late", now=9) == scored
        assert submissions.accept(connection, first.id, limits=LIMITS, now=9) == scored
        assert [s.metrics for s in scores.scores_of(connection, first.id, 1)] == [{"f1": 0.5}]
    assert _actions(board) == before


@pytest.mark.parametrize("end", ["refuse", "fail"])
def test_what_is_refused_or_failed_stays_so(board: Board, end: str) -> None:
    sent = board.send(board.submitter(), now=1)
    finish = getattr(submissions, end)
    with database.writing(board.engine) as connection:
        ended = finish(connection, sent.id, "line 3: guid \ud800 \0", now=2)
        assert finish(connection, sent.id, "again", now=3) == ended
    assert ended.state == {"refuse": "refused", "fail": "failed"}[end]
    assert ended.reason == "line 3: guid ? \ufffd"
    assert board.accept(sent.id, now=4) == ended
    assert board.record(sent.id, shown(0.5), now=5) == ended
    assert _take(board, "received", 99) is None
    with database.reading(board.engine) as connection:
        assert scores.scores_of(connection, sent.id, 1) == []


def test_what_is_accepted_cannot_be_refused_but_fail(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    accepted = board.accept(sent.id, now=2)
    with database.writing(board.engine) as connection:
        assert submissions.refuse(connection, sent.id, "late", now=3) == accepted
        assert submissions.fail(connection, sent.id, "the scorer died", now=3).state == "failed"


def test_the_same_file_is_refused_and_its_former_named(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    content = b'{"guid": "a"}'
    first = board.send(who, now=1, content=content)
    for state in ("received", "accepted", "scored"):
        assert _get(board, first.key).state == state
        error = _refused(board, who, now=2, content=content)
        assert (error.status, error.submission) == (409, first.key)
        assert f"as {first.key} of model '가람-base'" in error.reason
        if state == "received":
            board.accept(first.id, now=2)
        else:
            board.record(first.id, shown(0.5), now=3)
    assert board.send(who, now=4, content=content, task="nli").state == "received"
    assert board.send(other, now=4, content=content).state == "received"


@pytest.mark.parametrize("end", [submissions.refuse, submissions.fail])
def test_a_file_that_was_refused_or_failed_may_be_sent_again(board: Board, end: object) -> None:
    who, content = board.submitter(), b'{"guid": "a"}'
    first = board.send(who, now=1, content=content)
    with database.writing(board.engine) as connection:
        end(connection, first.id, "why", now=2)  # type: ignore[operator]
    assert board.send(who, now=3, content=content).id != first.id


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            ModelInfo(MODEL.name, 10, MODEL.kind),
            "parameters: .* with 110,000,000 before, now with 10;",
        ),
        (
            ModelInfo(MODEL.name, MODEL.parameters, "decoder"),
            "kind: .* encoder before, now with dec",
        ),
    ],
    ids=["parameters", "kind"],
)
def test_a_model_cannot_change_its_class(board: Board, model: ModelInfo, message: str) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    first = board.send(who, now=1)
    with pytest.raises(RefusedError, match=message) as caught:
        board.send(who, now=2, model=model)
    assert caught.value.status == 422
    assert board.send(other, now=2, model=model).model == model
    assert board.send(who, now=3).model_key == first.model_key


@pytest.mark.parametrize("end", [submissions.refuse, submissions.fail])
def test_what_was_told_with_a_refused_file_may_be_mended(
    board: Board, end: Callable[..., object]
) -> None:
    who = board.submitter()
    forgotten = replace(MODEL, parameters=None)
    first = board.send(who, now=1, model=forgotten)
    with database.writing(board.engine) as connection:
        end(connection, first.id, "line 3: wrong", now=2)
    mended = board.send(who, now=3)
    assert (mended.model_key, mended.size_class) == (first.model_key, "100M to 1B")


def test_what_was_told_of_a_model_may_be_left_out_later(board: Board) -> None:
    who = board.submitter()
    first = board.send(who, now=1)
    again = board.send(who, now=2, model=ModelInfo(MODEL.name, link="https://example.org"))
    assert (again.model, again.model_key) == (MODEL, first.model_key)


def test_a_size_that_was_not_told_at_first_cannot_be_told_later(board: Board) -> None:
    who = board.submitter()
    assert board.send(who, now=1, model=ModelInfo("가람")).size_class == "not told"
    error = _refused(board, who, now=2, model=ModelInfo("가람", 10))
    assert error.status == 422
    assert "with none before" in error.reason


def test_a_refusal_leaves_neither_file_nor_row_nor_model(board: Board) -> None:
    who = board.submitter()
    _refused(board, who, now=1, model=ModelInfo("<b>"))
    _refused(board, who, now=1, content=b"PK\x03\x04")
    with database.reading(board.engine) as connection:
        assert submissions.history(connection, who) == []
    assert list(board.layout.submissions.iterdir()) == []
    assert list(board.layout.incoming.iterdir()) == []


def test_a_closed_board_takes_nothing_but_ends_what_it_took(board: Board) -> None:
    who = board.submitter()
    sent = board.send(who, now=1)
    with database.writing(board.engine) as connection:
        versions.close(connection, 1, now=2)
    error = _refused(board, who, now=3)
    assert (error.status, error.reason) == (
        409,
        "the board is closed: it takes no more submissions",
    )
    assert board.accept(sent.id, now=4).state == "accepted"


def test_lowered_limits_refuse_what_they_leave_no_room_for(board: Board) -> None:
    who = board.submitter()
    first, second = (board.send(who, now=1) for _ in range(2))
    board.accept(first.id, now=2)
    refused = board.accept(second.id, now=3, limits=Limits(day=1))
    assert refused.state == "refused"
    assert "accepted are 1 of 1 in 24 hours" in refused.reason
    assert refused.accepted_at is None


def test_workers_take_the_oldest_that_nobody_works_on(board: Board) -> None:
    who = board.submitter()
    first, second, third = (board.send(who, now=1) for _ in range(3))
    assert [_take(board, "received", now).id for now in (10, 11)] == [first.id, second.id]  # type: ignore[union-attr]
    assert _take(board, "received", 19).id == third.id  # type: ignore[union-attr]
    again = _take(board, "received", 20)  # the first lease is over to the second
    assert again is not None
    assert (again.id, again.attempts) == (first.id, 2)
    assert _take(board, "received", 20) is None


def test_a_worker_gives_back_what_it_could_not_finish(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    _take(board, "received", 10, lease=999)
    with database.writing(board.engine) as connection:
        assert submissions.release(connection, sent.id, is_attempt=True).attempts == 1
    assert _take(board, "received", 11, lease=999) is not None
    with database.writing(board.engine) as connection:
        assert submissions.release(connection, sent.id, is_attempt=False).attempts == 1
    _take(board, "received", 12, lease=999)
    assert _take(board, "received", 13) is None
    with database.writing(board.engine) as connection:
        submissions.release_all(connection)
    assert _take(board, "received", 13) is not None


def test_to_give_back_what_is_finished_changes_nothing(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    _take(board, "received", 2)
    with database.writing(board.engine) as connection:
        refused = submissions.refuse(connection, sent.id, "why", now=3)
        assert submissions.release(connection, sent.id, is_attempt=False) == refused


def test_a_task_is_scored_in_the_order_of_receipt(board: Board) -> None:
    """Scoring all again by id shows then what was shown at first, on the ladders of all sizes."""
    who, large = board.submitter(), ModelInfo("가람-large", 2 * 10**9)
    first = board.send(who, now=1)
    second = board.send(who, now=1, model=large)
    elsewhere = board.send(who, now=1, task="nli")
    board.accept(second.id, now=2)
    assert _take(board, "accepted", 3) is None  # the first waits for its check
    board.accept(first.id, now=3)
    board.accept(elsewhere.id, now=3)
    taken = [_take(board, "accepted", 4) for _ in range(2)]
    assert [submission and submission.id for submission in taken] == [first.id, elsewhere.id]
    assert _take(board, "accepted", 5) is None
    board.record(first.id, shown(0.5), now=6)
    assert _take(board, "accepted", 7).id == second.id  # type: ignore[union-attr]
    board.record(second.id, HIDDEN, now=8)
    board.record(elsewhere.id, shown(0.6), now=8)
    with database.reading(board.engine) as connection:
        replayed = submissions.replayed(connection)
    assert [submission.id for submission in replayed] == [first.id, second.id, elsewhere.id]


def test_the_best_of_a_ladder_gives_way_to_a_better_one(board: Board) -> None:
    who = board.submitter()
    first = board.send(who, now=1)
    assert _best(board, first) is None
    board.accept(first.id, now=2)
    board.record(first.id, shown(0.5), now=3)
    second = board.send(who, now=4, model=ModelInfo("다른 이름", 120_000_000))
    assert _best(board, second) == first.id
    board.accept(second.id, now=5)
    hidden = board.record(second.id, HIDDEN, now=6, message="its gain is within its error")
    assert (hidden.state, hidden.reason) == ("scored", "its gain is within its error")
    assert _best(board, second) == first.id
    third = board.send(who, now=7)
    board.accept(third.id, now=8)
    board.record(third.id, shown(0.6), now=9)
    assert _best(board, second) == third.id
    with database.reading(board.engine) as connection:
        bests = [scores.scores_of(connection, s.id, 1)[0].best for s in (first, second, third)]
    assert bests == [False, False, True]


def _best(board: Board, submission: Submission) -> int | None:
    with database.reading(board.engine) as connection:
        best = ladders.best_of(connection, submission, 1)
    return None if best is None else best.id


def test_tasks_submitters_and_classes_have_ladders_of_their_own(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    keys = [
        board.scored(who, now=1),
        board.scored(who, now=1, task="nli"),
        board.scored(who, now=1, model=ModelInfo("가람-large", 10**10)),
        board.scored(other, now=1),
    ]
    sent = [_get(board, key) for key in keys]
    assert [_best(board, one) for one in sent] == [one.id for one in sent]


@pytest.mark.parametrize(
    "score",
    [
        Score("public", 3, shown=False, best=False, metrics={"f1": 0.5}),
        Score("public", 3, shown=False, best=False, metrics={}, reasons={"f1": "0.5"}),
        Score("public", 3, shown=False, best=True, metrics={}),
        Score("public", 3, shown=True, best=True, metrics={"f1": float("nan")}),
        Score("public", 3, shown=True, best=True, metrics={"f1": float("inf")}),
    ],
    ids=["number", "reason", "best", "nan", "inf"],
)
def test_a_number_that_is_not_shown_never_reaches_the_database(board: Board, score: Score) -> None:
    sent = board.send(board.submitter(), now=1)
    board.accept(sent.id, now=2)
    with pytest.raises(ValueError, match="public: a "):
        board.record(sent.id, score, now=3)
    assert _get(board, sent.key).state == "accepted"


def test_a_new_version_has_scores_of_its_own(board: Board) -> None:
    who = board.submitter()
    first = board.send(who, now=1)
    board.accept(first.id, now=2)
    board.record(first.id, shown(0.5), now=3)
    assert boards.add_version(board.engine, now=4) == 2
    board.record(first.id, HIDDEN, now=5, version=2, message="hidden now")
    with database.reading(board.engine) as connection:
        assert [s.shown for s in scores.scores_of(connection, first.id, 1)] == [True]
        assert [s.shown for s in scores.scores_of(connection, first.id, 2)] == [False]
    assert _get(board, first.key).reason == "hidden now"


def test_parts_may_come_one_after_the_other(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    board.accept(sent.id, now=2)
    board.record(sent.id, shown(0.5), now=3)
    board.record(sent.id, shown(0.4, part="final"), now=4)
    with database.reading(board.engine) as connection:
        parts = [(s.part, s.metrics) for s in scores.scores_of(connection, sent.id, 1)]
    assert parts == [("final", {"f1": 0.4}), ("public", {"f1": 0.5})]


@pytest.mark.parametrize("value", [0.1 + 0.2, 1 / 3, 5e-324, 100.0, 0.0, -0.0])
def test_numbers_come_back_bit_for_bit(board: Board, value: float) -> None:
    sent = board.send(board.submitter(), now=1)
    board.accept(sent.id, now=2)
    board.record(sent.id, shown(value), now=3)
    with database.reading(board.engine) as connection:
        back = scores.scores_of(connection, sent.id, 1)[0].metrics["f1"]
    assert back is not None
    assert back.hex() == value.hex()


def test_the_history_is_one_s_own_and_begins_with_the_latest(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    sent = [board.send(who, now=now) for now in (1, 2, 3)]
    theirs = board.send(other, now=4)
    with database.reading(board.engine) as connection:
        assert submissions.history(connection, who) == sent[::-1]
        assert submissions.history(connection, other) == [theirs]


def test_the_place_in_the_queue_counts_those_before(board: Board) -> None:
    who = board.submitter()
    first, second, third = (board.send(who, now=1) for _ in range(3))
    board.accept(second.id, now=2)
    with database.reading(board.engine) as connection:
        places = [submissions.queue_position(connection, s.id) for s in (first, second, third)]
        assert places == [1, 1, 2]
        assert submissions.waiting(connection) == {"received": 2, "accepted": 1}
    board.record(second.id, shown(0.5), now=3)
    with database.reading(board.engine) as connection:
        assert submissions.queue_position(connection, second.id) is None
        assert submissions.waiting(connection) == {"received": 2, "accepted": 0}


@pytest.mark.parametrize("key", ["", "nobody", "\0", "\ud800", "' OR 1=1 --"], ids=ascii)
def test_a_key_of_nothing_is_not_found(board: Board, key: str) -> None:
    board.send(board.submitter(), now=1)
    with pytest.raises(RefusedError) as caught:
        _get(board, key)
    assert caught.value.status == 404


def test_a_refusal_is_logged_although_its_transaction_is_rolled_back(board: Board) -> None:
    who = board.submitter()
    content = b'{"guid": "a"}'
    board.send(who, now=1, content=content)
    of_send = {"at": 2, "actor": audit_log.actor_of(who), "action": "submission.receive"}
    with pytest.raises(RefusedError), audit_log.refusals(board.engine, **of_send):  # type: ignore[arg-type]
        board.send(who, now=2, content=content)
    with database.reading(board.engine) as connection:
        number, event = audit_log.events(connection)[-1]
        assert audit_log.events(connection, after=number) == []
    assert (event.at, event.actor, event.action) == (2, "submitter:한도담", "submission.receive")
    assert event.detail["status"] == 409


def test_scores_hold_what_they_were_made_by(board: Board) -> None:
    key = board.scored(board.submitter(), now=1)
    with database.reading(board.engine) as connection:
        row = connection.exec_driver_sql("SELECT scorer_version, release_hash FROM scores").one()
    assert tuple(row) == (SCORER, HASH)
    assert _get(board, key).state == "scored"
