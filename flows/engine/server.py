"""The Prefect API that a run talks to: the user's own, or one on loopback for the run's length.

The run holds the socket that its server listens on: whoever connects waits until a server answers,
be it the first or one that took the place of a killed one. Prefect's own temporary server outlives
a killed parent; this one ends with it.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from shutil import disk_usage
from typing import Any, BinaryIO, Final

from flows.engine.database import prepare_database
from flows.engine.tls import shared_contexts
from pipeline.core.errors import InputError, KlueError, RetryError

#: How many servers a run starts one after another, if they are killed.
MAX_SERVERS: Final = 3

#: What is answered when no server is left: Prefect's client tries a refused connection again for a
#: minute at each of its calls, and this status once.
_GONE: Final = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

#: So many bytes of a request are read at a time.
_REQUEST: Final = 1 << 16

#: With less room than these bytes a disk is full: databases grow by several pages at once.
_ROOM: Final = 4 * 1024 * 1024

#: Settings of Prefect in a run, where the user has no others.
SETTINGS: Final = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",  # the log goes to the server
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",  # else events that nobody takes are printed
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
}


#: Settings of the server of a run. What nobody asks it for takes a second of its start. It hands
#: events to the one service that makes task runs of them, which writes the states of a second at
#: once: with all services, and a state at a time, some requests got 503, and waited two seconds.
_SERVER_SETTINGS: Final = {
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
    "PREFECT_SERVER_EVENTS_STREAM_OUT_ENABLED": "false",
    "PREFECT_SERVER_LOGS_STREAM_OUT_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "false",
}


@contextmanager
def prefect_api(work: Path) -> Iterator[None]:
    """Give Prefect an API: PREFECT_API_URL if the user set it, else a server of this run's own.

    Prefect's files stay under `work`. Raises RetryError when the server does not come up, or when
    it is killed time and again.
    """
    for name, value in {"PREFECT_HOME": str(work.resolve() / "prefect"), **SETTINGS}.items():
        os.environ.setdefault(name, value)
    logging.raiseExceptions = False  # Prefect prints what keeps a log line from its server
    given = os.environ.get("PREFECT_API_URL")
    with nullcontext(given) if given else running(work) as address, _tls(address):
        from prefect import settings as known

        # Heartbeats cost each flow run up to a second; that of a deployment keeps its own.
        values: dict[Any, Any] = {
            known.PREFECT_API_URL: address,
            known.PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
        }
        with known.temporary_settings(values):
            if given:
                _check_server(given)
            with _sending():
                yield


def wake_server() -> None:
    """Ask the server of PREFECT_API_URL something in a thread; return at once.

    A server that was just started takes 0.3 s for its first answer, which pass while a build is
    planned. A fault of the server or the address is reported when a run needs them.
    """
    if address := os.environ.get("PREFECT_API_URL"):
        threading.Thread(target=_ask, args=(address,), daemon=True).start()


def _ask(address: str) -> None:
    from urllib.request import urlopen

    with suppress(Exception):
        urlopen(f"{address}/admin/version", timeout=30).close()


def _tls(address: str) -> AbstractContextManager[None]:
    return shared_contexts() if address.startswith("http://") else nullcontext()


@contextmanager
def _sending() -> Iterator[None]:
    """Send what Prefect holds of logs and events at the end, before the server may go."""
    try:
        yield
    finally:
        from prefect.events.worker import EventsWorker
        from prefect.logging.handlers import APILogWorker

        for service in (EventsWorker, APILogWorker):
            service.drain_all(timeout=5)


@contextmanager
def running(work: Path) -> Iterator[str]:
    """Run a server on loopback for the length of a ``with`` block; yields its API address.

    It may be asked at once, and answers when it is up. One that is killed is followed by another.
    Raises RetryError for what fails in the block when the disk is full or there is no server.
    """
    home = work.resolve() / "prefect"
    home.mkdir(parents=True, exist_ok=True)
    environment = {**_SERVER_SETTINGS, **os.environ, "PREFECT_HOME": str(home)}
    log = (home / "server.log").open("wb")
    listener = socket.create_server(("127.0.0.1", 0))
    gone, over = threading.Event(), threading.Event()
    failures: list[OSError] = []
    words = (listener, log, environment, gone, over, failures)
    keeper = threading.Thread(target=_keep, args=words, daemon=True)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/api"
    keeper.start()
    try:
        yield address
    except (KlueError, MemoryError):
        raise
    except Exception:
        free = disk_usage(home).free
        if free < _ROOM:  # whatever failed first, the server or a stage
            raise RetryError(
                f"no space left on the disk of {work} ({free // 1024:,} KiB free); make room and"
                " run the same command again: finished shards are kept"
            ) from None
        if not gone.wait(1):  # it may be about to be noticed
            raise
        if failures:
            raise RetryError(
                f"the Prefect server of {work} cannot be started: {failures[0].strerror}; mend that"
                " and run the same command again: finished shards are kept"
            ) from None
        raise RetryError(
            "the Prefect server of this run has ended, or did not start; its log is"
            " WORK/prefect/server.log; run the same command again: finished shards are kept. If it"
            " ends again, remove WORK/prefect, or set PREFECT_API_URL to a server of yours"
        ) from None
    finally:
        over.set()
        keeper.join()


def _keep(
    listener: socket.socket,
    log: BinaryIO,
    environment: dict[str, str],
    gone: threading.Event,
    over: threading.Event,
    failures: list[OSError],
) -> None:
    """Keep a server running until `over`: another follows one that was killed, up to a number.

    Then `gone` is set, and whoever asks is told so. What keeps one from starting is added to
    `failures`.
    """
    with listener, log:
        with _collect(failures):
            _keep_servers(listener, log, environment, over)
        gone.set()
        listener.settimeout(0.1)
        while not over.is_set():
            with suppress(OSError):  # nobody asks just now, or who did has left
                _refuse(listener.accept()[0])


def _refuse(connection: socket.socket) -> None:
    """Answer a request that there is no server any more, and read it to its end."""
    with connection:
        connection.settimeout(1)
        connection.recv(_REQUEST)
        connection.sendall(_GONE)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(_REQUEST):
            pass


def _keep_servers(
    listener: socket.socket, log: BinaryIO, environment: dict[str, str], over: threading.Event
) -> None:
    home = environment["PREFECT_HOME"]
    for _ in range(MAX_SERVERS):
        process = subprocess.Popen(
            [sys.executable, "-m", "flows.engine.server", home, str(os.getpid())],
            env=environment,
            stdin=listener.fileno(),
            stdout=log,
            stderr=log,
            start_new_session=True,  # a Ctrl-C is for the run, which ends its server itself
        )
        while process.poll() is None and not over.wait(0.1):
            pass
        if process.returncode is None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # it waits for an open connection
                process.kill()
                process.wait()
        if process.returncode >= 0 or over.is_set():  # by itself, for a reason that stays
            return


@contextmanager
def _collect(failures: list[OSError]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        failures.append(error)


def _check_server(address: str) -> None:
    """Check that a server of the user answers, lets this client in, and has its major version."""
    import prefect
    from httpx import HTTPStatusError
    from prefect.client.orchestration import get_client

    advice = "give the address of one, such as http://127.0.0.1:4200/api, or unset the variable"
    try:
        with get_client(sync_client=True, httpx_settings={"timeout": 30}) as client:
            version = str(client.api_version())
    except HTTPStatusError as error:
        fault = f"its server answers HTTP {error.response.status_code}"
        if error.response.status_code in (401, 403):
            advice = "set PREFECT_API_AUTH_STRING or PREFECT_API_KEY to what it asks for"
    except Exception as error:  # what httpx, JSON and Prefect raise for what is no server of it
        fault = f"no Prefect server answers there ({type(error).__name__})"
    else:
        if version.partition(".")[0] == prefect.__version__.partition(".")[0]:
            return
        fault = f"its server has Prefect {version[:20]}, this client {prefect.__version__}"
        advice = "use a server of the same major version"
    raise InputError(f"PREFECT_API_URL is {_without_password(address)}, but {fault}; {advice}")


def _without_password(address: str) -> str:
    user, _, place = address.rpartition("@")
    return address if not user else f"{user.partition('://')[0]}://...@{place}"


def _serve(home: Path, parent: int) -> None:
    """Serve on the socket that is standard input until the parent process is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    gc.disable()  # imports and migrations leave little to collect, and looking takes a fifth
    if "PREFECT_API_DATABASE_CONNECTION_URL" not in os.environ and prepare_database(
        home / "prefect.db"
    ):
        os.environ["PREFECT_API_DATABASE_MIGRATE_ON_START"] = "false"
    import uvicorn
    from prefect.server.api.server import create_app

    config = uvicorn.Config(create_app(), log_level="error")
    gc.enable()
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=0)])


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), int(sys.argv[2]))
