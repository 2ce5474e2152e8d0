"""`klue leaderboard publish`: a folder that is written whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

sys.path += [str(Path(__file__).parents[2] / "leaderboard" / name) for name in ("", "web")]

import web_boards

from flows.cli import app
from flows.leaderboard.publishing import is_protected, publish_board
from pipeline.core.errors import InputError


@pytest.fixture
def board(tmp_path: Path) -> web_boards.WebBoard:
    web = web_boards.make(tmp_path / "board", tasks=("tc", "ner"))
    web_boards.fill(web, {"tc": web_boards.METRICS["tc"]})
    return web


def test_a_board_becomes_a_folder_of_pages(board: web_boards.WebBoard, tmp_path: Path) -> None:
    out = tmp_path / "sites" / "new"
    words = ["leaderboard", "publish", str(board.folder), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["files"] == sum(path.is_file() for path in out.rglob("*"))
    assert (record["version"], record["part"], record["entries"]) == (1, "public", 9)
    assert "가람-large" in (out / "index.html").read_text("utf-8")
    assert [path.name for path in out.parent.iterdir()] == ["new"], "nothing else is left"


def test_a_folder_that_is_not_empty_stays_as_it_is(
    board: web_boards.WebBoard, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match="not empty"):
        publish_board(board.folder, tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_no_page_is_written_into_the_board(board: web_boards.WebBoard, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(board.folder)
    before = sorted(board.folder.rglob("*"))
    with pytest.raises(InputError, match="lies in the board, which is private"):
        publish_board(board.folder, tmp_path / "link" / "site")
    assert sorted(board.folder.rglob("*")) == before


def test_a_fault_in_the_middle_leaves_no_folder(
    board: web_boards.WebBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pipeline.leaderboard.web.site.board_json", broken)
    with pytest.raises(OSError, match="No space"):
        publish_board(board.folder, tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["board"]


def test_what_is_no_board_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["leaderboard", "publish", str(tmp_path), "--out", str(tmp_path / "site")]
    )
    assert done.exit_code == 2
    assert "klue leaderboard init" in done.output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to another user")
def test_a_board_is_protected_where_labels_belong_to_another_user(
    board: web_boards.WebBoard,
) -> None:
    layout = board.board.layout
    layout.private.mkdir(exist_ok=True)
    assert not is_protected(layout)
    os.chown(layout.private, 65_534, 65_534)
    assert is_protected(layout)
    site, _ = publish_board(board.folder, board.folder.parent / "site")
    assert site.protected
