"""Sentences that `linear` scores per CPU second on one core.

    python tests/benchmarks/bench_toxicity.py [--json] [--texts N]

Scores N reviews (200,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, repeats the texts of
data/sample. The weights are the shipped ones; loading them is not counted. A sample is scored again
in other batches and compared. Exit code 1 on a difference or below 10,000 a second.
"""

from __future__ import annotations

import sys
import time

import pyarrow as pa
from real_reviews import run
from results import Figure, none_of

TARGET = 10_000
CHUNK = 20_000
SAMPLE = 997


def measure(texts: list[str]) -> list[Figure]:
    """Score all texts; return sentences per CPU second, and whether batches show."""
    from pipeline.corpus.toxicity.scoring import load

    pa.set_cpu_count(1)
    detector = load("linear")
    seconds, parts = 0.0, []
    for begin in range(0, len(texts), CHUNK):
        column = pa.array(texts[begin : begin + CHUNK])
        started = time.process_time()
        parts.append(detector.score(column))
        seconds += time.process_time() - started
    scores = pa.concat_tables(parts)
    rows = list(range(0, len(texts), SAMPLE))
    again = [detector.score(pa.array([texts[row]])) for row in rows]
    different = sum(
        one.to_pylist() != [other]
        for one, other in zip(again, scores.take(rows).to_pylist(), strict=True)
    )
    per_second = len(texts) / seconds
    return [
        Figure("linear", per_second, "sentences a CPU second", least=TARGET),
        none_of("scores that differ in other batches", different),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, about=__doc__, texts=200_000, repeat=True))
