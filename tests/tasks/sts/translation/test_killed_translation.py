"""Kill -9 of a process in the middle of the stage `translate`: nothing is asked for twice."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from loopback import KEY, SECRET, Fault, Service, running
from translate_calls import TEXTS, keep, make_call, papago, unit

from pipeline.core import store
from pipeline.core.fingerprint import ROOT
from pipeline.core.running import complete
from pipeline.core.stage import Call


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("KEY_VAR", KEY)
    monkeypatch.setenv("SECRET_VAR", SECRET)
    with running() as made:
        yield made


@contextmanager
def _apart(made: Call, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a call in a process of its own, which is killed in the end: kill -9."""
    (folder / "call").write_bytes(pickle.dumps(made))
    code = (
        "import pickle, sys; from pathlib import Path; from pipeline.core.running import complete;"
        " complete(pickle.loads(Path(sys.argv[1]).read_bytes()))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(folder / "call")], cwd=ROOT)
    try:
        yield process
    finally:
        process.kill()
        assert process.wait(60) == -signal.SIGKILL


def _asked_once_for_each(made: Call, service: Service, trips: int) -> None:
    rows = store.read_all(made.folder, "translations").to_pylist()
    assert len(rows) == trips
    both = [[("en", row["text"]), ("ko", row["pivot"])] for row in rows]
    asked = Counter((form["target"], form["text"]) for form in service.asked)
    assert asked == Counter(service.billed) == Counter(one for ways in both for one in ways)


def test_a_run_killed_again_and_again_asks_for_nothing_twice(
    tmp_path: Path, service: Service
) -> None:
    keep(tmp_path, [unit("airbnb", n, text) for n, text in enumerate(TEXTS)])
    quotas = {"airbnb-rtt": 4}
    slow = make_call(tmp_path, papago(service, per_second=0.005), quotas=quotas, reserve=0)
    for number in range(1, 5):  # each process asks once, and is killed while it waits its turn
        with _apart(slow, tmp_path) as process:
            end = monotonic() + 120
            while _journalled(tmp_path) < number:
                assert process.poll() is None
                assert monotonic() < end
                sleep(0.01)
        assert not slow.done
        assert len(service.asked) == number
    made = make_call(tmp_path, papago(service), quotas=quotas, reserve=0)
    assert made.fingerprint == slow.fingerprint
    complete(made)
    _asked_once_for_each(made, service, 4)


def _journalled(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (folder / "journal").glob("*.jsonl"))


@pytest.mark.thin(3)
@pytest.mark.parametrize("paid", [0, 7, 13])
def test_a_run_killed_while_it_waits_for_an_answer_loses_that_alone(
    tmp_path: Path, service: Service, paid: int
) -> None:
    units = [unit("airbnb", n, text) for n, text in enumerate(TEXTS)]
    keep(tmp_path, units + [unit("policy", n, f"정부는 {t}") for n, t in enumerate(TEXTS)])
    quotas, both = {"airbnb-rtt": 5, "policy-rtt": 3}, ("airbnb", "policy")
    made = make_call(tmp_path, papago(service), quotas=quotas, sources=both, reserve=0)
    held, killed, once = threading.Event(), threading.Event(), service.answer

    def answer(*given: Any) -> Fault:
        if len(service.billed) < paid or killed.is_set():
            return once(*given)
        held.set()  # who asks for this is killed before it is looked at
        killed.wait(120)
        return 0, b"", {}

    service.answer = answer  # type: ignore[method-assign, assignment]
    try:
        with _apart(made, tmp_path):
            assert held.wait(120)
    finally:
        killed.set()
    assert not made.done
    assert len(service.billed) == paid
    complete(made)
    _asked_once_for_each(made, service, 8)
