"""The server of a run lasts as long as the run, however either of them ends."""

from __future__ import annotations

import errno
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

import mini
import pytest

from flows.engine import server
from pipeline.core.errors import InputError, RetryError

HOLD = """
import sys, time
from pathlib import Path
from flows.engine import server
with server.running(Path(sys.argv[1])) as address:
    print(address, flush=True)
    time.sleep(600)
"""

Servers = list[subprocess.Popen[bytes]]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """Collect the servers that are started."""
    started: Servers = []
    start = subprocess.Popen

    def collect(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(start(*words, **options))
        return started[-1]

    monkeypatch.setattr(server.subprocess, "Popen", collect)
    return started


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=120):
            return True
    except (urllib.error.URLError, OSError):
        return False


def _until(what: Callable[[], object]) -> None:
    for _ in range(1200):  # a bound for a hang, not a measure of speed
        if what():
            return
        time.sleep(0.1)
    pytest.fail("it did not come")


@pytest.mark.full
def test_it_answers_on_loopback_and_ends_with_the_block(tmp_path: Path, servers: Servers) -> None:
    with server.running(tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
        assert _answers(address)
        (process,) = servers
        assert os.getsid(process.pid) == process.pid
    assert not _answers(address)
    assert process.returncode is not None


@pytest.mark.full
def test_another_takes_the_place_of_a_killed_one(tmp_path: Path, servers: Servers) -> None:
    with server.running(tmp_path) as address:
        assert _answers(address)
        servers[0].kill()
        _until(lambda: len(servers) == 2)
        assert _answers(address)
    assert servers[1].returncode is not None


def test_a_run_whose_servers_are_killed_again_and_again_is_told(
    tmp_path: Path, servers: Servers
) -> None:
    with pytest.raises(RetryError, match="server of this run has ended"):  # noqa: SIM117
        with server.running(tmp_path) as address:
            for n in range(server.MAX_SERVERS):
                _until(lambda n=n: len(servers) > n)
                servers[n].kill()
            with pytest.raises(HTTPError, match="410"):  # which Prefect does not ask again
                urllib.request.urlopen(f"{address}/logs", bytes(1 << 20), timeout=120)
            with urllib.request.urlopen(f"{address}/health", timeout=120):
                pass
    assert len(servers) == server.MAX_SERVERS


def test_a_server_that_cannot_start_is_not_tried_again(
    tmp_path: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.sys, "executable", "/bin/false")
    with pytest.raises(RetryError, match="did not start"):  # noqa: SIM117
        with server.running(tmp_path) as address, urllib.request.urlopen(address, timeout=120):
            pass
    assert len(servers) == 1


def test_a_full_disk_is_named_whatever_fails_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "disk_usage", lambda _: SimpleNamespace(free=2048))
    monkeypatch.setattr(server.sys, "executable", "/bin/false")
    with (
        pytest.raises(RetryError, match=r"no space left on the disk of .*2 KiB free.*make room"),
        server.running(tmp_path) as address,
        urllib.request.urlopen(address, timeout=120),
    ):
        pass


def test_a_log_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "prefect" / "server.log").mkdir(parents=True)
    with pytest.raises(IsADirectoryError, match=r"server\.log"), server.running(tmp_path):
        pass


def test_a_server_that_the_system_does_not_start_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    tracebacks: list[object] = []
    monkeypatch.setattr(threading, "excepthook", tracebacks.append)
    monkeypatch.setattr(server.subprocess, "Popen", refuse)
    with (
        pytest.raises(RetryError, match="cannot be started: Too many open files; mend that"),
        server.running(tmp_path) as address,
        urllib.request.urlopen(address, timeout=120),
    ):
        pass
    assert not tracebacks


@pytest.mark.full
def test_what_prefect_cannot_send_is_not_printed() -> None:
    """Events that a killed server did not take are lines of many kilobytes."""
    code = (
        "import prefect.logging.configuration as c; c.setup_logging();"
        "from prefect._internal.concurrency import logger; logger.error('an event')"
    )
    for settings, printed in ((server.SETTINGS, ""), ({}, "an event")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PREFECT_INTERNAL_LOGGING_LEVEL": "ERROR", **settings},
            capture_output=True,
            text=True,
        )
        assert printed in done.stderr and bool(printed) == bool(done.stderr)


