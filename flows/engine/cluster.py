"""The workers of a Dask cluster in the place of the processes of a pool.

The process of the build plans, prepares and finishes stages as it does with processes of its own,
and gives their shards to the cluster. An item whose worker is lost goes to another one.
"""

from __future__ import annotations

import pickle
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flows.engine.admission import Mark, find_faults, refusal, requirements_of, run_item
from flows.engine.run import Engine, modules_of
from flows.engine.scheduler import connect
from pipeline.core import store
from pipeline.core.errors import ClusterError, RetryError
from pipeline.core.pool import Workers
from pipeline.core.stage import Call

if TYPE_CHECKING:
    from distributed import Client

#: Seconds that a build waits for a first worker, and for another one when all are lost.
PATIENCE: Final = 60.0
#: Seconds between two looks at the workers of a cluster.
_INTERVAL: Final = 1.0


@contextmanager
def cluster_workers(engine: Engine, calls: list[Call], work: Path) -> Iterator[Workers]:
    """Yield the active pool of a build on a cluster, every worker of which is fit for the calls.

    Raises ClusterError where there is no scheduler or worker, or one that is not fit.
    """
    with (
        _mark(work) as mark,
        connect(engine.address, workers=engine.workers, modules=modules_of(calls)) as client,
    ):
        threads = _wait_for_workers(client, 1 if engine.address else engine.workers)
        required = requirements_of(calls, mark)
        _check_scheduler(client, required.versions)
        faults = client.run(find_faults, required, on_error="return", callback_timeout=PATIENCE)
        for worker, found in sorted(faults.items()):
            if found:
                raise refusal(worker, found if isinstance(found, list) else [_unfit(found)])
        executor = ClusterExecutor(client, pickle.dumps(required))
        with Workers(threads, executor) as workers:
            watch = threading.Thread(target=executor.watch, args=(workers.grow,), daemon=True)
            watch.start()
            yield workers


@contextmanager
def _mark(work: Path) -> Iterator[Mark]:
    """Write a file by which workers tell the work directory from another at the same path."""
    mark = Mark(work / "cluster.mark", secrets.token_hex(16))
    store.write_text(mark.path, mark.token)
    try:
        yield mark
    finally:
        mark.path.unlink(missing_ok=True)


def _wait_for_workers(client: Client, wanted: int) -> int:
    """Wait until there are workers; returns how many threads they have."""
    try:
        client.wait_for_workers(wanted, timeout=PATIENCE)
    except TimeoutError:
        raise ClusterError(
            f"no worker has come to the Dask scheduler at {client.scheduler.address} in"
            f" {PATIENCE:g} s; start workers (dask worker ADDRESS --nthreads 1) before the build,"
            " and look at their log if they have started"
        ) from None
    return sum(client.nthreads().values())


def _check_scheduler(client: Client, versions: dict[str, str]) -> None:
    """Check that the scheduler has the installation that it needs to pass work on."""
    names = [name for name in ("dask", "distributed", "klue-rebuild") if name in versions]
    there = client.get_versions(packages=names)["scheduler"]["packages"]
    python = ".".join(str(there["python"]).split(".")[:2])
    seen: dict[str, str] = {"python": python, **{name: there[name] or "absent" for name in names}}
    faults = [
        f"{name} is {value} there, {versions[name]} here"
        for name, value in seen.items()
        if value != versions[name]
    ]
    if faults:
        raise ClusterError(
            f"scheduler {client.scheduler.address}: {'; '.join(faults)}; give it the installation"
            " of this process, restart it with its workers, and run the same command again"
        )


def _unfit(error: BaseException) -> str:
    """Say why a worker could not even be looked at: most often it lacks this module."""
    return f"it has no {__package__}.admission like this process ({type(error).__name__}: {error})"


class ClusterExecutor(Executor):
    """Runs items on the workers of a Dask cluster."""

    def __init__(self, client: Client, required: bytes) -> None:
        """Take a client, and what workers must have, pickled (`Requirements`)."""
        self._client = client
        self._required = required
        self._waiting = set[Future[Any]]()
        self._lock = threading.Lock()
        self._lost: RetryError | None = None
        self._over = threading.Event()

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        """Run a function of one argument on a worker.

        The future raises what the function raised, ClusterError for an item that ends its workers,
        RetryError when the connection or all workers are lost.
        """
        outcome = Future[Any]()
        with self._lock:
            if self._lost is not None:
                raise self._lost
            self._waiting.add(outcome)
        outcome.add_done_callback(self._waiting.discard)
        work = pickle.dumps((function, *args))
        try:
            task = self._client.submit(run_item, self._required, work, pure=False)
        except Exception as error:  # the client has closed
            _settle(outcome, error=self._fault(error))
            return outcome
        outcome.add_done_callback(lambda _: task.release())
        task.add_done_callback(partial(self._finish, outcome))
        return outcome

    def _finish(self, outcome: Future[Any], task: Any) -> None:
        if outcome.done():
            return
        try:
            result = task.result(timeout=PATIENCE)
        except BaseException as error:  # also CancelledError, which is none
            _settle(outcome, error=self._fault(error))
        else:
            _settle(outcome, result)

    def _fault(self, error: BaseException) -> BaseException:
        """Return the error of the user for one of Dask's; others stay."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return ClusterError(
                f"the same piece of work ended {error.allowed_failures + 1} workers one after"
                " another (killed, or out of memory); give workers more memory and run the same"
                " command again: finished shards are kept"
            )
        module = type(error).__module__
        if isinstance(error, CancelledError | TimeoutError) or module.startswith("distributed"):
            return self._lost or RetryError(
                f"the connection to the Dask scheduler at {self._client.scheduler.address} was"
                " lost; look whether it still runs, and run the same command again: finished"
                " shards are kept"
            )
        return error

    def watch(self, grow: Callable[[int], None]) -> None:
        """Tell `grow` how many workers there are until the end, and fail when all are lost."""
        seen = time.monotonic()
        while not self._over.wait(_INTERVAL):
            try:
                threads = sum(self._client.nthreads().values())
            except Exception:  # the connection is lost, or about to be found again
                threads = 0
            if threads:
                seen = time.monotonic()
                grow(threads)
            elif time.monotonic() - seen > PATIENCE:
                self._fail()
                return

    def _fail(self) -> None:
        with self._lock:
            self._lost = RetryError(
                f"all workers of the Dask scheduler at {self._client.scheduler.address} were lost,"
                f" and none has come back in {PATIENCE:g} s; start workers and run the same command"
                " again: finished shards are kept"
            )
            waiting = list(self._waiting)
        for outcome in waiting:
            _settle(outcome, error=self._lost)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Cancel what was not waited for; the client is closed by whoever opened it."""
        self._over.set()
        for outcome in list(self._waiting):
            outcome.cancel()


def _settle(
    outcome: Future[Any], result: object = None, error: BaseException | None = None
) -> None:
    """Give a future its outcome unless it has one: a look at the workers and a task may both."""
    if outcome.done() or not outcome.set_running_or_notify_cancel():
        return
    if error is None:
        outcome.set_result(result)
    else:
        outcome.set_exception(error)
