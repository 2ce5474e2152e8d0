from __future__ import annotations

import boards
import pytest
from boards import Board
from sqlalchemy import delete

from pipeline.core.errors import InputError
from pipeline.leaderboard import audit_log, database, versions
from pipeline.leaderboard.tables import VERSIONS


def test_versions_are_numbered_and_the_last_is_the_current_one(board: Board) -> None:
    assert boards.add_version(board.engine, now=7) == 2
    with database.reading(board.engine) as connection:
        assert [version.number for version in versions.all_versions(connection)] == [1, 2]
        current = versions.current(connection)
    assert (current.number, current.opened_at, current.closed_at) == (2, 7, None)


def test_to_close_twice_keeps_the_first_time_and_logs_once(board: Board) -> None:
    with database.writing(board.engine) as connection:
        assert versions.close(connection, 1, now=5).closed_at == 5
        assert versions.close(connection, 1, now=9).closed_at == 5
        actions = [event.action for _, event in audit_log.events(connection)]
    assert actions == ["version.add", "version.close"]


def test_a_board_without_a_version_is_an_error(board: Board) -> None:
    with database.writing(board.engine) as connection:
        connection.execute(delete(VERSIONS))
        with pytest.raises(InputError, match="has no version"):
            versions.current(connection)
