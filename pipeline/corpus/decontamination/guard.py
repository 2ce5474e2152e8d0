"""The texts of a benchmark with the rule that looks for them, loaded once a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pipeline.core import store
from pipeline.corpus.decontamination.benchmark import Benchmark
from pipeline.corpus.decontamination.rules import RULES, Rule


class Guard(NamedTuple):
    """A benchmark, and the rule that knows its texts."""

    benchmark: Benchmark
    rule: Rule


@lru_cache(1)
def load_guard(guarded: Path, rule: str) -> Guard:
    """Return the guard of a file of the table GUARDED, by a rule of RULES."""
    benchmark = Benchmark(store.read_table(guarded, "guarded"))
    return Guard(benchmark, RULES[rule](benchmark.texts))
