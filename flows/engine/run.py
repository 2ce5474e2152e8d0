"""How a build runs: calls given to Prefect in few coarse tasks, on processes here or a cluster.

Tasks pass calls (paths and digests), never tables; when every output is in the store, Prefect is
not even imported.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from flows.engine.server import prefect_api
from pipeline.core import running
from pipeline.core.errors import InputError, MissingDependencyError, RetryError
from pipeline.core.pool import Progress, Workers, active
from pipeline.core.stage import Call, stage_of

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

    The cluster is one of this machine with `workers` processes, or the one at `address`.
    """

    name: str = "local"
    workers: int = 2
    address: str | None = None

    def parts(self, sources: int) -> int:
        """Return into how many tasks a stage of a source is cut: enough for a cluster, yet few."""
        return 1 if self.name == "local" else max(2, 2 * self.workers // sources)


def run_calls(
    submit_all: Callable[[Submitter], None],
    calls: Iterable[Call],
    *,
    name: str,
    sources: int,
    work: Path,
    engine: Engine,
    progress: Progress,
    then: Callable[[], None] | None = None,
) -> Seconds:
    """Run those calls that are not in the store yet, as one Prefect flow.

    `submit_all` submits all calls, each after those that it reads. `then`, if given, runs within
    the flow when all of them are done. Returns the seconds of each call that ran. Raises the
    KlueError of the first that failed.
    """
    pending = _pending(calls)
    if not pending and then is None:
        return {}
    submit = Submitter(pending, parts=engine.parts(sources))
    with Workers(engine.workers, progress) as workers:
        if engine.name == "local":
            workers.preload(_modules(pending))
        with prefect_api(work):
            return _run_flow(submit, submit_all, name, engine, then)


def _run_flow(
    submit: Submitter,
    submit_all: Callable[[Submitter], None],
    name: str,
    engine: Engine,
    then: Callable[[], None] | None,
) -> Seconds:
    from prefect import flow

    # Without parameters: to note any, Prefect imports FastAPI.
    @flow(
        name="build",
        flow_run_name=lambda: name,
        task_runner=_runner(engine),
        validate_parameters=False,
    )
    def build() -> Seconds:
        submit_all(submit)
        seconds = submit.seconds()
        if then is not None:
            then()
        return seconds

    try:
        return build()
    except OSError as error:
        if engine.address is None:
            raise
        raise RetryError(
            f"no Dask scheduler answers at {engine.address} ({type(error).__name__}); start"
            " one, or correct --address"
        ) from None


def run_here(calls: Iterable[Call]) -> Seconds:
    """Run those calls that are not in the store yet, one after another and without Prefect.

    They run on the active pool. Returns the seconds of each that ran.
    """
    seconds: Seconds = {}
    pending = _pending(calls)
    active().preload(_modules(pending))
    for call in pending:
        seconds |= _complete([call])["seconds"]
    return seconds


def _pending(calls: Iterable[Call]) -> list[Call]:
    calls = list(calls)
    for call in calls:
        running.recover(call)
    return [call for call in calls if not call.done]


def _modules(calls: list[Call]) -> set[str]:
    return {module for call in calls for module in call.code}


class Submitter:
    """Gives calls to Prefect in few coarse tasks; calls whose output exists are left out."""

    def __init__(self, pending: list[Call], *, parts: int) -> None:
        self._pending = {call.fingerprint for call in pending}
        self._parts = parts
        self._futures: list[Any] = []

    def __call__(self, calls: list[Call], *, after: list[Any] | None = None) -> Any:
        """Submit calls that follow each other; returns what the next ones have to wait for."""
        last = [future for future in after or [] if future is not None]
        todo = [call for call in calls if call.fingerprint in self._pending]
        if not todo:
            return last[-1] if last else None
        if self._parts == 1 or not all(stage_of(call.module).splits for call in todo):
            return self._add(_task("complete").submit(todo, wait_for=last))
        for call in todo:
            ready = self._add(_task("prepare").submit(call, wait_for=last))
            parts = [
                self._add(_task("part").submit(call, n, self._parts, wait_for=[ready]))
                for n in range(self._parts)
            ]
            last = [self._add(_task("finish").submit(call, parts))]
        return last[0]

    def seconds(self) -> Seconds:
        """Wait for all tasks; returns their seconds by fingerprint, or raises the first failure."""
        total: Counter[str] = Counter()
        for future in self._futures:
            total.update(future.result()["seconds"])
        return dict(total)

    def _add(self, future: Any) -> Any:
        self._futures.append(future)
        return future


def _complete(calls: list[Call]) -> dict[str, Any]:
    return {"seconds": {call.fingerprint: _time(running.complete, call)[0] for call in calls}}


def _prepare(call: Call) -> dict[str, Any]:
    return {"seconds": {call.fingerprint: _time(running.prepare, call)[0]}}


def _part(call: Call, part: int, of: int) -> dict[str, Any]:
    seconds, shards = _time(partial(running.run, part=part, of=of), call)
    return {"shards": shards, "seconds": {call.fingerprint: seconds}}


def _finish(call: Call, parts: list[dict[str, Any]]) -> dict[str, Any]:
    running.finish(call, sum(part["shards"] for part in parts))
    return {"seconds": {}}


def _time(work: Callable[[Call], T], call: Call) -> tuple[float, T]:
    begin = time.perf_counter()
    result = work(call)
    return time.perf_counter() - begin, result


_BODIES = {"complete": _complete, "prepare": _prepare, "part": _part, "finish": _finish}


def _task(name: str) -> Any:
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    return task(_BODIES[name], name=name, cache_policy=NO_CACHE)  # type: ignore[call-overload]


def _runner(engine: Engine) -> Any:
    if engine.name == "local":
        from prefect.task_runners import ThreadPoolTaskRunner

        return ThreadPoolTaskRunner(max_workers=engine.workers)
    os.environ.setdefault("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical")
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError:
        raise MissingDependencyError(
            "prefect-dask", "in the checkout: pip install -e '.[dask]' -c constraints.txt"
        ) from None
    if engine.address:
        return DaskTaskRunner(address=engine.address)
    cluster = {
        "n_workers": engine.workers,
        "threads_per_worker": 1,
        "host": "127.0.0.1",
        "scheduler_kwargs": {"dashboard": False},
        "worker_dashboard_address": None,
        "silence_logs": "CRITICAL",
    }
    return DaskTaskRunner(cluster_kwargs=cluster)
