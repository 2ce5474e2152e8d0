"""Servers of boards for tests: started as a user starts them, ended by their own process id."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

#: Seconds that anything may take on a busy machine.
PATIENCE = 240.0


@dataclass
class Server:
    """A server that runs: its process, its log, the address that it told."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def address(self) -> str:
        found = re.search(r"http://\S+", self.log.read_text("utf-8"))
        return found[0] if found else ""

    def children(self) -> dict[str, int]:
        """Return the process ids of web, checker and scorer."""
        found = {}
        for number in descendants(self.process.pid):
            words = words_of(number)
            if "flows.leaderboard.process" in words:
                found[words[words.index("flows.leaderboard.process") + 1]] = number
        return found

    def stop(self) -> int:
        """Ask the server to end, and wait; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def words_of(number: int) -> list[str]:
    """Return the command line of a process, [] if it has ended."""
    try:
        return Path(f"/proc/{number}/cmdline").read_text("utf-8").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(number: int) -> list[int]:
    """Return the processes that a process started, and those that these started."""
    try:
        text = Path(f"/proc/{number}/task/{number}/children").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return []
    found = [int(word) for word in text.split()]
    return [*found, *(more for child in found for more in descendants(child))]


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Wait until something holds; fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.2)


@contextmanager
def running(
    folder: Path,
    *options: object,
    python: Sequence[str] = (sys.executable,),
    environment: dict[str, str] | None = None,
) -> Iterator[Server]:
    """Run `klue leaderboard serve` on a free port, until the block ends."""
    log = folder.with_name(f"{folder.name}.{time.monotonic_ns()}.log")
    words = ["-m", "flows.cli", "leaderboard", "serve", folder, "--port", 0, *options]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*python, *map(str, words)],
            stdout=stream,
            stderr=stream,
            env={**os.environ, **(environment or {})},
        )
    server = Server(process, log)
    try:
        wait_for(lambda: server.address or process.poll() is not None, "the server starts")
        assert process.poll() is None, log.read_text("utf-8")
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
