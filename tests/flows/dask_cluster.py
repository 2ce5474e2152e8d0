"""A Dask scheduler and workers as an administrator starts them: elsewhere, and by other processes.

They know nothing of the process of a build but the address of the scheduler.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Seconds after which what does not come is a fault; no test measures it.
_BOUND = 180
Process = subprocess.Popen[bytes]


class Cluster:
    """Processes of `dask scheduler` and `dask worker`, each in a folder of its own below one."""

    def __init__(self, folder: Path) -> None:
        """Take a folder; nothing is started yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.processes: list[Process] = []
        self.address = ""

    def start_scheduler(self, *options: str) -> Process:
        """Start the scheduler, and wait until it has an address."""
        file = self.folder / "scheduler.json"
        words = ("--port", "0", "--no-dashboard", "--scheduler-file", str(file), *options)
        process = self._start("scheduler", words, {})
        wait_until(lambda: file.exists() and bool(file.read_bytes()), process)
        self.address = json.loads(file.read_bytes())["address"]
        return process

    def start_worker(self, *options: str, threads: int = 1, **environment: str) -> Process:
        """Start a worker, without a nanny unless `options` say --nanny."""
        nanny = () if "--nanny" in options else ("--no-nanny",)
        words = (self.address, "--nthreads", str(threads), "--no-dashboard", *nanny, *options)
        return self._start("worker", words, environment)

    def _start(self, kind: str, words: tuple[str, ...], environment: dict[str, str]) -> Process:
        home = self.folder / f"{kind}-{len(self.processes)}"
        home.mkdir()
        foreign = ("PYTHONPATH", "KLUE_", "PREFECT_", "DASK_")
        kept = {n: v for n, v in os.environ.items() if not n.startswith(foreign)}
        host = () if "--host" in words else ("--host", "127.0.0.1")
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, *host],
                cwd=home,
                env=kept | environment,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process


@contextmanager
def cluster(folder: Path, workers: int = 0) -> Iterator[Cluster]:
    """Run a scheduler and so many workers for the length of a ``with`` block."""
    made = Cluster(folder)
    try:
        made.start_scheduler()
        for _ in range(workers):
            made.start_worker()
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.wait()


def wait_until(is_so: Callable[[], bool], process: Process | None = None) -> None:
    """Wait for something to be so; fails when it does not come, or a process ends before."""
    end = time.monotonic() + _BOUND
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        assert process is None or process.poll() is None, "the process has ended"
        time.sleep(0.05)
