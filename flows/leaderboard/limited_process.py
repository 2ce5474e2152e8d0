"""One job in a child process with limits: what it reads was sent by a stranger.

The child is forked, so that what was imported and loaded before costs it nothing. It has a process
group of its own, no file of the parent, nothing on standard input, and limits of memory, processor
time, wall time and file size. What it says is one bounded JSON message; errors without a message
for the user are known by their kind and place alone, since their texts may hold labels.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from pipeline.core.errors import InputError

#: done; refused: the input is at fault, `message` says why; memory and cpu: it needs more than is
#: allowed; time: it took too long, on a busy machine perhaps; crashed: a fault of ours.
Kind = Literal["done", "refused", "memory", "cpu", "time", "crashed"]

#: The most bytes of a message.
MOST_BYTES: Final = 1024**2
#: What is left above the limit of memory to report that it was reached.
_RESERVE: Final = 64 * 1024**2
#: A child that dies of itself with so much of its memory in use ran out of it.
_NEARLY: Final = 0.85
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_NO_NEW_PRIVILEGES = 1, 4, 38
_LIBC: Final = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Limits:
    """Bytes of memory beyond those of the parent, seconds on a processor, seconds by the clock.

    `file_bytes` is the most that a file it writes may have; `user` and `group` are ids that it
    takes, if they are given.
    """

    memory: int = 4 * 1024**3
    cpu: int = 120
    wall: float = 600
    file_bytes: int = 0
    files: int = 64
    user: int | None = None
    group: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a job ended: its result, or a message; seconds of processor, bytes it took at most.

    Memory that it has from its parent does not count, as in Limits.
    """

    kind: Kind
    message: str = ""
    result: Any = None
    cpu: float = 0
    peak: int = 0


def run_limited(job: Callable[[], Any], limits: Limits) -> Outcome:
    """Run a job, which returns a JSON value, in a forked child; raises nothing that it does.

    An InputError of the job is a refusal with its message. Call it in a process with one thread.
    """
    reading, writing = os.pipe()
    parent, (base, inherited) = os.getpid(), _own_memory()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _run_child(job, limits, writing, parent=parent, base=base)
    os.close(writing)
    try:
        message, in_time = _read(reading, time.monotonic() + limits.wall)
    finally:
        os.close(reading)
        _kill(child)
        _, status, usage = os.wait4(child, 0)
    peak = max(0, usage.ru_maxrss * 1024 - inherited)
    outcome = _outcome(message, status, peak, limits, in_time=in_time)
    return replace(outcome, cpu=usage.ru_utime + usage.ru_stime, peak=peak)


def die_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """Let the kernel send this process a signal when its parent ends; exit if it has."""
    _LIBC.prctl(_SET_DEATH_SIGNAL, int(number), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def hide_memory() -> None:
    """Let other processes of the same user neither trace this one nor read its memory."""
    _LIBC.prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def _run_child(
    job: Callable[[], Any], limits: Limits, writing: int, *, parent: int, base: int
) -> NoReturn:
    code = 1
    try:
        _confine(limits, writing, parent=parent, base=base)
        text = json.dumps(asdict(_result(job))).encode()
        sent = 0
        while sent < len(text):
            sent += os.write(writing, text[sent:])
        code = 0
    finally:
        os._exit(code)


def _result(job: Callable[[], Any]) -> Outcome:
    try:
        return Outcome("done", result=job())
    except InputError as error:
        return Outcome("refused", str(error)[: MOST_BYTES // 8])
    except MemoryError:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        return Outcome("memory")
    except BaseException as error:
        return Outcome("crashed", place_of(error))


def place_of(error: BaseException) -> str:
    """Return the kind of an error and where it was raised, without its text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{where}"


def _confine(limits: Limits, writing: int, *, parent: int, base: int) -> None:
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    _close_from(3, but=writing)
    with suppress(OSError):  # the kernel kills this one first where memory is short
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    _LIBC.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if limits.group is not None:
        os.setgroups([])
        os.setgid(limits.group)
    if limits.user is not None:
        os.setuid(limits.user)
    most = base + limits.memory
    for kind, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.files, limits.files),
        (resource.RLIMIT_CPU, limits.cpu, limits.cpu + 1),
        (resource.RLIMIT_AS, most, most + _RESERVE),
    ):
        resource.setrlimit(kind, (soft, hard))
    hide_memory()
    die_with_parent(parent)  # last, since a change of the user takes the signal back


def _close_from(first: int, *, but: int) -> None:
    os.closerange(first, but)
    os.closerange(but + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _read(reading: int, deadline: float) -> tuple[bytes, bool]:
    """Return what the child wrote, a little more than allowed at most; and whether it ended."""
    data = b""
    while len(data) <= MOST_BYTES:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return data, False
        piece = os.read(reading, 65536)
        if not piece:
            break
        data += piece
    return data, True


def _kill(child: int) -> None:
    for kill in (os.killpg, os.kill):  # it may not lead its group yet
        with suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _outcome(message: bytes, status: int, peak: int, limits: Limits, *, in_time: bool) -> Outcome:
    if not in_time:
        return Outcome("time")
    if len(message) > MOST_BYTES:
        return Outcome("crashed", "its message is too long")
    with suppress(ValueError, TypeError):
        return Outcome(**json.loads(message))
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if number == signal.SIGXCPU:
        return Outcome("cpu")
    if peak > _NEARLY * limits.memory:
        return Outcome("memory")
    return Outcome("crashed", f"signal {number}" if number else f"exit code {status >> 8}")


def _own_memory() -> tuple[int, int]:
    """Return the bytes of this process's address space, and those that a fork has in memory.

    Pages of files are not: a fork reads them again.
    """
    fields = Path("/proc/self/statm").read_text("ascii").split()
    total, resident, of_files = (int(field) * resource.getpagesize() for field in fields[:3])
    return total, resident - of_files
