"""What `klue build` was asked for, checked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from flows.engine.run import Engine
from flows.plan.build import PARTS
from flows.plan.tasks import tasks_of
from pipeline.contracts.build_inputs import load_build
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

#: The work directory unless --work says another.
WORK = Path("data/work")
#: The directory of releases unless --releases says another.
RELEASES = Path("data/releases")
#: What a release may hold beside Parquet.
FORMATS = ("klue",)
#: More processes than any one machine or cluster of this project's size needs.
MOST_WORKERS = 1024
ENGINES = ("local", "dask")


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    build_file: Path
    work: Path = WORK
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    tasks: str | None = None
    until: str | None = None
    releases: Path = RELEASES
    formats: tuple[str, ...] = ()

    @property
    def store(self) -> Path:
        """Return the work directory as every worker of a cluster understands it."""
        return self.work.absolute()

    def checked_engine(self) -> Engine:
        """Return the engine. Raises InputError for options that do not go together."""
        _one_of("--engine", self.engine, ENGINES)
        if self.until is not None:
            _one_of("--until", self.until, PARTS)
        for given in self.formats:
            _one_of("--format", given, FORMATS)
        if self.address and self.engine != "dask":
            raise InputError("--address names a Dask scheduler; add --engine dask")
        if self.address and not os.environ.get("PREFECT_API_URL") and not _here(self.address):
            raise InputError(
                f"--address {self.address} is another machine, whose workers cannot reach a Prefect"
                " server on this one's loopback; set PREFECT_API_URL to a server that all can reach"
            )
        workers = _cores() if self.workers is None else self.workers
        if not 1 <= workers <= MOST_WORKERS:
            raise InputError(f"--workers {workers} is out of range; allowed: 1 to {MOST_WORKERS}")
        return Engine(self.engine, workers, self.address)

    def checked_tasks(self) -> frozenset[str]:
        """Return the tasks asked for, or those of the build file; none stands for all.

        Raises InputError for an unknown one, SpecError for a faulty build file.
        """
        named = tasks_of(load_build(self.build_file))
        if self.tasks is None:
            return named
        asked = [task.strip() for task in self.tasks.split(",")]
        for task in asked:
            _one_of("--tasks", task, tuple(TASKS))
        return frozenset(asked)


def _cores() -> int:
    """Return how many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _here(address: str) -> bool:
    try:
        host = urlsplit(address if "//" in address else f"tcp://{address}").hostname or ""
    except ValueError:
        raise InputError(f"--address {address!r} is no address; such as tcp://HOST:8786") from None
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _one_of(option: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise InputError(f"{option} {given!r} is unknown; allowed: {', '.join(allowed)}")
