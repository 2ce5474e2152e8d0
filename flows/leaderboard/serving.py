"""`klue leaderboard serve`: one parent that starts web, checker and scorer, and watches them.

What it starts ends with it: each process asks the kernel to be killed when its parent is gone.
"""

from __future__ import annotations

import fcntl
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.leaderboard.board import Board, open_board
from flows.leaderboard.halves import read_key
from flows.leaderboard.ownership import UMASK, Users, divide, users_of
from flows.leaderboard.process import ROLES
from flows.leaderboard.soundness import require_release, require_tables
from flows.view.console import say
from pipeline.core.errors import InputError, RetryError
from pipeline.core.files import input_errors
from pipeline.leaderboard import submissions, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.intake import remove_leftovers
from pipeline.leaderboard.layout import Layout

#: Seconds that processes have to end by themselves.
_GRACE: Final = 1.2
_LOCK: Final = "server.lock"
_MODULE: Final = "flows.leaderboard.process"


@dataclass(frozen=True)
class Address:
    """Where a board listens."""

    host: str
    port: int


def serve(folder: Path, address: Address, *, web_user: str | None, scorer_user: str | None) -> None:
    """Serve a board until this process is told to end.

    Raises InputError for a port in use, a board of another version of the tool or of other scoring
    code, and users that there are not; StoreError for a release that was changed; RetryError for a
    process that ended by itself.
    """
    users = users_of(web_user, scorer_user)
    with ExitStack() as stack:
        lock = stack.enter_context(_only_server(Layout(folder)))
        listener = stack.enter_context(_listen(address))
        with open_board(folder) as board:
            _prepare(board, users)
        processes = stack.enter_context(_started(folder, listener, lock, users))
        host, port = listener.getsockname()[:2]
        say(f"the board is at http://{f'[{host}]' if ':' in host else host}:{port}")
        if users is None:
            say("web and scorer run as one user: the web process could read the test labels")
        _watch(processes)


def _prepare(board: Board, users: Users | None) -> None:
    """Check a board, and put what a killed server left in order."""
    require_tables(board.engine)
    with reading(board.engine) as connection:
        version, files = versions.current(connection), submissions.files(connection)
    require_release(board.layout, version)
    read_key(board.layout.half_key)
    board.require_scorer(version)
    with writing(board.engine) as connection:
        submissions.release_all(connection)
    remove_leftovers(board.layout, files)
    if users is not None:
        divide(board.layout, users)


@contextmanager
def _only_server(layout: Layout) -> Iterator[int]:
    """Hold the lock of a board's server; its processes hold it too, until the last has ended."""
    path = layout.folder / _LOCK
    with input_errors(path, "opened", "run as the user who made the board"):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{layout.folder}: is served already; end that server first") from None
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _listen(address: Address) -> Iterator[socket.socket]:
    name = f"--host {address.host} --port {address.port}"
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        listener = socket.create_server((address.host, address.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "out of range"
        raise InputError(f"{name}: cannot listen there: {reason}; give another one") from None
    with listener:
        yield listener


@contextmanager
def _started(
    folder: Path, listener: socket.socket, lock: int, users: Users | None
) -> Iterator[Mapping[str, subprocess.Popen[bytes]]]:
    """Start the processes; end them, each by its own id, when the block is left."""
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for role in ROLES:
            processes[role] = _start(role, folder, listener.fileno(), lock, users)
        yield processes
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
            process.kill()
            process.wait()


def _start(
    role: str, folder: Path, listener: int, lock: int, users: Users | None
) -> subprocess.Popen[bytes]:
    words = (role, folder.resolve(), os.getpid(), listener, int(users is not None))
    command = [sys.executable, "-m", _MODULE, *map(str, words)]
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            pass_fds=(lock, *((listener,) if role == "web" else ())),
            start_new_session=True,
            **_identity(role, users),
        )
    except PermissionError:
        raise InputError(
            f"the user of {role} may not run {sys.executable}; install Python where all users can"
        ) from None


def _identity(role: str, users: Users | None) -> dict[str, Any]:
    """Return the options of a process by which it becomes the user of its role."""
    if users is None:
        return {}
    user = users.scorer if role == "scorer" else users.web
    groups = [users.web.gid] if role == "scorer" else []
    return {"user": user.uid, "group": user.gid, "extra_groups": groups, "umask": UMASK}


def _watch(processes: Mapping[str, subprocess.Popen[bytes]]) -> None:
    """Wait until a process ends by itself, and raise RetryError."""
    handles = {os.pidfd_open(process.pid): role for role, process in processes.items()}
    try:
        ended, _, _ = select.select(list(handles), [], [])
        role = handles[ended[0]]
        code = processes[role].wait()
        raise RetryError(
            f"the {role} process ended by itself (exit code {code}), so the server ends; what it"
            " said stands above; start it again: no submission is lost"
        )
    finally:
        for handle in handles:
            os.close(handle)
