"""Bars: on a terminal alone, on standard error alone, gone at the end; a log has few lines."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading

import mini
import pytest

from flows.view import progress
from flows.view.progress import Steps
from flows.view.verbosity import Verbosity, speaking
from pipeline.core import steps

#: A command of two steps that takes longer than bars wait, in the place of one on large files.
_PROGRAM = """
import sys, time
import typer
from flows.view import progress
from flows.view.console import print_line, say
from flows.view.verbosity import Verbosity, speaking
from pipeline.core import steps
progress.DELAY = 0.01
with speaking(Verbosity(quiet="-q" in sys.argv, verbose="-v" in sys.argv)):
    with progress.show_steps("command"):
        with steps.running("rows", 2_000):
            steps.advance("rows", 500)
            time.sleep(0.6)
            say("a note")
            print_line("a line of the result")
print_line("the end")
"""
#: What moves the cursor, hides it, or colours.
_ESCAPE = re.compile(r"\x1b\[[?\d;]*([A-Za-z])")


def _run(*words: str, terminal: bool, **environment: str) -> tuple[str, str]:
    """Return what the program wrote to standard output, a pipe, and to standard error."""
    reading, writing = pty.openpty() if terminal else os.pipe()
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "60", **environment}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        if name not in environment:
            variables.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words],
        env={**variables, "PYTHONPATH": str(mini.ROOT)},
        stdout=subprocess.PIPE,
        stderr=writing,
    )
    os.close(writing)
    said: list[bytes] = []

    def read() -> None:
        try:
            while part := os.read(reading, 4096):
                said.append(part)
        except OSError:  # a terminal whose other side is closed
            return

    reader = threading.Thread(target=read)
    reader.start()
    out, _ = process.communicate(timeout=60)
    reader.join()
    os.close(reading)
    assert process.returncode == 0
    return out.decode(), b"".join(said).decode()


def test_a_terminal_shows_a_bar_that_vanishes_and_the_result_stays_in_the_pipe() -> None:
    out, error = _run(terminal=True)
    assert out == "a line of the result\nthe end\n"
    assert "rows" in error and "500 of 2,000" in error and "a note" in error
    assert {"l", "h"} <= {*_ESCAPE.findall(error)}  # the cursor is hidden, and shown again
    assert error.rindex("\x1b[?25h") > error.rindex("500 of 2,000")
    assert error.rstrip("\r\n").endswith("\x1b[2K")  # the line of the bar is erased


@pytest.mark.parametrize(
    "environment",
    [pytest.param({"TERM": "dumb"}, marks=pytest.mark.full), {"FORCE_COLOR": "1"}],
    ids=str,
)
def test_no_bar_without_a_terminal_that_can_show_it(environment: dict[str, str]) -> None:
    out, error = _run(terminal="TERM" in environment, **environment)
    assert out == "a line of the result\nthe end\n"
    assert error.split() == ["a", "note"]


@pytest.mark.full
def test_no_color_moves_the_cursor_and_colours_nothing() -> None:
    _, error = _run(terminal=True, NO_COLOR="1")
    assert "500 of 2,000" in error
    assert "m" not in _ESCAPE.findall(error)


@pytest.mark.full
def test_quiet_says_nothing_and_verbose_the_time_of_each_step() -> None:
    out, error = _run("-q", terminal=True)
    assert (out, error) == ("a line of the result\nthe end\n", "")
    _, error = _run("-v", terminal=False)
    assert re.fullmatch(r"a note\nrows: 500 in [\d.]+ s\ncommand in [\d.]+ s\n", error)


def test_a_line_of_a_log_has_count_total_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    shown = Steps("audit")
    now[0] = 105.0
    assert shown.lines() == ["audit: running for 0:05"]
    shown.advance("rows", 1_500, 9_000)
    now[0] = 106.0
    assert shown.lines() == ["rows: 1,500 of 9,000, running for 0:01"]
    shown.advance("reading a.csv, bytes", 2_560_000, 7_000_000)
    assert shown.lines()[1:] == ["reading a.csv: 2.6 of 7.0 MB, running for 0:00"]
    shown.end("rows")
    shown.end("reading a.csv, bytes")
    assert shown.lines() == ["audit: running for 0:06"]


def test_a_log_gets_a_line_a_period(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command waits for the line, however long that takes."""
    come = threading.Event()
    monkeypatch.setattr(progress, "PERIOD", 0.0)
    monkeypatch.setattr(progress, "say", lambda line: (sys.stderr.write(f"{line}\n"), come.set()))
    with progress.show_steps("audit"):
        assert come.wait(60)
    assert capsys.readouterr().err.startswith("audit: running for 0:00\n")


@pytest.mark.parametrize("level", [Verbosity(quiet=True), Verbosity(as_json=True)])
def test_nobody_reads_a_log_of_quiet_and_json(
    level: Verbosity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress.threading.Thread, "start", lambda _: pytest.fail("a log began"))
    with speaking(level), progress.show_steps("audit"):
        steps.advance("rows")


def test_the_watcher_ends_with_the_command() -> None:
    before = steps._watcher
    with progress.show_steps("audit"):
        assert isinstance(steps._watcher, Steps)
    assert steps._watcher is before
