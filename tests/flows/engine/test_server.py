"""The server of a run ends with the run, however that ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import mini
import pytest

from flows.engine import server

HOLD = """
import sys, time
from pathlib import Path
from flows.engine import server
with server.running(Path(sys.argv[1])) as address:
    print(address, flush=True)
    time.sleep(600)
"""


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.full
def test_it_answers_on_loopback_and_ends_with_the_block(tmp_path: Path) -> None:
    with server.running(tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
        assert _answers(address)
    assert not _answers(address)


@pytest.mark.full
def test_it_ends_with_a_killed_run(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=mini.ROOT) as run:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        assert _answers(address)
        run.send_signal(signal.SIGKILL)
    for _ in range(300):  # a bound for a hang, not a measure of speed
        if not _answers(address):
            return
        time.sleep(0.1)
    pytest.fail("the server outlived the killed run")


@pytest.mark.full
def test_a_build_without_a_server_of_the_user_starts_and_ends_its_own(tmp_path: Path) -> None:
    build = mini.write(tmp_path, movies=1)
    result = mini.built(build, tmp_path / "work", "--tasks", "tc", PREFECT_API_URL="")
    assert not result["stages"][0]["skipped"]
    log = tmp_path / "work" / "prefect" / "server.log"
    assert "Traceback" not in log.read_text("utf-8")
