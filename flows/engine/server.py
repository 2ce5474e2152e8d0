"""The Prefect API that a run talks to: the user's own, or one on loopback for the run's length.

Prefect's own temporary server outlives a killed parent; this one ends with it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pipeline.core.errors import InputError, RetryError

#: Seconds that the server may take to answer; the first start in a work directory makes its
#: database, which takes longest.
PATIENCE = 180

#: Settings of Prefect in a run, where the user has no others.
SETTINGS: Final = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
}


@contextmanager
def prefect_api(work: Path) -> Iterator[None]:
    """Give Prefect an API: PREFECT_API_URL if the user set it, else a server of this run's own.

    Prefect's files stay under `work`. Raises RetryError when the server does not come up.
    """
    for name, value in {"PREFECT_HOME": str(work.resolve() / "prefect"), **SETTINGS}.items():
        os.environ.setdefault(name, value)
    given = os.environ.get("PREFECT_API_URL")
    if given:
        if not _answers(given):
            raise InputError(f"PREFECT_API_URL is {given}, but no Prefect server answers there")
        yield
        return
    with running(work) as address:
        from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY
        from prefect.settings import temporary_settings as settings

        # A heartbeat costs each flow run a second.
        with settings({PREFECT_API_URL: address, PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
            yield


@contextmanager
def running(work: Path) -> Iterator[str]:
    """Run a server on loopback for the length of a ``with`` block; yields its API address."""
    port = _free_port()
    process = _start(port, work)
    try:
        _wait(port, process)
        yield f"http://127.0.0.1:{port}/api"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:  # it waits for an open connection
            process.kill()
            process.wait()


def _start(port: int, work: Path) -> subprocess.Popen[bytes]:
    home = work.resolve() / "prefect"
    home.mkdir(parents=True, exist_ok=True)
    with (home / "server.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.engine.server", str(port), str(os.getpid())],
            env={**os.environ, "PREFECT_HOME": str(home), "PREFECT__SERVER_EPHEMERAL": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if _answers(f"http://127.0.0.1:{port}/api"):
            return
        time.sleep(0.1)
    raise RetryError(
        "the Prefect server on loopback did not start; its log is WORK/prefect/server.log; remove"
        " WORK/prefect and run again, or set PREFECT_API_URL to a server of yours"
    )


def _answers(address: str) -> bool:
    """Tell whether a Prefect API is there; on loopback no proxy is asked."""
    here = urlsplit(address).hostname in {"127.0.0.1", "localhost", "::1"}
    handlers = [urllib.request.ProxyHandler({})] if here else []
    try:
        with urllib.request.build_opener(*handlers).open(f"{address}/health", timeout=5):
            return True
    except (OSError, ValueError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _serve(port: int, parent: int) -> None:
    """Serve until the parent process is gone."""
    import uvicorn

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    uvicorn.run(
        "prefect.server.api.server:create_app",
        factory=True,
        host="127.0.0.1",
        port=port,
        log_level="error",
    )


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
