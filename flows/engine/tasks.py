"""Flows and stages as Prefect shows them: subflows, and a task run for each stage and source."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import zip_longest
from typing import Any, Final, TypeVar

from prefect import Flow, Task, tags
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.engine.artifacts import leave_counts, leave_summary, progress_bar
from flows.engine.run import Job, Part, Seconds, measure
from flows.view import interrupts
from flows.view.console import say
from flows.view.progress import is_log
from pipeline.core import running
from pipeline.core.errors import RetryError
from pipeline.core.pool import active
from pipeline.core.stage import Call
from pipeline.core.wording import count

T = TypeVar("T")
#: Seconds before a task that may pass is tried again, and once more.
RETRY_DELAYS: Final = (1, 5)


def run_flows(job: Job, pending: Collection[str]) -> Seconds:
    """Run the parts of a job as subflows, one after another; returns the seconds of their calls.

    Stages run in threads of this process, which give their shards to the active pool.

    A flow that Prefect has started itself (a deployment) is the one that they belong to, and it is
    the part of its own name.
    """
    outer = FlowRunContext.get()
    total = Seconds()

    def run_part(part: Part) -> None:
        if is_log():
            waiting = sum(call.fingerprint in pending for call in part.calls)
            say(f"{part.name}: {waiting} of {count(len(part.calls), 'stage')} to run")
        tasks = Tasks(runner, pending, job.title)
        tasks.submit_part(part)
        tasks.wait()
        if part.then is not None:
            active().let_go()  # as before a call that follows all others
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

    runner: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=active().n)
    with tags(*job.title.split()), runner:
        run_parts() if outer is not None else _run_flow(run_parts, "build", job.title)
    return total


def _run_flow(work: Callable[[], None], name: str, run_name: str) -> None:
    def body() -> None:
        work()

    # Without parameters: to note any, Prefect imports FastAPI.
    Flow(body, name=name, flow_run_name=run_name, validate_parameters=False)()


class Tasks:
    """Gives the calls of a flow to Prefect; those whose output exists are left out."""

    def __init__(self, runner: TaskRunner[Any], pending: Collection[str], title: str) -> None:
        self._runner = runner
        self._title = title
        self._pending = pending
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
            ends = [future for last in lasts for future in last]
            self._submit_call(part.last, after=ends, work=_complete_anew)

    def _submit_call(
        self, call: Call, *, after: list[Any], work: Callable[..., Seconds] | None = None
    ) -> list[Any]:
        """Submit a call; returns what the next ones have to wait for."""
        if call.fingerprint not in self._pending:
            return after
        task = _task(work or _complete, call.stage, f"{call.stage} {call.source}")
        parameters = {"call": call, "title": self._title}
        # With tags of its own Prefect starts a client for each task, which takes half a second.
        future = self._runner.submit(task, parameters, wait_for=after)
        self._futures.append(future)
        return [future]

    def run(self, stage: str, subject: str, work: Callable[[], T]) -> T:
        """Run what is no call as a task of this process."""

        def body() -> T:
            return work()

        return _task(body, stage, f"{stage} {subject}")()

    def wait(self) -> None:
        """Wait for all calls. Raises the error of the first that failed."""
        for future in self._futures:
            self.seconds |= future.result()


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


def _complete_anew(call: Call, title: str) -> Seconds:
    """Complete a call beside which nothing runs, by processes that hold nothing of earlier ones."""
    active().let_go()
    return _complete(call, title)


def _complete(call: Call, title: str) -> Seconds:
    with progress_bar(call, title) as advance:
        seconds, _ = measure(running.complete, call, advance)
    leave_counts(call, seconds, title)
    return {call.fingerprint: seconds}
