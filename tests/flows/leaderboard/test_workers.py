"""The way of a submission through checker and scorer, on a board of the sample."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import board_stories as boards
import mini
import pytest
from board_stories import MODEL, Sent, lines

from flows.leaderboard.board import Board
from flows.leaderboard.checking import check_next
from flows.leaderboard.halves import is_public, read_key
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.limited_process import Outcome
from flows.leaderboard.scorer import score_next
from pipeline.leaderboard import marks, quotas, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.records import Part
from pipeline.leaderboard.scores import scores_of
from pipeline.leaderboard.tables import METADATA

NLI = ["entailment", "contradiction", "neutral"]


def _entries(board: Board, part: Part = "public") -> list[Any]:
    with reading(board.engine) as connection:
        return entries(connection, version=versions.current(connection).number, part=part)


def _shown(board: Board, submission: Any) -> dict[str, Any]:
    with reading(board.engine) as connection:
        return {score.part: score for score in scores_of(connection, submission.id, 1)}


def test_the_score_is_that_of_klue_score_on_the_public_half(
    board: Board, jobs: JobClient, release: Path, tmp_path: Path
) -> None:
    """And dev as a whole; the hidden half is nowhere."""
    rows = boards.worse(boards.answers(release, "nli"), 0.3, NLI)
    dev = boards.worse(boards.answers(release, "nli", "dev"), 0.2, NLI, seed=1)
    who = boards.submitter(board)
    sent = boards.send(board, who, "nli", Sent(lines(rows), lines(dev), MODEL))
    boards.settle(board, jobs)

    key = read_key(board.layout.half_key)
    right = {row["guid"]: row["label"] for row in boards.answers(release, "nli")}
    half = [row for row in rows if is_public(key, row["guid"])]
    assert len(rows) * 0.35 < len(half) < len(rows) * 0.65
    accuracy = 100 * sum(row["label"] == right[row["guid"]] for row in half) / len(half)
    scores = _shown(board, sent)
    assert set(scores) == {"public", "dev"}
    assert scores["public"].metrics == {"accuracy": pytest.approx(accuracy)}
    assert scores["public"].examples == len(half)

    (tmp_path / "dev.jsonl").write_bytes(lines(dev))
    words = ("--gold", release, "--split", "dev", "--pred", tmp_path / "dev.jsonl", "--json")
    done = mini.klue("score", "--task", "nli", *words)
    assert scores["dev"].metrics == json.loads(done.stdout)["scores"]
    assert scores["dev"].examples == len(dev)
    (entry,) = _entries(board)
    ranks = entry.standings["accuracy"]
    assert (ranks.rank_low, ranks.rank_high) == (1, 1)
    assert ranks.low is not None and ranks.low < accuracy < (ranks.high or 0)


@pytest.mark.parametrize("task", ["tc", "sts", "nli", "ner", "re", "dp", "mrc", "dst"])
def test_every_task_is_scored_in_its_own_form(
    board: Board, jobs: JobClient, release: Path, task: str
) -> None:
    """The right answers, in the form in which a release holds them, have a full score."""
    sent = boards.send(
        board, boards.submitter(board), task, Sent(lines(boards.answers(release, task)))
    )
    boards.settle(board, jobs)
    done = boards.now(board, sent)
    assert (done.state, done.reason) == ("scored", "")
    score = _shown(board, sent)["public"]
    numbers = [number for number in score.metrics.values() if number is not None]
    assert set(score.metrics) == {*score.metrics} and all(number == 100 for number in numbers)
    assert numbers or score.examples < 3


def test_a_broken_file_is_refused_as_klue_score_refuses_it(
    board: Board, jobs: JobClient, release: Path, tmp_path: Path
) -> None:
    rows = boards.answers(release, "nli")
    rows[3]["label"] = "maybe"
    rows[5] = rows[4]
    who = boards.submitter(board)
    sent = boards.send(board, who, "nli", Sent(lines(rows)))
    boards.settle(board, jobs)
    refused = boards.now(board, sent)
    assert refused.state == "refused" and refused.accepted_at is None

    path = tmp_path / refused.file
    path.write_bytes(lines(rows))
    words = ("--gold", release, "--pred", path, "--json")
    done = mini.klue("score", "--task", "nli", *words)
    told = json.loads(done.stdout)["error"].replace(f"{path}", path.name)
    assert refused.reason == told
    assert f"{path.name} line 4: guid {rows[3]['guid']}: `label` 'maybe' is not in" in told
    with reading(board.engine) as connection:
        limits = board.settings.limits
        quota = quotas.quota_of(connection, who, "nli", limits, now=board.clock())
    assert quota.day == (0, limits.day) and quota.pending == 0


def test_a_ladder_shows_gains_alone_and_no_number_that_is_none(
    board: Board, jobs: JobClient, release: Path
) -> None:
    """A gain of 30 points is shown; one of a point is not, nor is what is worse, anywhere."""
    right, who = boards.answers(release, "nli"), boards.submitter(board)
    sent = []
    for share in (0.40, 0.39, 0.6, 0.05, 0.05):
        rows = boards.worse(right, share, NLI, seed=len(sent) if share == 0.05 else 0)
        sent.append(boards.send(board, who, "nli", Sent(lines(rows), model=MODEL)))
        boards.settle(board, jobs)
        with writing(board.engine) as connection:  # five are more than a day allows
            table = METADATA.tables["submissions"]
            connection.execute(table.update().values(accepted_at=1))
    shown = [_shown(board, one)["public"] for one in sent]
    assert [score.shown for score in shown] == [True, False, False, True, False]
    assert [score.best for score in shown] == [False, False, False, True, False]
    for one, score in zip(sent, shown, strict=True):
        assert bool(score.metrics) == score.shown
        assert ("does not exceed its error" in boards.now(board, one).reason) != score.shown
    assert len(_entries(board)) == 1
    cached = list(board.layout.cache.glob("*"))
    assert len(cached) == sum(score.shown for score in shown)


def test_ranks_are_groups_that_the_data_cannot_part(
    board: Board, jobs: JobClient, release: Path
) -> None:
    """Two alike and one far behind; a withdrawn one leaves the ranks, and others move up."""
    right = boards.answers(release, "nli")
    sent = []
    for name, share in (("가람", 0.10), ("누리", 0.12), ("한울", 0.60)):
        rows = boards.worse(right, share, NLI)
        who = boards.submitter(board, name)
        sent.append(boards.send(board, who, "nli", Sent(lines(rows), model=MODEL)))
    boards.settle(board, jobs)
    ranks = {e.submission.id: e.standings["accuracy"] for e in _entries(board)}
    found = [(ranks[one.id].rank_low, ranks[one.id].rank_high) for one in sent]
    assert found == [(1, 2), (1, 2), (3, 3)]
    with writing(board.engine) as connection:
        marks.mark(connection, sent[0].key, "disqualified", "test labels", actor=None, now=9)
    boards.settle(board, jobs)
    by_id = {entry.submission.id: entry for entry in _entries(board)}
    ranks = {number: entry.standings.get("accuracy") for number, entry in by_id.items()}
    assert ranks[sent[0].id] is None
    assert (ranks[sent[1].id].rank_low, ranks[sent[2].id].rank_high) == (1, 2)


def test_a_worker_that_is_stopped_gives_back_what_it_holds(
    board: Board, jobs: JobClient, release: Path
) -> None:
    sent = boards.send(
        board, boards.submitter(board), "nli", Sent(lines(boards.answers(release, "nli")))
    )

    class Stopped(BaseException):
        pass

    class Broken:
        def run(self, *_: Any) -> Any:
            raise Stopped

    with pytest.raises(Stopped):
        check_next(board, Broken())  # type: ignore[arg-type]
    assert boards.now(board, sent).attempts == 0
    boards.settle(board, jobs)
    assert boards.now(board, sent).state == "scored"


@pytest.mark.parametrize("kind", ["crashed", "time"])
def test_our_faults_are_tried_three_times_and_never_charged(
    board: Board, jobs: JobClient, release: Path, kind: Any
) -> None:
    class Broken:
        def __init__(self) -> None:
            self.runs = 0

        def run(self, *_: Any) -> Outcome:
            self.runs += 1
            return Outcome(kind, "signal 11")

    who, broken = boards.submitter(board), Broken()
    rows = lines(boards.answers(release, "nli"))
    first = boards.send(board, who, "nli", Sent(rows))
    while check_next(board, broken):  # type: ignore[arg-type]
        pass
    assert broken.runs == 3 and boards.now(board, first).state == "failed"

    second, broken = boards.send(board, who, "nli", Sent(rows)), Broken()
    boards.settle(board, jobs, score=False)
    assert boards.now(board, second).state == "accepted"
    with reading(board.engine) as connection:
        version = versions.current(connection)
    while score_next(board, broken, version):  # type: ignore[arg-type]
        pass
    assert broken.runs == 3 and boards.now(board, second).state == "failed"
    with reading(board.engine) as connection:
        limits = board.settings.limits
        quota = quotas.quota_of(connection, who, "nli", limits, now=board.clock())
    assert quota.day[0] == 0


def test_a_file_that_was_changed_after_its_check_is_not_scored(
    board: Board, jobs: JobClient, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever may write the files, as the web process does, cannot put better answers in."""
    right = boards.answers(release, "nli")
    content = lines(boards.worse(right, 0.3, NLI))
    sent = boards.send(board, boards.submitter(board), "nli", Sent(content))
    boards.settle(board, jobs, score=False)
    (board.layout.submissions / sent.file).write_bytes(lines(right))
    boards.settle(board, jobs)
    assert boards.now(board, sent).state == "failed"
    assert _entries(board) == []
    assert "crashed ChangedError in run" in capsys.readouterr().err