class _Answer(BaseHTTPRequestHandler):
    """A server that answers everything with one status and text."""

    status, text = 200, ""

    def do_GET(self) -> None:
        body = self.text.encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("status", "text", "told"),
    [
        (200, '"2.19.3"', "its server has Prefect 2.19.3, this client 3"),
        (401, "{}", "HTTP 401; set PREFECT_API_AUTH_STRING or PREFECT_API_KEY"),
        (404, "<html>", "HTTP 404; give the address of one"),
        (200, "<html>", "no Prefect server answers there"),
        (0, "", "no Prefect server answers there"),
    ],
)
def test_a_server_of_the_user_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, text: str, told: str
) -> None:
    handler = type("Handler", (_Answer,), {"status": status, "text": text})
    with HTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        address = f"http://127.0.0.1:{http.server_port if status else 9}/api"
        thread.start()
        monkeypatch.setenv("PREFECT_API_URL", address)
        with pytest.raises(InputError) as error, server.prefect_api(tmp_path):
            pass
        http.shutdown()
    assert str(error.value).startswith(f"PREFECT_API_URL is {address}, but ")
    assert told in str(error.value)


def test_a_server_of_the_user_is_asked_while_a_build_is_planned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Queue[str]()

    class Handler(_Answer):
        def do_GET(self) -> None:
            asked.put(self.path)
            super().do_GET()

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{http.server_port}/api")
        server.wake_server()
        assert asked.get(timeout=120) == "/api/admin/version"
        http.shutdown()


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:9/api", "no address"])
def test_what_is_wrong_with_an_address_is_not_said_by_the_early_question(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    monkeypatch.setenv("PREFECT_API_URL", address)
    before = set(threading.enumerate())
    server.wake_server()
    for thread in set(threading.enumerate()) - before:
        thread.join(120)
    assert not failures


@pytest.mark.parametrize(("scheme", "files_read"), [("http", 1), ("https", 2)])
def test_clients_share_certificates_unless_they_need_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, files_read: int
) -> None:
    from prefect.client.orchestration import get_client

    create, made = ssl.create_default_context, list[str]()

    def count(cafile: str) -> ssl.SSLContext:
        made.append(cafile)
        return create(cafile=cafile)

    monkeypatch.setattr(ssl, "create_default_context", count)
    monkeypatch.setattr(server, "_check_server", lambda _: None)
    monkeypatch.setenv("PREFECT_API_URL", f"{scheme}://127.0.0.1:9/api")
    with server.prefect_api(tmp_path):
        for _ in range(2):
            get_client(sync_client=True)
    assert len(made) == files_read


def test_no_password_of_an_address_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://kim:secret@127.0.0.1:9/api")
    with pytest.raises(InputError) as error, server.prefect_api(tmp_path):
        pass
    assert "secret" not in str(error.value)


@pytest.mark.full
def test_it_ends_with_a_killed_run(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=mini.ROOT) as run:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        assert _answers(address)
        run.send_signal(signal.SIGKILL)
    _until(lambda: not _answers(address))


@pytest.mark.full
def test_a_build_without_a_server_of_the_user_starts_and_ends_its_own(tmp_path: Path) -> None:
    build = mini.write(tmp_path, movies=1)
    words = mini.command("build", build, "--work", tmp_path / "work", "--tasks", "tc", "--json")
    environment = {**os.environ, "PREFECT_API_URL": ""}
    done = subprocess.run(words, env=environment, check=True, stdout=subprocess.PIPE)
    assert not json.loads(done.stdout)["stages"][0]["skipped"]
    log = tmp_path / "work" / "prefect" / "server.log"
    assert "Traceback" not in log.read_text("utf-8")


@pytest.mark.full
def test_a_build_goes_on_when_its_server_is_killed(tmp_path: Path) -> None:
    import psutil

    build, work = mini.write(tmp_path, movies=3), tmp_path / "work"
    words = mini.command("build", build, "--work", work, "--workers", 2)
    environment = {**os.environ, "PREFECT_API_URL": ""}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as run:
        _until(lambda: any(name.endswith(".parquet") for *_, ns in os.walk(work) for name in ns))
        (process,) = (
            child
            for child in psutil.Process(run.pid).children()
            if "flows.engine.server" in child.cmdline()
        )
        process.kill()
        _, error = run.communicate()
    assert run.returncode == 0, error
    expected = mini.built(build, tmp_path / "other", "--workers", 2)
    assert mini.contents(work) == mini.contents(tmp_path / "other")
    assert expected["funnel"]
