"""The process that forks a child for each job: it survives its jobs and ends with its client."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.leaderboard.job_server import JobClient
from flows.leaderboard.limited_process import Limits

LIMITS = Limits(memory=300 * 1024**2, cpu=20, wall=60)
JOB = "toy_job:Toy"


def _gone(number: int) -> bool:
    for _ in range(200):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.05)
    return False


def test_jobs_share_what_was_prepared_and_nothing_else(toys: None) -> None:
    """The first job changes its copy; the second sees what was loaded, by the same server."""
    with JobClient() as jobs:
        first = jobs.run(JOB, {"do": "change"}, LIMITS)
        second = jobs.run(JOB, {"do": "look"}, LIMITS)
    assert first.result["value"] == "changed" and second.result["value"] == "loaded"
    assert first.result["server"] == second.result["server"] != os.getpid()
    assert first.result["loads"] == second.result["loads"] == 1
    assert first.result["process"] != second.result["process"]


def test_the_environment_is_not_that_of_the_client(
    toys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KLUE_TEST_TOKEN", "a secret")
    with JobClient() as jobs:
        names = jobs.run(JOB, {"do": "environment"}, LIMITS).result
    assert "KLUE_TEST_TOKEN" not in names and names["OPENBLAS_NUM_THREADS"] == "1"


def test_faults_before_and_in_a_job_leave_the_server(toys: None) -> None:
    with JobClient() as jobs:
        absent = jobs.run("toy_job:Absent", {}, LIMITS)
        unprepared = jobs.run(JOB, {"do": "look", "fail": True}, LIMITS)
        killed = jobs.run(JOB, {"do": "die"}, LIMITS)
        sound = jobs.run(JOB, {"do": "look"}, LIMITS)
    assert absent.kind == unprepared.kind == killed.kind == "crashed"
    assert "before it began: AttributeError" in absent.message
    assert "a label" not in unprepared.message
    assert sound.kind == "done"


def test_a_server_that_is_killed_is_started_anew(toys: None) -> None:
    with JobClient() as jobs:
        server = jobs.run(JOB, {"do": "look"}, LIMITS).result["server"]
        os.kill(server, signal.SIGKILL)
        assert jobs.run(JOB, {"do": "look"}, LIMITS).kind in ("crashed", "done")
        again = jobs.run(JOB, {"do": "look"}, LIMITS)
    assert again.kind == "done" and again.result["server"] != server


def test_server_and_child_end_with_a_client_that_is_killed(toys: None, tmp_path: Path) -> None:
    code = (
        "import sys; from flows.leaderboard.job_server import JobClient\n"
        "from flows.leaderboard.limited_process import Limits\n"
        f"JobClient().run({JOB!r}, {{'do': 'sleep', 'mark': {str(tmp_path / 'mark')!r}}},"
        " Limits(file_bytes=1000))\n"
    )
    client = subprocess.Popen([sys.executable, "-c", code])
    for _ in range(600):
        if (tmp_path / "mark").exists() and (tmp_path / "mark").read_text().endswith("."):
            break
        time.sleep(0.05)
    server, child = map(int, (tmp_path / "mark").read_text().rstrip(".").split())
    client.kill()
    client.wait()
    assert _gone(server) and _gone(child)
