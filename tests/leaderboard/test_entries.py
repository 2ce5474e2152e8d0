from __future__ import annotations

import boards
from boards import HASH, HIDDEN, SCORER, Board, shown

from pipeline.leaderboard import database, standings
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.marks import mark
from pipeline.leaderboard.records import Entry, Part, Standing


def _entries(board: Board, *, version: int = 1, part: Part = "public") -> list[Entry]:
    with database.reading(board.engine) as connection:
        return entries(connection, version=version, part=part)


def _id(board: Board, key: str) -> int:
    return next(e.submission.id for e in _entries(board) if e.submission.key == key)


def _stale(board: Board, *, version: int = 1, part: Part = "public") -> list[str]:
    with database.reading(board.engine) as connection:
        return standings.stale_tasks(connection, version=version, part=part)


def _replace(board: Board, task: str, *numbers: int, version: int = 1) -> None:
    ranks = {n: Standing(place, len(numbers), 0.1, 0.9) for place, n in enumerate(numbers, 1)}
    with database.writing(board.engine) as connection:
        standings.replace(connection, {"f1": ranks}, version=version, part="public", task=task)


def test_an_entry_holds_all_that_its_row_shows(board: Board) -> None:
    sent = board.send(board.submitter(), now=1, content=b"{}", dev=b"{} ")
    board.accept(sent.id, now=2)
    board.record(sent.id, shown(0.5), shown(0.625, part="dev", best=False), now=3)
    _replace(board, "tc", sent.id)
    (entry,) = _entries(board)
    assert entry.submission.key == sent.key
    assert (entry.scores, entry.dev, entry.examples) == ({"f1": 0.5}, {"f1": 0.625}, 10)
    assert entry.standings == {"f1": Standing(1, 1, 0.1, 0.9)}
    assert (entry.scorer_version, entry.release_hash) == (SCORER, HASH)
    assert entry.digest == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_only_the_best_of_each_ladder_is_an_entry(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    board.scored(who, now=1)
    theirs = board.scored(other, now=2)
    board.scored(other, now=3, best=False)
    board.send(who, now=4)
    best = board.scored(who, now=5)
    assert [e.submission.key for e in _entries(board)] == [theirs, best]
    assert _entries(board, part="final") == []
    assert _entries(board, version=2) == []


def test_a_marked_entry_has_no_standing(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    keys = [board.scored(who, now=1), board.scored(other, now=1)]
    first, second = (_id(board, key) for key in keys)
    _replace(board, "tc", first, second)
    with database.writing(board.engine) as connection:
        mark(connection, keys[0], "withdrawn", "why", actor=who, now=9)
    marked, ranked = _entries(board)
    assert (marked.standings, marked.scores) == ({}, {"f1": 0.5})
    assert ranked.standings["f1"].rank_low == 2  # until its task is computed again
    assert _stale(board) == ["tc"]


def test_a_task_is_stale_until_all_that_ranks_has_its_standing(board: Board) -> None:
    who, other = board.submitter("한도담"), board.submitter("가람")
    assert _stale(board) == []
    first = _id(board, board.scored(who, now=1))
    board.scored(who, now=1, task="nli")
    assert _stale(board) == ["nli", "tc"]
    _replace(board, "tc", first)
    assert _stale(board) == ["nli"]
    second = _id(board, board.scored(other, now=2))
    assert _stale(board) == ["nli", "tc"]
    _replace(board, "tc", second, first)
    board.scored(who, now=3, best=False)
    assert _stale(board) == ["nli"]
    board.scored(who, now=4)
    assert _stale(board) == ["nli", "tc"]


def test_a_disqualified_best_makes_its_task_stale(board: Board) -> None:
    who = board.submitter()
    before, best = board.scored(who, now=1), board.scored(who, now=2)
    _replace(board, "tc", _id(board, best))
    assert _stale(board) == []
    with database.writing(board.engine) as connection:
        mark(connection, best, "disqualified", "why", actor=None, now=9)
    assert _stale(board) == ["tc"]
    _replace(board, "tc", _id(board, before))
    assert _stale(board) == []


def test_a_new_version_begins_without_entries_and_standings(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    board.accept(sent.id, now=2)
    board.record(sent.id, shown(0.5), now=3)
    _replace(board, "tc", sent.id)
    boards.add_version(board.engine, now=4)
    assert (_entries(board, version=2), _stale(board, version=2)) == ([], [])
    board.record(sent.id, shown(0.25), now=5, version=2)
    assert _stale(board, version=2) == ["tc"]
    assert [e.scores for v in (1, 2) for e in _entries(board, version=v)] == [
        {"f1": 0.5},
        {"f1": 0.25},
    ]
    assert _entries(board, version=2)[0].standings == {}


def test_new_standings_take_the_place_of_those_of_their_task_alone(board: Board) -> None:
    who = board.submitter()
    tc = _id(board, board.scored(who, now=1))
    nli = _id(board, board.scored(who, now=1, task="nli"))
    _replace(board, "tc", tc)
    _replace(board, "nli", nli)
    with database.writing(board.engine) as connection:
        at = {"version": 1, "part": "public", "task": "tc"}
        standings.replace(connection, {"em": {tc: Standing(1, 2, None, None)}}, **at)  # type: ignore[arg-type]
        held = standings.by_submission(connection, version=1, part="public")
    assert held == {
        tc: {"em": Standing(1, 2, None, None)},
        nli: {"f1": Standing(1, 1, 0.1, 0.9)},
    }


def test_a_score_that_is_not_shown_has_no_entry_even_if_it_is_the_only_one(board: Board) -> None:
    sent = board.send(board.submitter(), now=1)
    board.accept(sent.id, now=2)
    board.record(sent.id, HIDDEN, now=3)
    assert _entries(board) == []
