"""Runs a build, strikes at its moment, and tells what it said and which processes outlived it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from build_site import MARK, ROOT, Site

#: Seconds after which a build counts as hung; on a quiet machine the longest takes a minute.
HUNG: Final = 900
#: Seconds that processes may outlive their build.
PATIENCE: Final = 30
_PAUSE: Final = 0.02


@dataclass(frozen=True)
class Ended:
    """How a build ended: exit code, what it said, whether the fault struck, who was left."""

    code: int
    out: str
    error: str
    struck: bool
    left: tuple[str, ...]
    hung: bool = False

    @property
    def record(self) -> dict[str, Any] | None:
        """Return the one JSON object of its standard output, None if that is none."""
        try:
            record = json.loads(self.out)
        except ValueError:
            return None
        return record if isinstance(record, dict) else None


@dataclass(frozen=True)
class Process:
    """A process of a build: `kind` is main, server, worker or other."""

    pid: int
    kind: str
    words: str


class Run:
    """A build that runs, in a session of its own; its processes are known by their environment."""

    def __init__(self, site: Site, main: subprocess.Popen[bytes]) -> None:
        """Take the site and the process that was started."""
        self.site = site
        self.main = main

    def processes(self, kind: str | None = None) -> list[Process]:
        """Return its processes, or those of a kind, in the order of their ids."""
        found = [*_marked(self.site)]
        forkservers = {p.pid for p in found if "multiprocessing.forkserver" in p.words}
        processes = [
            Process(process.pid, self._kind(process, forkservers), process.words)
            for process in found
        ]
        return [process for process in processes if kind in (None, process.kind)]

    def _kind(self, process: Process, forkservers: set[int]) -> str:
        if process.pid == self.main.pid:
            return "main"
        if "flows.engine.server" in process.words:
            return "server"
        if "spawn_main" in process.words or _parent(process.pid) in forkservers:
            return "worker"
        return "other"


def run_build(
    site: Site,
    *,
    engine: str,
    environment: dict[str, str] | None = None,
    limits: Sequence[str] = (),
    is_time: Callable[[], bool] = lambda: False,
    strike: Callable[[Run], bool] = lambda _: True,
) -> Ended:
    """Run the build of a site. Once it is time, `strike` is called until it returns True.

    `limits` are options of prlimit.
    """
    out, error = site.folder / "stdout", site.folder / "stderr"
    with out.open("wb") as stdout, error.open("wb") as stderr:
        main = subprocess.Popen(
            [*(("prlimit", *limits) if limits else ()), *site.command(engine)],
            cwd=ROOT,
            stdout=stdout,
            stderr=stderr,
            env=site.environment(**(environment or {})),
            start_new_session=True,
        )
    run, struck, hung = Run(site, main), False, False
    end = time.monotonic() + HUNG
    try:
        while main.poll() is None and not hung:
            if not struck and is_time():
                struck = strike(run)
            time.sleep(_PAUSE)
            hung = time.monotonic() > end
        patience = 0 if hung else PATIENCE
    except BaseException:
        patience = 0
        raise
    finally:
        left = _wait_for_end(site, patience)
        main.wait()
    return Ended(
        main.returncode,
        out.read_text("utf-8", "replace"),
        error.read_text("utf-8", "replace"),
        struck,
        left,
        hung,
    )


def _wait_for_end(site: Site, patience: float) -> tuple[str, ...]:
    """Wait some seconds for all processes of a build; returns, and kills, those that stay."""
    end = time.monotonic() + patience
    while (left := [*_marked(site)]) and time.monotonic() < end:
        time.sleep(0.1)
    for process in left:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    return tuple(process.words[:200] for process in left)


def _marked(site: Site) -> Iterator[Process]:
    """Yield all processes that carry the mark of a site, by their id."""
    mark = f"{MARK}={site.folder}".encode()
    for number in sorted(int(p.name) for p in Path("/proc").iterdir() if p.name.isdecimal()):
        place = Path("/proc", str(number))
        with suppress(OSError):
            if mark in place.joinpath("environ").read_bytes().split(b"\0"):
                words = place.joinpath("cmdline").read_bytes().replace(b"\0", b" ")
                yield Process(number, "", words.decode("utf-8", "replace").strip())


def _parent(pid: int) -> int:
    with suppress(OSError, IndexError, ValueError):
        status = Path("/proc", str(pid), "stat").read_text("utf-8", "replace")
        return int(status.rpartition(")")[2].split()[1])
    return 0
