"""How a build runs: calls given to Prefect, on processes here or a cluster, or one by one here.

When every output is in the store, Prefect is not even imported.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from flows.engine.server import prefect_api
from pipeline.core import running
from pipeline.core.errors import InputError
from pipeline.core.pool import Workers, active
from pipeline.core.stage import Call

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks

T = TypeVar("T")
#: Seconds of work by fingerprint of the call.
Seconds = dict[str, float]
#: More processes than any one machine or cluster of this project's size needs.
_MOST_WORKERS: Final = 1024


def count_cores() -> int:
    """Return how many cores this process may use, where the system tells, else all of them."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def check_workers(workers: int) -> int:
    """Return the number of processes. Raises InputError where it is out of range."""
    if not 1 <= workers <= _MOST_WORKERS:
        raise InputError(f"--workers {workers} is out of range; allowed: 1 to {_MOST_WORKERS}")
    return workers


@dataclass(frozen=True)
class Engine:
    """How a flow runs: `local` on `workers` processes, or `dask` on a cluster.

    The cluster is one of this machine with `workers` processes, or the one at `address`, with
    those that it has.
    """

    name: str = "local"
    workers: int = 2
    address: str | None = None


class Part(NamedTuple):
    """A flow of a build: its calls, and what it does after them.

    The calls of a chain follow each other; `last` follows all chains. The part runs if a call is to
    be done or there is something to do `then`. `summary` says in Markdown what it came to.
    """

    name: str
    summary: Callable[[], str]
    chains: Sequence[Sequence[Call]] = ()
    last: Call | None = None
    then: Callable[[Tasks], None] | None = None

    @property
    def calls(self) -> list[Call]:
        """Return all calls, each after those that it reads from."""
        last = [self.last] if self.last is not None else []
        return [*(call for chain in self.chains for call in chain), *last]


class Job(NamedTuple):
    """A build as it is to run: its name and version as `title`, and its flows in order.

    `summary` says in Markdown what the whole came to, given the seconds of what ran.
    """

    title: str
    parts: Sequence[Part]
    summary: Callable[[Seconds], str]


def run_job(job: Job, *, work: Path, engine: Engine) -> Seconds:
    """Run those calls that are not in the store yet: a Prefect flow with a subflow for each part.

    Returns the seconds of each call that ran. Raises the KlueError of the first that failed.
    """
    pending = _pending(call for part in job.parts for call in part.calls)
    waiting = {call.fingerprint for call in pending}
    parts = [
        part
        for part in job.parts
        if part.then is not None or any(call.fingerprint in waiting for call in part.calls)
    ]
    if not parts:
        return {}
    with _workers(engine, pending, work), prefect_api(work):
        from flows.engine.tasks import run_flows

        return run_flows(job._replace(parts=parts), waiting)


@contextmanager
def _workers(engine: Engine, pending: list[Call], work: Path) -> Iterator[Workers]:
    if engine.name == "dask":
        from flows.engine.cluster import cluster_workers

        with cluster_workers(engine, pending, work) as workers:
            yield workers
    else:
        with Workers(engine.workers) as workers:
            workers.preload(modules_of(pending))
            yield workers


def run_here(calls: Iterable[Call]) -> Seconds:
    """Run those calls that are not in the store yet, one after another and without Prefect.

    They run on the active pool. Returns the seconds of each that ran.
    """
    seconds: Seconds = {}
    pending = _pending(calls)
    active().preload(modules_of(pending))
    for call in pending:
        seconds[call.fingerprint], _ = measure(running.complete, call)
    return seconds


def measure(work: Callable[..., T], *arguments: object) -> tuple[float, T]:
    """Return the seconds that a function took, and its result."""
    begin = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - begin, result


def _pending(calls: Iterable[Call]) -> list[Call]:
    calls = list(calls)
    for call in calls:
        running.recover(call)
    return [call for call in calls if not call.done]


def modules_of(calls: list[Call]) -> set[str]:
    """Return the modules that workers need for some calls."""
    return {module for call in calls for module in call.code}
