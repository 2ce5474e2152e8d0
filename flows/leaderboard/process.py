"""A process of a board: web, checker or scorer. `klue leaderboard serve` starts one of each.

python -m flows.leaderboard.process ROLE FOLDER PARENT SOCKET PROTECTED
"""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path
from typing import Any, Final

from flows.leaderboard.limited_process import die_with_parent
from flows.view.console import say
from pipeline.core.errors import KlueError, MissingDependencyError
from pipeline.core.extras import install_command

#: Seconds that answers in flight have when the server ends.
_GRACE: Final = 1
#: What `uvicorn` holds at most at once; more wait or are told to come again.
_CONNECTIONS: Final = 512


class _StoppedError(BaseException):
    """The parent asks this process to end."""


def serve_web(folder: Path, listener: socket.socket, *, protected: bool) -> None:
    """Answer requests on a socket that listens."""
    import uvicorn

    from pipeline.leaderboard.web.app import create_app

    config = uvicorn.Config(
        create_app(folder, protected=protected),
        proxy_headers=False,  # the application knows which proxies to trust
        server_header=False,
        access_log=False,
        log_level="warning",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(config).run(sockets=[listener])


def work(role: str, folder: Path) -> None:
    """Check, or score, submissions for ever."""
    from flows.leaderboard import workers
    from flows.leaderboard.board import open_board
    from flows.leaderboard.job_server import JobClient

    step_of = {"checker": workers.checker, "scorer": workers.scorer}[role]
    with open_board(folder) as board, JobClient() as jobs:
        workers.run(step_of(board, jobs))


ROLES: Final = ("web", "checker", "scorer")


def main(role: str, folder: Path, parent: int, number: int, *, protected: bool) -> int:
    """Do what a role does until told to end; return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    die_with_parent(parent)
    try:
        if role == "web":
            serve_web(folder, socket.socket(fileno=number), protected=protected)
        else:
            work(role, folder)
    except _StoppedError:
        return 0
    except KlueError as error:
        say(f"{role}: {error}")
        return error.code
    except ModuleNotFoundError as error:
        say(f"{role}: {MissingDependencyError(f'{error.name}', install_command())}")
        return 1
    return 0


def _stop(*_: Any) -> None:
    raise _StoppedError


if __name__ == "__main__":
    sys.exit(
        main(
            sys.argv[1],
            Path(sys.argv[2]),
            int(sys.argv[3]),
            int(sys.argv[4]),
            protected=sys.argv[5] == "1",
        )
    )
