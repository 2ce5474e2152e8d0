"""Peak memory of a build of the corpus at 1, 2, 4 and 8 times a size: it must not grow with it.

    python tests/benchmarks/bench_memory.py [--base 0.05] [--factors 1 2 4 8] [--json]

Builds that share of the movies of the NSMC crawl in KLUE_DATA times each factor (737, 1,473, 2,946,
5,892 movies; 36,000 to 285,000 reviews), each in a work directory of its own with two workers, and
prints the peak of all its processes together: their proportional set sizes, summed every 0.2 s.
Exit code 1 where a peak is more than a tenth above the first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from process_tree import run_measured
from scaling_inputs import CRAWL, ROOT, write_corpus

#: How many times the first peak the others may be.
GROWTH = 1.1


def measure_trees(shares: Sequence[float]) -> list[dict[str, Any]]:
    """Return the peak of all processes of a build of each share of the crawl's movies."""
    records = []
    for share in shares:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            klue = [sys.executable, "-m", "flows.cli", "build", str(write_corpus(folder, share))]
            words = [*klue, "--until", "corpus", "--work", str(folder / "work"), "--workers", "2"]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            usage = run_measured([*words, "--json"], folder, environment)
            records.append(
                {
                    "size": json.loads(usage.output)["funnel"]["nsmc"]["documents"],
                    "peak_mib": round(usage.peak_mib, 1),
                    "cpu_seconds": round(usage.cpu_seconds, 2),
                    "wall_seconds": round(usage.wall_seconds, 2),
                }
            )
    return records


def growth(trees: Sequence[dict[str, Any]]) -> float:
    """Return how many times the first peak the highest one is."""
    peaks = [tree["peak_mib"] for tree in trees]
    return round(max(peaks) / peaks[0], 3)


def show(trees: Sequence[dict[str, Any]], noun: str, *, as_json: bool) -> int:
    """Print the peaks, sizes counted in `noun`; returns 1 where memory grows."""
    ratio = growth(trees)
    if as_json:
        sys.stdout.write(json.dumps({"tree": trees, "growth": ratio}) + "\n")
    else:
        for tree in trees:
            sys.stdout.write(f"{tree['size']:9,} {noun}: peak {tree['peak_mib']:.0f} MiB\n")
        sys.stdout.write(f"the highest is {ratio:.2f} times the first (at most {GROWTH})\n")
    return int(ratio > GROWTH)


def main() -> int:
    """Measure all sizes and print them; returns 1 where memory grows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=float, default=0.05, help="share of the movies at factor 1")
    parser.add_argument("--factors", nargs="+", type=float, default=[1, 2, 4, 8])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    if not CRAWL.is_file():
        sys.stdout.write(f"skipped: no crawl at {CRAWL}; set KLUE_DATA\n")
        return 0
    trees = measure_trees([given.base * factor for factor in given.factors])
    return show(trees, "reviews", as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
