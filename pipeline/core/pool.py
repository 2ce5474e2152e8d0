"""The project's own process pool: bounded in flight, inline for one worker, no orphans.

An executor in place of the processes, such as a cluster, gets the same work.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import forkserver, get_context, parent_process, resource_tracker
from pathlib import Path
from types import TracebackType
from typing import Final, TypeVar

from pipeline.core.errors import RetryError

T = TypeVar("T")
R = TypeVar("R")

#: What the server imports that workers are forked from, and nobody else.
_SERVER: Final = "pipeline.core.fork_server"
_active: Workers | None = None
#: The threads that look after processes. What these share with a thread that is held here is put
#: away by whoever ends this process, not by the thread while that goes on.
_managers: list[object] = []
_stopped = threading.Event()


class Workers:
    """A pool of `n` processes for the length of a ``with`` block; 1 runs in this process.

    Processes start at the first call and are shared by all stages. They are forked from a server
    that has imported what `preload` names. Threads may call `map` at the same time.
    """

    def __init__(self, n: int, executor: Executor | None = None) -> None:
        """Take the number of processes, at least 1.

        An `executor` has processes of its own; it is shut down at the end.
        """
        self.n = n
        self._executor = executor
        self._is_elsewhere = executor is not None
        self._lock = threading.Lock()
        self._places = threading.Semaphore(2 * n)

    def __enter__(self) -> Workers:
        global _active  # noqa: PLW0603 - the one pool of this process
        _active = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        global _active  # noqa: PLW0603
        _active = None
        if self._executor is not None:
            self._executor.shutdown(wait=kind is None, cancel_futures=True)

    def preload(self, modules: Iterable[str]) -> None:
        """Begin to import the modules that workers need, once for all of them and beside this."""
        if self.n > 1:
            start_server(modules)

    def grow(self, n: int) -> None:
        """Let as many more items be in flight as `n` processes need; nothing if there are fewer."""
        for _ in range(2 * (n - self.n)):
            self._places.release()
        self.n = max(n, self.n)

    def let_go(self) -> None:
        """End the processes, so that what they hold goes back; the next call starts others."""
        if not self._is_elsewhere:
            with self._lock:
                executor, self._executor = self._executor, None
            if executor is not None:
                executor.shutdown()

    def here(self) -> Workers:
        """Return this pool if its processes are of this machine, else one that runs inline.

        It is for work whose code nobody has compared with that of the workers elsewhere.
        """
        return Workers(1) if self._is_elsewhere else self

    def map(self, function: Callable[[T], R], items: Iterator[T]) -> Iterator[R]:
        """Yield function(item) as results come, in any order.

        At most 2 n items are in flight, over all threads that call this.
        """
        if self._executor is None and self.n == 1:
            yield from map(function, items)
            return
        pool, running = self._pool(), set[Future[R]]()
        try:
            for item in items:
                while not self._places.acquire(blocking=not running):
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
                if _stopped.is_set():
                    raise RetryError("this process is about to end; run the same command again")
                future = pool.submit(function, item)
                manager = getattr(pool, "_executor_manager_thread", None)
                if manager is not None and manager not in _managers:
                    _managers.append(manager)
                future.add_done_callback(lambda _: self._places.release())
                running.add(future)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenProcessPool:
            with self._lock:
                if self._executor is pool:  # the next call starts another one
                    self._executor = None
            raise RetryError(
                "a worker process died (killed, or out of memory); run the same command again:"
                " finished shards are kept, and fewer --workers need less memory"
            ) from None
        finally:
            for future in running:
                future.cancel()

    def map_in_order(self, function: Callable[[T], R], items: Iterator[T]) -> Iterator[R]:
        """Yield the same in the order of the items; results that come early wait in memory."""
        early, following = dict[int, R](), 0
        for number, result in self.map(partial(_numbered, function), enumerate(items)):
            early[number] = result
            while following in early:
                yield early.pop(following)
                following += 1

    def _pool(self) -> Executor:
        with self._lock:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    self.n,
                    mp_context=get_context("forkserver"),
                    initializer=_begin,
                    initargs=(dict(os.environ), gc.get_threshold()),
                )
            return self._executor


def start_server(modules: Iterable[str]) -> None:
    """Start the server that processes are forked from, which imports these modules first."""
    forkserver.set_forkserver_preload([_SERVER, __name__, *sorted(modules)])
    resource_tracker.ensure_running()
    # The server imports them before it ignores Ctrl-C, which is for this process alone.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    forkserver.ensure_running()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _numbered(function: Callable[[T], R], item: tuple[int, T]) -> tuple[int, R]:
    return item[0], function(item[1])


def active() -> Workers:
    """Return the pool of the ``with`` block that this process is in, else an inline one."""
    return _active or Workers(1)


def stop() -> None:
    """Let no pool start another process, since this one is about to end.

    A worker that started now would find what it shares with its parent gone, and complain. So the
    server that forks workers is killed, and before it those that nobody here knows of yet.
    """
    _stopped.set()
    server = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    if server is not None:
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGSTOP)  # it forks no other one
            for worker in _children(server):
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            os.kill(server, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    """Return the children of a process that stops; none where the system does not tell."""
    place = Path("/proc", str(pid))
    with suppress(OSError):
        for _ in range(100):  # a stop takes until the process runs again
            if (place / "stat").read_text("utf-8").rpartition(")")[2].split()[0] in "TtZ":
                break
            time.sleep(0.001)
        return [int(child) for child in (place / f"task/{pid}/children").read_text().split()]
    return []


def collect_as(thresholds: tuple[int, int, int]) -> None:
    """Have a worker collect garbage as rarely as the process of the build does."""
    gc.set_threshold(*thresholds)
    gc.freeze()  # modules stay: no collection looks them through, nor copies the server's pages


def _begin(environment: dict[str, str], thresholds: tuple[int, int, int]) -> None:
    """Give a new worker the environment of the pool's process and its thresholds of collections.

    It ends with that process, to which Ctrl-C is left.

    The server that workers are forked from may be older than a variable that was set since.
    """
    collect_as(thresholds)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None  # of the pool

    def wait_for_end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_end, daemon=True).start()
