"""A new version of a board: all is scored again, old ones stay; a close opens what is hidden."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import board_stories as boards
import pytest
from board_stories import Sent, lines

from flows.commands.errata import apply
from flows.leaderboard import rescoring, scorer_version
from flows.leaderboard.board import Board
from flows.leaderboard.closing import close
from flows.leaderboard.halves import is_public, read_key
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.rescoring import rescore
from flows.leaderboard.workers import scorer
from pipeline.core.errors import InputError, RetryError
from pipeline.leaderboard import marks, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Entry, ModelInfo, Part, RefusedError, Submission
from pipeline.leaderboard.scores import scores_of
from pipeline.report.record import Report

NLI = ["entailment", "contradiction", "neutral"]


def _entries(board: Board, version: int, part: Part = "public") -> list[Entry]:
    with reading(board.engine) as connection:
        return entries(connection, version=version, part=part)


def _send(board: Board, release: Path, name: str, share: float) -> Submission:
    rows = boards.worse(boards.answers(release, "nli"), share, NLI)
    model = ModelInfo(f"{name}-base", 10**8)
    return boards.send(board, boards.submitter(board, name), "nli", Sent(lines(rows), model=model))


@pytest.fixture(scope="module")
def gone(untouched: Path, release: Path) -> list[str]:
    """Return guids of the half that ranks, to be withdrawn."""
    key = read_key(Layout(untouched).half_key)
    guids = [row["guid"] for row in boards.answers(release, "nli")]
    return [guid for guid in guids if is_public(key, guid)][:7]


@pytest.fixture(scope="module")
def smaller(release: Path, gone: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the release without them, as an organiser makes it."""
    folder = tmp_path_factory.mktemp("smaller")
    patches = folder / "errata.jsonl"
    patch = {"field": "split", "old": "test", "new": None, "reason": "a complaint"}
    patches.write_bytes(lines({"guid": guid, **patch, "source": "organiser"} for guid in gone))
    with pytest.MonkeyPatch.context() as patch_:  # the report of quality takes most of the time
        empty = Report(title="", lead="", facts=[], sections=[])
        patch_.setattr("flows.publish.errata.official_report", lambda _: (empty, {}))
        apply(release, patches, folder / "sample" / "1.0.1")
    return folder / "sample" / "1.0.1"


def test_the_same_code_shows_the_same_and_history_stays(
    board: Board, jobs: JobClient, release: Path
) -> None:
    """Shown and not shown ones, best and not; a withdrawn one; under both versions."""
    sent = [_send(board, release, name, share) for name, share in (("가람", 0.4), ("누리", 0.3))]
    boards.settle(board, jobs)
    sent += [_send(board, release, name, share) for name, share in (("가람", 0.39), ("누리", 0.1))]
    boards.settle(board, jobs)
    with writing(board.engine) as connection:
        marks.mark(connection, sent[0].key, "withdrawn", "a fault", actor=None, now=9)
    boards.settle(board, jobs)
    before = _entries(board, 1)
    version, count = rescore(board.folder, release=None, reason="the metric was corrected")
    assert (version.number, count) == (2, 4)

    def seen(found: list[Entry]) -> list[Any]:
        return [(e.submission.id, e.submission.mark, e.scores, e.standings) for e in found]

    assert seen(_entries(board, 1)) == seen(before)
    assert seen(_entries(board, 2)) == seen(before)
    with reading(board.engine) as connection:
        of_one = [scores_of(connection, one.id, 2)[0].shown for one in sent]
    assert of_one == [True, True, False, True]


def test_withdrawn_examples_make_a_version_without_them(
    board: Board, jobs: JobClient, release: Path, smaller: Path, gone: list[str]
) -> None:
    """Files from before hold predictions for them, later files may; others are refused still."""
    key = read_key(board.layout.half_key)
    right = boards.answers(release, "nli")
    sent = _send(board, release, "가람", 0.2)
    boards.settle(board, jobs)
    (before,) = _entries(board, 1)
    version, _ = rescore(board.folder, release=smaller, reason="seven were withdrawn")
    (after,) = _entries(board, 2)
    assert version.release_version == "1.0.1" and after.release_hash != before.release_hash
    assert after.examples == before.examples - 7
    kept = [row for row in right if row["guid"] not in gone]
    wrong = boards.worse(kept, 0.2, NLI)
    half = [i for i, row in enumerate(kept) if is_public(key, row["guid"])]
    accuracy = 100 * sum(kept[i] == wrong[i] for i in half) / len(half)
    assert after.scores["accuracy"] == pytest.approx(accuracy)
    assert _entries(board, 1) == [before]

    late = [_send(board, release, "누리", 0.3), _send(board, smaller, "한울", 0.1)]
    strange = boards.send(
        board,
        boards.submitter(board, "다온"),
        "nli",
        Sent(lines([*kept, {"guid": "nli-x", "label": "neutral"}])),
    )
    boards.settle(board, jobs)
    assert [boards.now(board, one).state for one in (sent, *late)] == ["scored"] * 3
    assert "1 unknown" in boards.now(board, strange).reason


