"""Ctrl-C and SIGTERM: one line, one exit code, no process left, and the next run goes on."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import mini
import psutil
import pytest
import release_stories

from flows.view import interrupts

#: Seconds that an end may take on a machine that does much else; on a quiet one it takes 2.
BOUND = 30
SIGNALS = [signal.SIGINT, signal.SIGTERM]


#: Runs Python so that it hears Ctrl-C: jobs in the background of a shell ignore it, and so do
#: their children.
HEARING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def _start(*words: object) -> subprocess.Popen[str]:
    """Start a command as a shell does: in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", HEARING, *mini.command(*words)[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PREFECT_API_URL": ""},
    )


def _interrupt(
    run: subprocess.Popen[str], number: signal.Signals, *, group: bool, may_be_done: bool = False
) -> str:
    """Interrupt a run as a terminal or as a service manager does; returns what it printed.

    A run that has done its work and is about to end may end with 0 as well.
    """
    family = psutil.Process(run.pid).children(recursive=True)
    if group:
        os.killpg(run.pid, number)
    else:
        run.send_signal(number)
    out, error = run.communicate(timeout=BOUND)
    if may_be_done and run.returncode == 0:
        return out
    assert run.returncode == 128 + number, error
    again = "run the same command again to go on where it stopped"
    assert error.strip().splitlines()[-1:] == [f"interrupted; {again}"]
    assert "Traceback" not in error
    _, alive = psutil.wait_procs(family, timeout=BOUND)
    assert not alive
    return out


@pytest.mark.thin(2)
@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, 2), (signal.SIGTERM, 1)])
def test_an_interrupted_build_ends_and_the_next_run_goes_on(
    tmp_path: Path, number: signal.Signals, workers: int
) -> None:
    build, work = mini.write(tmp_path, movies=30), tmp_path / "work"
    run = _start("build", build, "--work", work, "--json", "--workers", workers)
    while run.poll() is None and not [*work.glob("store/*/*/*.parquet")]:
        time.sleep(0.05)
    assert run.poll() is None, run.communicate()
    out = _interrupt(run, number, group=number == signal.SIGINT)
    assert json.loads(out) == {
        "error": "interrupted; run the same command again to go on where it stopped",
        "code": 128 + number,
    }
    result = mini.built(build, work, "--workers", workers)
    whole = mini.built(build, tmp_path / "whole", "--workers", 2)
    assert result["fingerprint"] == whole["fingerprint"]
    assert mini.contents(work) == mini.contents(tmp_path / "whole")


@pytest.mark.thin(2)
@pytest.mark.parametrize("seconds", [0.0, 0.3, 1.5])
def test_an_interrupt_while_a_command_starts(tmp_path: Path, seconds: float) -> None:
    """Before Python has begun to run the command there is nothing that could say a line."""
    build = mini.write(tmp_path, movies=1)
    run = _start("build", build, "--work", tmp_path / "work", "--json")
    _wait_until_it_hears(run)
    time.sleep(seconds)
    _interrupt(run, signal.SIGTERM, group=True)


def _wait_until_it_hears(run: subprocess.Popen[str]) -> None:
    while run.poll() is None and b"SigCgt" not in _signals(run.pid):
        time.sleep(0.01)


def _signals(pid: int) -> bytes:
    """Return the line of signals that a process handles, once SIGTERM is among them."""
    for line in Path("/proc", str(pid), "status").read_bytes().splitlines():
        if line.startswith(b"SigCgt") and int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return line
    return b""


SLEEPER = """
import sys, time, typer
from flows.view import interrupts
from flows.view.console import handle_errors

interrupts.listen()
try:
    with handle_errors(as_json=True, resumes=False):
        print("ready", flush=True)
        time.sleep(600)
except typer.Exit:
    interrupts.end()
"""


@contextmanager
def _run(code: str) -> Iterator[subprocess.Popen[str]]:
    """Run Python in a process of its own, which is killed at the end if it is there still."""
    run = subprocess.Popen(
        [sys.executable, "-c", HEARING, "-c", code],
        cwd=mini.ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield run
    finally:
        run.kill()
        run.wait()


def test_a_command_that_does_not_resume_says_so() -> None:
    with _run(SLEEPER) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        run.send_signal(signal.SIGTERM)
        out, error = run.communicate(timeout=BOUND)
    assert error.splitlines()[-1:] == [json.loads(out)["error"]]
    assert error.startswith("interrupted; the file in hand was not written")


#: A signal in a destructor, where Python ignores an exception and prints it, and one in a thread.
UNCAUGHT = """
        import signal, threading
        class Late:
            def __del__(self):
                signal.raise_signal(signal.SIGTERM)
        late = Late()
        del late
        def fail():
            raise OSError
        threading.Thread(target=fail).start()
        time.sleep(600)"""


def test_an_interrupt_that_no_code_can_catch_gets_no_traceback() -> None:
    with _run(SLEEPER.replace("        time.sleep(600)", UNCAUGHT)) as run:
        _, error = run.communicate(timeout=BOUND)
    assert run.returncode == 143
    assert error.startswith("interrupted; ") and error.count("\n") == 1


STUBBORN = SLEEPER.replace(
    "        time.sleep(600)",
    """        import multiprocessing
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
        child.start()
        print("begun", flush=True)
        while True:
            try:
                time.sleep(600)
            except KeyboardInterrupt:
                pass  # as code that cannot be interrupted""",
)


def test_what_does_not_end_is_ended() -> None:
    with _run(STUBBORN) as run:
        assert run.stdout is not None
        # begun and known to multiprocessing: an interrupt between the two would leave it alone
        assert (run.stdout.readline(), run.stdout.readline()) == ("ready\n", "begun\n")
        family = psutil.Process(run.pid).children()
        assert family
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=BOUND)
    assert (run.returncode, json.loads(out)["code"]) == (130, 130)
    _, alive = psutil.wait_procs(family, timeout=BOUND)
    assert not alive


