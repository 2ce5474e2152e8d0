"""Trivial systems on a new board: submitted as all are, and scored when the board is served."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import board_stories as boards
import pytest

from flows.leaderboard.creation import create_board
from flows.leaderboard.job_server import JobClient
from pipeline.leaderboard.database import reading
from pipeline.leaderboard.entries import entries
from pipeline.scoring.baselines import BASELINES

CHANCE = {"nli": 100 / 3, "tc": 100 / 7}


def test_a_new_board_shows_the_trivial_systems_of_every_task(
    release: Path, tmp_path: Path, jobs: JobClient, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "board"
    created = create_board(
        folder, release, title="Board", database_url="", baselines=True, now=1_600_000_000
    )
    wanted = {task: len(BASELINES[task].systems) for task in created.tasks}
    assert created.baselines == sum(wanted.values())
    said = capsys.readouterr().err
    assert "mrc: no baseline 'nearest': an answer is a text of its own passage" in said
    with boards.opened(folder) as board:
        boards.settle(board, jobs)
        with reading(board.engine) as connection:
            found = entries(connection, version=1, part="public")
    assert Counter(entry.submission.task for entry in found) == wanted
    assert len({entry.submission.submitter.name for entry in found}) == 3
    scores = {(one.submission.task, one.submission.model.name): one.scores for one in found}
    for system in ("most frequent", "random"):
        accuracy = scores["nli", f"baseline: {system}"]["accuracy"]
        assert accuracy is not None
        assert 15 < accuracy < 55
    assert scores["sts", "baseline: most frequent"]["pearson"] is None
    for entry in found:
        for metric, value in entry.scores.items():
            assert (metric in entry.standings) == (value is not None)


def test_a_board_has_no_submission_unless_asked(release: Path, tmp_path: Path) -> None:
    created = create_board(
        tmp_path / "board", release, title="Board", database_url="", now=1_600_000_000
    )
    assert created.baselines == 0
    assert not list((tmp_path / "board" / "submissions").iterdir())
