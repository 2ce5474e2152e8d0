"""`klue leaderboard serve`: an unsound board is refused before it starts; a server ends whole."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import board_stories as boards
import pytest
import servers
from board_stories import Sent, lines

from flows.leaderboard.board import Board
from flows.leaderboard.rescoring import rescore
from flows.leaderboard.serving import Address, serve
from pipeline.core.errors import KlueError
from pipeline.leaderboard import submissions, versions
from pipeline.leaderboard.database import writing
from pipeline.leaderboard.entries import entries
from pipeline.leaderboard.records import Submission

FREE = Address("127.0.0.1", 0)


def _refused(folder: Path, address: Address = FREE, **users: str | None) -> str:
    names = {"web_user": None, "scorer_user": None, **users}
    with pytest.raises(KlueError) as error:
        serve(folder, address, **names)
    return str(error.value)


def _change_label(folder: Path) -> None:
    path = folder / "private/releases/1.private/labels/nli.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def _change_manifest(folder: Path) -> None:
    path = folder / "public/1/manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"seed": ', b'"seed": 1'))


def _change_text(folder: Path) -> None:
    (folder / "public/1/nli/test.parquet").write_bytes(b"PAR1")


def _change_database(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "database/board.db")) as database:
        database.execute("ALTER TABLE scores ADD COLUMN mood TEXT")
        database.commit()


def _change_version(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "database/board.db")) as database:
        database.execute("UPDATE versions SET scorer_version = 'other'")
        database.commit()


def _remove_key(folder: Path) -> None:
    (folder / "private/half.key").write_text("abc", "ascii")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_change_label, "labels/nli.parquet: is gone, or was changed"),
        (_change_text, "nli/test.parquet: is gone, or was changed"),
        (_change_manifest, "its manifest was changed"),
        (_change_database, "its table scores is not the one of this version"),
        (_change_version, "scored by other code or other libraries than run here"),
        (_remove_key, "half.key: has 3 bytes, not 32"),
    ],
)
def test_an_unsound_board_is_not_served(
    board: Board, change: Callable[[Path], None], told: str
) -> None:
    change(board.folder)
    assert told in _refused(board.folder)


def test_a_port_in_use_or_out_of_range_is_told(board: Board) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = _refused(board.folder, Address("127.0.0.1", port))
    assert f"--host 127.0.0.1 --port {port}: cannot listen there: Address already in use" in said
    assert "cannot listen there" in _refused(board.folder, Address("203.0.113.9", 1))


def test_users_that_cannot_be_are_told(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "give both, or none" in _refused(board.folder, web_user="nobody")
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    said = _refused(board.folder, web_user="nobody", scorer_user="daemon")
    assert "only root may start processes of other users" in said
    monkeypatch.setattr(os, "getuid", lambda: 0)
    said = _refused(board.folder, web_user="nobody", scorer_user="no-such-user")
    assert "'no-such-user': no such user" in said
    said = _refused(board.folder, web_user="nobody", scorer_user="nobody")
    assert "are one user" in said
    assert "give other users" in _refused(board.folder, web_user="nobody", scorer_user="root")


def _send(board: Board, release: Path, name: str) -> Submission:
    rows = boards.worse(
        boards.answers(release, "nli"), 0.3, ["entailment", "contradiction", "neutral"]
    )
    return boards.send(board, boards.submitter(board, name), "nli", Sent(lines(rows)))


def _gone(numbers: list[int]) -> bool:
    return not any(servers.words_of(number) for number in numbers)


@pytest.mark.full
def test_a_server_works_and_ends_as_a_whole(board: Board, release: Path) -> None:
    """Submissions are checked and scored; a second server is refused; SIGTERM ends all."""
    with servers.running(board.folder) as server:
        servers.wait_for(lambda: len(server.children()) == 3, "three processes run")
        host, _, port = server.address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=servers.PATIENCE) as browser:
            browser.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in browser.makefile("rb").readline()
        sent = _send(board, release, "가람")
        servers.wait_for(lambda: boards.now(board, sent).state == "scored", "it is scored")
        assert "is served already" in _refused(board.folder)
        numbers = servers.descendants(server.process.pid)
        assert server.stop() == 128 + signal.SIGTERM
        servers.wait_for(lambda: _gone(numbers), "all processes end")


@pytest.mark.full
@pytest.mark.parametrize("role", ["web", "checker", "scorer"])
def test_a_process_that_is_killed_ends_the_server_with_an_error(board: Board, role: str) -> None:
    with servers.running(board.folder) as server:
        servers.wait_for(lambda: len(server.children()) == 3, "three processes run")
        numbers = servers.descendants(server.process.pid)
        os.kill(server.children()[role], signal.SIGKILL)
        assert server.process.wait(servers.PATIENCE) == 1
        assert f"the {role} process ended by itself (exit code -9)" in server.log.read_text("utf-8")
        servers.wait_for(lambda: _gone(numbers), "all processes end")


@pytest.mark.full
def test_a_server_that_is_killed_leaves_nothing_and_goes_on_when_started_again(
    board: Board, release: Path
) -> None:
    left = board.layout.incoming / "left"
    with servers.running(board.folder) as server:
        servers.wait_for(lambda: len(server.children()) == 3, "three processes run")
        numbers = servers.descendants(server.process.pid)
        server.process.kill()
        server.process.wait()
        servers.wait_for(lambda: _gone(numbers), "all processes end with their parent")
    left.write_bytes(b"half a file")
    sent = [_send(board, release, name) for name in ("가람", "누리")]
    with writing(board.engine) as connection:  # a worker died with one in its hands
        submissions.take(connection, "received", now=board.clock() + 10**9, lease=10**6)
    with servers.running(board.folder) as server:
        servers.wait_for(
            lambda: {boards.now(board, one).state for one in sent} == {"scored"}, "both are scored"
        )
        assert not left.exists()
        server.stop()


@pytest.mark.full
def test_a_rescore_beside_a_server_loses_nothing(board: Board, release: Path) -> None:
    with servers.running(board.folder) as server:
        sent = [_send(board, release, name) for name in ("가람", "누리", "한울")]
        version, _ = rescore(board.folder, release=None, reason="beside a server")
        servers.wait_for(
            lambda: {boards.now(board, one).state for one in sent} == {"scored"}, "all are scored"
        )
        with writing(board.engine) as connection:
            assert versions.current(connection) == version
        server.stop()
    with writing(board.engine) as connection:
        shown = entries(connection, version=2, part="public")
    assert [entry.submission.id for entry in shown] == [one.id for one in sent]
