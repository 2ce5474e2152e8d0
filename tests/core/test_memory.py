"""What is free in a process goes back to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core import memory


def _resident() -> int:
    """Return how many MiB of the process are in memory."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


@pytest.mark.skipif(
    memory._of_glibc("malloc_trim") is None, reason="the C library has no malloc_trim"
)
def test_what_lies_before_something_that_stays_is_given_back() -> None:
    texts = [bytes(1000) for _ in range(200_000)]
    last = texts[-1]
    texts.clear()
    before = _resident()
    memory.give_back()
    assert _resident() < before - 100
    assert last == bytes(1000)


def test_only_work_of_another_name_gives_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[None] = []
    monkeypatch.setattr(memory, "give_back", lambda: given.append(None))
    memory.give_back_before.cache_clear()
    for work, times in (("read", 1), ("read", 1), ("clean", 2), ("read", 3)):
        memory.give_back_before(work)
        assert len(given) == times
    memory.give_back_before.cache_clear()


def test_an_allocator_that_cannot_give_back_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_of_glibc", lambda _: None)
    memory.give_back()
    memory.keep_little()


@pytest.mark.skipif(memory._of_glibc("mallopt") is None, reason="the C library has no mallopt")
def test_large_pieces_go_back_when_they_are_free() -> None:
    """In a process of its own: pieces go first to what one that ran long has free in between."""
    done = subprocess.run(
        [sys.executable, "-c", _LARGE_PIECES], capture_output=True, text=True, check=True
    )
    before, after = map(int, done.stdout.split())
    assert after < before - 100


#: What was freed once would be kept the next time, and `last` lies behind it.
_LARGE_PIECES = """
from pathlib import Path
from pipeline.core import memory

def resident():
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))

memory.keep_little()
for _ in range(2):
    pieces = [b"x" * (3 << 20) for _ in range(40)]
    last = [bytes(1000) for _ in range(1000)]
    before = resident()
    pieces.clear()
print(before, resident())
"""
