"""Flows and stages as Prefect shows them: subflows, and a task run for each stage and source."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection
from contextvars import ContextVar
from functools import partial
from itertools import zip_longest
from typing import Any, Final, TypeVar

from prefect import Flow, Task, tags
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.engine.artifacts import leave_counts, leave_summary, progress_bar
from flows.engine.run import Engine, Job, Part, Seconds, measure
from flows.view import interrupts
from pipeline.core import running
from pipeline.core.errors import MissingDependencyError, RetryError
from pipeline.core.stage import Call, stage_of

T = TypeVar("T")
#: Seconds before a task that may pass is tried again, and once more.
RETRY_DELAYS: Final = (1, 5)
#: What the flow run that begins next does.
_work: ContextVar[Callable[[], None]] = ContextVar("_work")


def run_flows(job: Job, pending: Collection[str], engine: Engine) -> Seconds:
    """Run the parts of a job as subflows, one after another; returns the seconds of their calls.

    A flow that Prefect has started itself (a deployment) is the one that they belong to, and it is
    the part of its own name.
    """
    outer = FlowRunContext.get()
    total = Seconds()

    def run_part(part: Part) -> None:
        tasks = Tasks(runner, pending, job.title, parts=engine.parts(job.sources))
        tasks.submit_part(part)
        tasks.wait()
        if part.then is not None:
            part.then(tasks)
        total.update(tasks.seconds)
        leave_summary(f"{job.title} {part.name}", part.summary())

    def run_parts() -> None:
        for part in job.parts:
            if outer is not None and outer.flow is not None and outer.flow.name == part.name:
                run_part(part)
            else:
                _run_flow(partial(run_part, part), part.name, f"{job.title} {part.name}")
        leave_summary(f"{job.title} build", job.summary(total))

    try:
        with tags(*job.title.split()), _runner(engine) as runner:
            run_parts() if outer is not None else _run_flow(run_parts, "build", job.title)
    except OSError as error:
        if engine.address is None:
            raise
        raise RetryError(
            f"no Dask scheduler answers at {engine.address} ({type(error).__name__}); start"
            " one, or correct --address"
        ) from None
    return total


def _run_flow(work: Callable[[], None], name: str, run_name: str) -> None:
    token = _work.set(work)
    # Without parameters: to note any, Prefect imports FastAPI.
    Flow(_body, name=name, flow_run_name=run_name, validate_parameters=False)()
    _work.reset(token)


def _body() -> None:
    """Do the work of the flow run: a function that workers of a cluster can import."""
    _work.get()()


class Tasks:
    """Gives the calls of a flow to Prefect; those whose output exists are left out."""

    def __init__(
        self, runner: TaskRunner[Any], pending: Collection[str], title: str, *, parts: int
    ) -> None:
        self._runner = runner
        self._title = title
        self._pending = pending
        self._parts = parts
        self._futures: list[Any] = []
        #: The seconds of each finished call.
        self.seconds: Seconds = {}

    def submit_part(self, part: Part) -> None:
        """Submit the calls of a part.

        The first calls of all chains go before the second ones: a worker that takes a call whose
        turn has not come waits for it.
        """
        lasts: list[list[Any]] = [[] for _ in part.chains]
        for calls in zip_longest(*part.chains):
            lasts = [
                last if call is None else self._submit_call(call, after=last)
                for call, last in zip(calls, lasts, strict=True)
            ]
        if part.last is not None:
            self._submit_call(part.last, after=[future for last in lasts for future in last])

    def _submit_call(self, call: Call, *, after: list[Any]) -> list[Any]:
        """Submit a call; returns what the next ones have to wait for."""
        if call.fingerprint not in self._pending:
            return after
        if self._parts == 1 or not stage_of(call.module).splits:
            return [self._submit(_complete, call, after, title=self._title)]
        ready = self._submit(_prepare, call, after, " begin")
        parts = [
            self._submit(_part, call, [ready], f" {n + 1}/{self._parts}", part=n, of=self._parts)
            for n in range(self._parts)
        ]
        return [self._submit(_finish, call, [], " end", parts=parts, title=self._title)]

    def run(self, stage: str, subject: str, work: Callable[[], T]) -> T:
        """Run what is no call as a task of this process."""

        def body() -> T:
            return work()

        return _task(body, stage, f"{stage} {subject}")()

    def wait(self) -> None:
        """Wait for all calls. Raises the error of the first that failed."""
        total = Counter[str]()
        for future in self._futures:
            total.update(future.result()["seconds"])
        self.seconds = dict(total)

    def _submit(
        self,
        body: Callable[..., Any],
        call: Call,
        after: list[Any],
        suffix: str = "",
        **parameters: Any,
    ) -> Any:
        task = _task(body, call.stage, f"{call.stage} {call.source}{suffix}")
        # With tags of its own Prefect starts a client for each task, which takes half a second.
        future = self._runner.submit(task, {"call": call, **parameters}, wait_for=after)
        self._futures.append(future)
        return future


def _task(body: Callable[..., T], name: str, run_name: str) -> Task[..., T]:
    return Task(
        body,
        name=name,
        task_run_name=run_name,
        cache_policy=NO_CACHE,
        retries=len(RETRY_DELAYS),
        retry_delay_seconds=list(RETRY_DELAYS),
        retry_condition_fn=_may_pass,
    )


def _may_pass(_task: object, _run: object, state: State[Any]) -> bool:
    """Tell whether a task failed for a reason that may be gone when it is tried again."""
    error = state.result(raise_on_failure=False)
    return isinstance(error, RetryError) and not interrupts.is_interrupted()


def _complete(call: Call, title: str) -> dict[str, Any]:
    with progress_bar(call, title) as advance:
        seconds, _ = measure(running.complete, call, advance)
    leave_counts(call, seconds, title)
    return {"seconds": {call.fingerprint: seconds}}


def _prepare(call: Call) -> dict[str, Any]:
    seconds, _ = measure(running.prepare, call)
    return {"seconds": {call.fingerprint: seconds}}


def _part(call: Call, part: int, of: int) -> dict[str, Any]:
    seconds, shards = measure(partial(running.run, part=part, of=of), call)
    return {"shards": shards, "seconds": {call.fingerprint: seconds}}


def _finish(call: Call, parts: list[dict[str, Any]], title: str) -> dict[str, Any]:
    running.finish(call, sum(part["shards"] for part in parts))
    leave_counts(call, sum(part["seconds"][call.fingerprint] for part in parts), title)
    return {"seconds": {}}


def _runner(engine: Engine) -> TaskRunner[Any]:
    if engine.name == "local":
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
        # Without a dashboard its port is opened all the same, by default 8787 of all interfaces.
        "dashboard_address": "127.0.0.1:0",
        "worker_dashboard_address": None,
        "silence_logs": "CRITICAL",
    }
    return DaskTaskRunner(cluster_kwargs=cluster)
