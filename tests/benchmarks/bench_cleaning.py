"""Reviews cleaned per CPU second: the Arrow column path against the text-by-text path.

    python tests/benchmarks/bench_cleaning.py [--json] [--texts N]

Reads N reviews (200,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, repeats the texts of
data/sample. All noise rules, ledger included, one core, no segmentation. Both paths take turns on
chunks of 20,000 texts, so that a change of clock speed hits both. Every kept text and every ledger
row is compared. Exit code 1 on a difference or below 100,000 a second.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pyarrow as pa
from real_reviews import run
from results import Figure, none_of

CHUNK = 20_000
TARGET = 100_000


def measure(texts: list[str]) -> list[Figure]:
    """Clean all texts both ways in turns; return reviews per CPU second, ratio, differences."""
    sys.path.append(str(Path(__file__).parents[1] / "corpus"))
    from clean_one import clean_text

    from pipeline.corpus.cleaning import clean
    from pipeline.corpus.rules.table import RULE_SETS

    pa.set_cpu_count(1)
    seconds, different = [0.0, 0.0], 0
    for begin in range(0, len(texts), CHUNK):
        part = texts[begin : begin + CHUNK]
        names = [f"review-{begin + i}" for i in range(len(part))]
        table = pa.table({"id": names, "source": ["toy"] * len(part), "text": part})
        started = time.process_time()
        column, ledger = clean(table, RULE_SETS["noise"])
        seconds[0] += time.process_time() - started
        started = time.process_time()
        single = [clean_text(text, RULE_SETS["noise"]) for text in part]
        seconds[1] += time.process_time() - started
        reference = [text for text, _ in single if text is not None]
        reasons = [event.reason for _, events in single for event in events.values()]
        different += column["text"].to_pylist() != reference
        different += ledger["reason"].to_pylist() != reasons
    per_second = len(texts) / seconds[0]
    return [
        Figure("all noise rules, with ledger", per_second, "reviews a CPU second", least=TARGET),
        Figure("against the text-by-text path", seconds[1] / seconds[0], "times as fast"),
        none_of("chunks that differ", different),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, about=__doc__, texts=200_000, repeat=True))
