"""Work in a child process that may be killed at a line of the code under test."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

CODE = str(Path(__file__).resolve().parents[2] / "pipeline" / "leaderboard")


def run(work: Callable[[], None], *, die_at: int | None = None) -> bool:
    """Do a work in a fork of this process; tell whether it came to its end.

    With `die_at` it kills itself by SIGKILL before that line of pipeline/leaderboard, counted from
    1 over all that it runs there: no handler, no `finally`, no commit comes after it.
    """
    return _end(_start(work, die_at))


def at_once(work: Callable[[], None], *, processes: int) -> list[bool]:
    """Do a work in several forks at the same time; tell which came to their end."""
    return [_end(child) for child in [_start(work, None) for _ in range(processes)]]


def number() -> int:
    """Return what tells this process from the others."""
    return os.getpid()


def _start(work: Callable[[], None], die_at: int | None) -> int:
    child = os.fork()
    if not child:
        try:
            if die_at is not None:
                _count_down(die_at)
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return child


def _end(child: int) -> bool:
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return False
    assert os.waitstatus_to_exitcode(status) == 0, "the work raised an exception"
    return True


def _count_down(lines: int) -> None:
    left = lines

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(CODE):
            return None
        if event == "line":
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
