"""What is free in a process goes back to the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.core import memory


def _resident() -> int:
    """Return how many MiB of the process are in memory."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


@pytest.mark.skipif(memory._trim() is None, reason="the C library has no malloc_trim")
def test_what_lies_before_something_that_stays_is_given_back() -> None:
    texts = [bytes(1000) for _ in range(200_000)]
    last = texts[-1]
    texts.clear()
    before = _resident()
    memory.give_back()
    assert _resident() < before - 100
    assert last == bytes(1000)


def test_an_allocator_that_cannot_give_back_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_trim", lambda: None)
    memory.give_back()
