"""The pool is bounded in flight, and its workers do not outlive their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pipeline.core.pool import Workers, active


def _square(x: int) -> int:
    return x * x


@pytest.mark.parametrize("n", [1, 2])
def test_every_result_comes_once(n: int) -> None:
    with Workers(n) as workers:
        assert active() is workers
        assert sorted(workers.map(_square, iter(range(50)))) == [x * x for x in range(50)]
    assert active().n == 1


class _Backwards(Workers):
    """A pool whose last result comes first."""

    def map(self, function: Callable[[Any], Any], items: Iterator[Any]) -> Iterator[Any]:
        yield from reversed([function(item) for item in items])


def test_results_are_put_in_order() -> None:
    squares = [0, 1, 4, 9, 16]
    assert list(_Backwards(1).map_in_order(_square, iter(range(5)))) == squares
    with Workers(2) as workers:
        assert list(workers.map_in_order(_square, iter(range(50))))[:5] == squares


def _variable(name: str) -> str | None:
    return os.environ.get(name)


def test_workers_have_the_environment_of_their_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server they are forked from stays, with the environment of the first pool."""
    for value in (None, "first", "second", None):
        if value is None:
            monkeypatch.delenv("KLUE_POOL_TEST", raising=False)
        else:
            monkeypatch.setenv("KLUE_POOL_TEST", value)
        with Workers(2) as workers:
            seen = set(workers.map(_variable, iter(["KLUE_POOL_TEST"] * 4)))
        assert seen == {value}


def test_items_are_drawn_only_as_they_are_needed() -> None:
    drawn = 0

    def items() -> Iterator[int]:
        nonlocal drawn
        for x in range(1000):
            drawn += 1
            yield x

    with Workers(2) as workers:
        results = workers.map(_square, items())
        next(results)
        assert drawn <= 8
        results.close()  # type: ignore[attr-defined]


def test_an_error_of_a_worker_reaches_the_caller() -> None:
    with Workers(2) as workers, pytest.raises(TypeError):
        list(workers.map(_square, iter(["x"])))  # type: ignore[list-item]


def test_workers_end_with_a_killed_parent() -> None:
    code = (
        "import os\nfrom pipeline.core.pool import Workers\n"
        "def main():\n"
        "    with Workers(2) as w:\n"
        "        print(*set(w.map(pids, iter(range(20)))), flush=True)\n"
        "        import time; time.sleep(600)\n"
        "from test_pool import pids\n"
        "if __name__ == '__main__': main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment, text=True
    ) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        assert workers
        parent.send_signal(signal.SIGKILL)
    for _ in range(600):  # a bound for a hang, not a measure of speed
        if not any(_alive(pid) for pid in workers):
            return
        time.sleep(0.1)
    pytest.fail(f"workers {workers} outlived their parent")


def pids(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # before it is opened, or read
        return False


def test_work_that_must_stay_here_is_not_given_to_processes_elsewhere() -> None:
    with Workers(2) as here, ThreadPoolExecutor(2) as threads:
        assert here.here() is here
        elsewhere = Workers(2, threads)
        assert [*elsewhere.map(_thread, iter([0]))] != [threading.get_ident()]
        assert [*elsewhere.here().map(_thread, iter([0]))] == [threading.get_ident()]


def _thread(_: int) -> int:
    return threading.get_ident()


def test_processes_that_are_let_go_end_and_others_come() -> None:
    with Workers(2) as workers:
        first = {*workers.map(pids, iter(range(8)))}
        workers.let_go()
        assert not any(_alive(pid) for pid in first)
        assert not first & {*workers.map(pids, iter(range(8)))}


def test_processes_elsewhere_are_not_let_go() -> None:
    with ThreadPoolExecutor(2) as threads:
        elsewhere = Workers(2, threads)
        elsewhere.let_go()
        assert [*elsewhere.map(_thread, iter([0]))] != [threading.get_ident()]


_HALF_A_REQUEST = """
import os, socket
from multiprocessing import forkserver
from pipeline.core.pool import Workers

if __name__ == "__main__":
    with Workers(2) as workers:
        workers.preload([])
        server = forkserver._forkserver
        with socket.socket(socket.AF_UNIX) as half:
            half.connect(server._forkserver_address)
        os.waitid(os.P_PID, server._forkserver_pid, os.WEXITED | os.WNOWAIT)
        print(sorted(workers.map(abs, iter([-1, -2]))))
"""


def test_a_request_for_a_worker_that_breaks_off_is_not_told_as_a_traceback() -> None:
    """As when no descriptor is left; the server that it ends is started again."""
    code = [sys.executable, "-c", _HALF_A_REQUEST]
    done = subprocess.run(code, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "[1, 2]\n"
    assert done.stderr == ""
