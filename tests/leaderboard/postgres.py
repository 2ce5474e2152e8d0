"""A PostgreSQL of its own for a test session: in a temporary folder, on a free port of loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

#: Seconds in which a server of this kind starts, or stops, on any machine.
PATIENCE = 60


def _program(name: str) -> str:
    """Return a program of PostgreSQL, or skip: Debian keeps them out of the path."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, places)]))
    if found is None:
        pytest.skip(f"no PostgreSQL: {name} is absent; apt-get install postgresql")
    return str(Path(found).resolve())


def _user() -> dict[str, Any]:
    """Return who runs the server: it refuses to be root."""
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running() -> Iterator[str]:
    """Give the URL of a server without the name of a database; it ends by its process id."""
    initdb, server = _program("initdb"), _program("postgres")
    folder = Path(tempfile.mkdtemp(prefix="klue-postgres-"))
    try:
        if _user():
            shutil.chown(folder, **_user())
        made = [initdb, "-D", str(folder / "data"), "-U", "klue", "-A", "trust", "--no-sync"]
        locale = ["--encoding", "UTF8", "--locale", "C.UTF-8"]
        subprocess.run([*made, *locale], check=True, capture_output=True, cwd=folder, **_user())
        port = _free_port()
        options = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off")
        words = [server, "-D", str(folder / "data"), "-p", str(port)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*words, *(word for option in options for word in ("-c", option))],
                cwd=folder,
                stdout=log,
                stderr=log,
                **_user(),
            )
        try:
            _wait(process, port, folder / "log")
            yield f"postgresql://klue@127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGINT)  # a fast stop: open connections are ended
            process.wait(PATIENCE)
    finally:
        shutil.rmtree(folder)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until the server answers."""
    import psycopg

    end = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="klue", dbname="postgres").close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"PostgreSQL does not start: {log.read_text('utf-8')[-2000:]}")
            time.sleep(0.1)
        else:
            return


def new_database(server: str, name: str) -> str:
    """Return the URL of a new database; it goes with its server."""
    import psycopg

    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server}/{name}"