def test_a_release_with_other_questions_is_refused(
    board: Board, release: Path, smaller: Path
) -> None:
    """Nothing is written then, and a version that a killed rescore left is removed by the next."""
    with pytest.raises(InputError, match="nowhere: no such folder; give the folder of a release"):
        rescore(board.folder, release=release / "nowhere", reason="seven were withdrawn")
    rescore(board.folder, release=smaller, reason="seven were withdrawn")
    with pytest.raises(InputError, match="7 test examples of nli are new, the first is"):
        rescore(board.folder, release=release, reason="back again")
    assert sorted(path.name for path in (board.folder / "public").iterdir()) == ["1", "2"]
    left = board.layout.public_release(3)
    left.mkdir()
    (left / "manifest.json").write_text("{")
    version, _ = rescore(board.folder, release=None, reason="again")
    assert version.number == 3
    assert json.loads((left / "manifest.json").read_text("utf-8"))["version"] == "1.0.1"


def test_other_code_is_noticed_and_the_board_is_scored_anew(
    board: Board, jobs: JobClient, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = _send(board, release, "가람", 0.2)
    boards.settle(board, jobs)
    monkeypatch.setattr(scorer_version, "LIBRARIES", ("numpy",))
    scorer_version._digest.cache_clear()
    with pytest.raises(InputError, match="other code or other libraries than run here"):
        scorer(board, jobs)()
    rescore(board.folder, release=None, reason="new libraries")
    assert scorer(board, jobs)() is False
    old, new = (_entries(board, number)[0] for number in (1, 2))
    assert old.scorer_version != new.scorer_version and old.scores == new.scores
    assert new.submission.id == sent.id
    monkeypatch.undo()
    scorer_version._digest.cache_clear()


def test_a_scorer_waits_while_another_process_scores(
    board: Board, jobs: JobClient, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = _send(board, release, "가람", 0.2)
    boards.settle(board, jobs, score=False)
    handle = os.open(board.layout.private / "scorer.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        assert scorer(board, jobs)() is False
        monkeypatch.setattr(rescoring, "PATIENCE", 0.0)
        with pytest.raises(RetryError, match="another process scores"):
            rescore(board.folder, release=None, reason="again")
    finally:
        os.close(handle)
    boards.settle(board, jobs)
    assert boards.now(board, sent).state == "scored"


def test_a_close_scores_the_other_half_and_ends_the_intake(
    board: Board, jobs: JobClient, release: Path
) -> None:
    """What still waits is checked and scored first; twice changes nothing."""
    sent = [_send(board, release, name, share) for name, share in (("가람", 0.4), ("누리", 0.1))]
    boards.settle(board, jobs)
    assert _entries(board, 1, "final") == []
    sent.append(_send(board, release, "한울", 0.2))
    version, count = close(board.folder)
    assert count == 3 and version.closed_at is not None
    final = _entries(board, 1, "final")
    assert [e.submission.id for e in final] == [one.id for one in sent]
    key = read_key(board.layout.half_key)
    right = boards.answers(release, "nli")
    for entry, share in zip(final, (0.4, 0.1, 0.2), strict=True):
        wrong = boards.worse(right, share, NLI)
        half = [i for i, row in enumerate(right) if not is_public(key, row["guid"])]
        accuracy = 100 * sum(right[i] == wrong[i] for i in half) / len(half)
        assert entry.scores["accuracy"] == pytest.approx(accuracy)
        assert entry.standings["accuracy"].rank_low >= 1
        assert entry.examples == len(half)
    again, _ = close(board.folder)
    assert again.closed_at == version.closed_at
    assert _entries(board, 1, "final") == final
    with pytest.raises(RefusedError, match="the board is closed"):
        late = boards.opened(board.folder, clock=lambda: 10**10)
        with late as later:
            _send(later, release, "다온", 0.1)


def test_a_closed_board_stays_closed_when_it_is_scored_again(
    board: Board, jobs: JobClient, release: Path
) -> None:
    _send(board, release, "가람", 0.4)
    boards.settle(board, jobs)
    closed, _ = close(board.folder)
    version, _ = rescore(board.folder, release=None, reason="again")
    assert version.closed_at == closed.closed_at
    old, new = (_entries(board, number, "final")[0] for number in (1, 2))
    assert old.scores == new.scores and old.standings == new.standings
    with reading(board.engine) as connection:
        assert versions.current(connection).number == 2
