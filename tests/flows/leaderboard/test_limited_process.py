"""A child process with limits: what a job may not do, it cannot; its parent always goes on."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.leaderboard.limited_process import MOST_BYTES, Limits, Outcome, run_limited
from pipeline.core.errors import InputError

MIB = 1024**2
LIMITS = Limits(memory=300 * MIB, cpu=20, wall=60)
SECRET = "the gold label is 정치"


def _run(job: Callable[[], Any], limits: Limits = LIMITS) -> Outcome:
    return run_limited(job, limits)


def test_a_result_comes_back_as_json() -> None:
    outcome = _run(lambda: {"scores": [1.5, None], "한글": "값"})
    assert outcome.kind == "done"
    assert outcome.result == {"scores": [1.5, None], "한글": "값"}


def test_a_refusal_keeps_its_message() -> None:
    def job() -> None:
        raise InputError("p.jsonl line 3: guid x-1: `label` 'maybe' is not in nli")

    outcome = _run(job)
    assert (outcome.kind, outcome.result) == ("refused", None)
    assert outcome.message == "p.jsonl line 3: guid x-1: `label` 'maybe' is not in nli"


def test_another_error_tells_its_kind_and_place_but_not_its_text() -> None:
    def job() -> None:
        raise ValueError(SECRET)

    outcome = _run(job)
    assert outcome.kind == "crashed"
    assert outcome.message.startswith("ValueError in job:")
    assert "정치" not in outcome.message


def test_what_a_job_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    def job() -> int:
        os.write(1, SECRET.encode())
        os.write(2, SECRET.encode())
        return len(os.read(0, 10))

    assert _run(job).kind == "done"
    assert capfd.readouterr() == ("", "")


def test_memory_is_bounded() -> None:
    """An array, many small objects, and a process that cannot even say that it ran out."""
    assert _run(lambda: len(bytearray(2**31))).kind == "memory"
    assert _run(lambda: [bytes(10_000) for _ in range(10**6)]).kind == "memory"
    assert _run(lambda: len(bytearray(100 * MIB))).result == 100 * MIB


def test_seconds_on_a_processor_are_bounded() -> None:
    def job() -> None:
        while True:
            pass

    outcome = _run(job, Limits(memory=300 * MIB, cpu=1, wall=60))
    assert outcome.kind == "cpu" and outcome.cpu >= 0.5


def test_seconds_by_the_clock_are_bounded() -> None:
    assert _run(lambda: time.sleep(600), Limits(wall=0.2)).kind == "time"


def test_nothing_is_left_of_a_job_not_even_its_children(tmp_path: Path) -> None:
    """A grandchild that would write a file later is killed with its group."""
    mark = tmp_path / "pid"

    def job() -> None:
        mark.write_text(str(subprocess.Popen(["/bin/sleep", "600"]).pid))
        time.sleep(600)

    assert _run(job, Limits(wall=2, file_bytes=100)).kind == "time"
    number = int(mark.read_text())
    for _ in range(100):  # the kernel may take a moment to remove it
        if not Path(f"/proc/{number}").exists():
            break
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        if state in "ZX":
            break
        time.sleep(0.05)
    else:
        pytest.fail("a process of the job is still there")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_crash_is_told_apart(number: int) -> None:
    def job() -> None:
        os.kill(os.getpid(), number)
        time.sleep(60)

    assert _run(job).kind == "crashed"
    assert _run(job).message == f"signal {int(number)}"


def test_an_exit_without_a_message_is_a_crash() -> None:
    assert _run(lambda: os._exit(7)).message == "exit code 7"


def test_memory_of_the_parent_does_not_count() -> None:
    """A scorer that holds the labels of a large board is not taken for a hungry submission."""
    held = bytearray(os.urandom(MIB)) * 400
    crashed = _run(lambda: os._exit(7))
    assert (crashed.message, len(held)) == ("exit code 7", 400 * MIB)
    assert crashed.peak < 100 * MIB
    used = _run(lambda: len(bytearray(os.urandom(MIB)) * 100))
    assert (used.kind, used.result) == ("done", 100 * MIB)
    assert 90 * MIB < used.peak < 200 * MIB


def test_a_message_is_bounded() -> None:
    outcome = _run(lambda: "x" * (MOST_BYTES + 1))
    assert outcome.kind == "crashed" and "too long" in outcome.message

    def job() -> None:
        raise InputError("x" * MOST_BYTES)

    assert len(_run(job).message) < MOST_BYTES


def test_no_file_is_inherited_or_grows(tmp_path: Path) -> None:
    """Neither a file with labels that the parent has open, nor its sockets."""
    held = (tmp_path / "labels").open("w+b")
    listener = socket.create_server(("127.0.0.1", 0))
    numbers = [held.fileno(), listener.fileno()]

    def job() -> list[str]:
        found = []
        for number in numbers:
            try:
                os.fstat(number)
                found.append(str(number))
            except OSError:
                pass
        out = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
        try:
            while os.write(out, bytes(500)):
                pass
        except OSError as error:
            found.append(type(error).__name__)
        return found

    with held, listener:
        assert _run(job, Limits(file_bytes=1_000)).result == ["OSError"]
    assert (tmp_path / "out").stat().st_size <= 1_000


def test_limits_are_those_of_the_child_alone() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS), os.getpgrp()

    def job() -> list[Any]:
        core = resource.getrlimit(resource.RLIMIT_CORE)
        return [core, os.getpgrp() == os.getpid(), resource.getrlimit(resource.RLIMIT_NOFILE)[0]]

    assert _run(job).result == [[0, 0], True, LIMITS.files]
    assert (resource.getrlimit(resource.RLIMIT_AS), os.getpgrp()) == before


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_a_job_runs_as_another_user(tmp_path: Path) -> None:
    closed = tmp_path / "labels"
    closed.write_text(SECRET, "utf-8")
    closed.chmod(0o600)

    def job() -> list[Any]:
        try:
            closed.read_text("utf-8")
        except PermissionError:
            return [os.getuid(), os.getgid(), os.getgroups()]
        return []

    assert _run(job, Limits(user=65534, group=65533)).result == [65534, 65533, []]
