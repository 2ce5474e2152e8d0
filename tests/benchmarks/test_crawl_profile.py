"""A profile gives CPU to the innermost part of the code that the main thread is in."""

from __future__ import annotations

import sys
import time
from types import FrameType

import pytest
from crawl_profile import REST, Sampler, part_of


def _frames(*places: tuple[str, str]) -> FrameType | None:
    """Return the frame of code in these files and functions, the last of them innermost."""
    found: list[FrameType | None] = []
    scope = {"note": lambda: found.append(sys._getframe(1))}
    call = "note()"
    for number, (path, function) in enumerate(reversed(places)):
        code = f"def {function}():\n    {call}\n"
        exec(compile(code, path, "exec"), scope)
        scope[f"f{number}"] = scope[function]
        call = f"f{number}()"
    eval(call, scope)
    return found[0]


@pytest.mark.parametrize(
    ("places", "part"),
    [
        ([("/x/corpus/segmentation.py", "f"), ("/x/corpus/kss/engine.py", "_morphemes")], "analy"),
        ([("/x/corpus/segmentation.py", "f"), ("/x/corpus/kss/engine.py", "_cut")], "sentences"),
        ([("/x/corpus/readers/crawls.py", "f"), ("/lib/json/decoder.py", "raw")], "reading"),
        ([("/x/corpus/cleaning.py", "f"), ("/x/core/store.py", "write")], "Parquet"),
        ([("/x/core/running.py", "run")], "the rest"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_innermost_part_counts(places: list[tuple[str, str]], part: str) -> None:
    assert part_of(_frames(*places)).startswith(part)


def test_all_cpu_between_the_first_and_last_sample_is_given_to_parts() -> None:
    begin = time.process_time()
    with Sampler() as sampler:
        while sum(sampler.seconds.values()) < 0.05:
            sum(range(1000))
    assert sampler.seconds.keys() == {REST}
    assert sampler.seconds[REST] <= time.process_time() - begin
