"""What Ctrl-C (SIGINT) and SIGTERM do: a command ends within seconds and says how to go on.

Python raises KeyboardInterrupt in the main thread, which may wait for what nobody can interrupt (a
query, a step of training). So a thread of its own hears signals too: it ends the processes that
work for this one, and then this one, if the main thread has not ended by itself.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from typing import Any, Final

#: Seconds that the main thread has to end by itself: what it writes is removed or finished.
GRACE: Final = 1.5
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class _Command:
    """The command that runs: how it speaks, and what has happened to it."""

    as_json = False
    resumes = True
    #: The first signal, 0 before.
    number = 0
    told = threading.Lock()


def listen() -> None:
    """Hear signals from now on. A signal that the shell has this process ignore stays ignored."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


def set_command(*, as_json: bool, resumes: bool) -> None:
    """Note how the command speaks, and whether it goes on where it stopped."""
    _Command.as_json, _Command.resumes = as_json, resumes
    _Command.told = threading.Lock()


def is_interrupted() -> bool:
    """Tell whether a signal has come."""
    return bool(_Command.number)


def report() -> int:
    """Say once that the command was interrupted, and how to go on; returns its exit code."""
    code = 128 + (_Command.number or signal.SIGINT)
    if _Command.told.acquire(blocking=False):
        again = "run the same command again to go on where it stopped"
        message = (
            f"interrupted; {again if _Command.resumes else 'the file in hand was not written'}"
        )
        sys.stderr.write(f"{message}\n")
        if _Command.as_json:
            sys.stdout.write(json.dumps({"error": message, "code": code}) + "\n")
    return code


def end() -> None:
    """End this process and those that work for it, without waiting for any work."""
    code = report()
    _end_workers()
    if "multiprocessing.util" in sys.modules:  # else a process that outlives this one complains
        from multiprocessing import util

        util._run_finalizers(0)  # type: ignore[attr-defined]
    if "rich.progress" in sys.modules and os.isatty(2):  # bars hide the cursor
        os.write(2, b"\x1b[?25h")
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # whoever read it is gone
            continue
    os._exit(code)


def _raise(number: int, _frame: Any) -> None:
    _note(number)
    raise KeyboardInterrupt


def _note(number: int) -> None:
    """Note the first signal; what breaks from now on, and cannot be caught, gets no traceback."""
    _Command.number = _Command.number or number
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None


def _watch(reading: int) -> None:
    # Each signal is a byte, and is taken from the pipe: what is left there is a second signal.
    while (number := os.read(reading, 1)[0]) not in _SIGNALS:
        pass
    _note(number)
    _end_workers()
    select.select([reading], [], [], GRACE)  # a second signal ends the wait
    end()


def _end_workers() -> None:
    """Kill the processes of the pool, so that what waits for them fails; no other starts."""
    if pool := sys.modules.get("pipeline.core.pool"):
        pool.stop()
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for process in active_children():
            process.kill()