def test_a_signal_that_comes_before_it_is_watched_for_leaves_the_grace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The handler may run, and note the signal, before the thread has read its byte."""
    reading, writing = os.pipe()
    os.write(writing, bytes([signal.SIGTERM]))
    waits = []

    def look(pipes: list[int], *_: object) -> None:
        waits.append((select.select(pipes, [], [], 0)[0], _[-1]))

    monkeypatch.setattr(interrupts, "select", SimpleNamespace(select=look))
    monkeypatch.setattr(interrupts, "end", lambda: None)
    monkeypatch.setattr(interrupts, "_end_workers", lambda: None)
    monkeypatch.setattr(interrupts._Command, "number", signal.SIGTERM)
    interrupts._watch(reading)
    os.close(reading)
    os.close(writing)
    assert waits == [([], interrupts.GRACE)]


POOL = """
import sys
from flows.view import interrupts
from pipeline.core.pool import Workers

if __name__ == "__main__":
    with Workers(2) as workers:
        lengths = list(workers.map(len, iter(["", ""])))
        interrupts._end_workers()
        for _ in range(2):  # the first breaks the pool, the second would start another
            try:
                lengths += workers.map(len, iter(["", ""]))
            except Exception as error:
                print(type(error).__name__, flush=True)
        interrupts.end()
"""


def test_no_worker_starts_after_an_interrupt() -> None:
    with _run(POOL) as run:
        out, error = run.communicate(timeout=BOUND)
    assert out == "RetryError\n" * 2
    assert error.startswith("interrupted; ") and error.count("\n") == 1


#: Processes that come and go, and what is shared with them.
CHANGING_POOL = """
import sys, typer
from flows.view import interrupts
from flows.view.console import handle_errors
from pipeline.core.pool import Workers

def main():
    interrupts.listen()
    try:
        with handle_errors(as_json=False, resumes=True), Workers(2) as workers:
            workers.preload(())
            print("ready", flush=True)
            while True:
                list(workers.map(len, iter([""] * 30)))
                workers.let_go()
    except typer.Exit:
        interrupts.end()

if __name__ == "__main__":
    main()
"""


def test_what_was_shared_with_processes_is_put_away_before_the_end() -> None:
    moments = random.Random(8)
    for _ in range(8):
        with _run(CHANGING_POOL) as run:
            assert run.stdout is not None
            assert run.stdout.readline() == "ready\n"
            time.sleep(moments.uniform(0, 0.6))
            run.send_signal(signal.SIGTERM)
            _, error = run.communicate(timeout=BOUND)
        assert run.returncode == 128 + signal.SIGTERM
        assert error == "interrupted; run the same command again to go on where it stopped\n"


@pytest.mark.full
def test_twenty_interrupts_of_all_eight_tasks_change_no_byte(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    whole = release_stories.sample(tmp_path_factory)
    moments, count, works = random.Random(20), 0, [tmp_path / "work"]
    words = ("--until", "release", "--releases", tmp_path / "releases", "--json")
    while count < 20:
        run = _start("build", release_stories.SAMPLE, "--work", works[-1], *words)
        _wait_until_it_hears(run)
        try:
            _, error = run.communicate(timeout=moments.uniform(0, 15))
        except subprocess.TimeoutExpired:
            number, group = moments.choice(SIGNALS), moments.random() < 0.5
            _interrupt(run, number, group=group, may_be_done=True)
            count += run.returncode != 0
        else:
            assert run.returncode == 0, error
        if run.returncode == 0:  # begin anew, until there were twenty
            works.append(tmp_path / f"work{len(works)}")
    for work in works:
        result = mini.built(release_stories.SAMPLE, work, *words[:-1])
        assert result["release_hash"] == whole.result["release_hash"]
        assert mini.contents(work) == mini.contents(whole.work)
