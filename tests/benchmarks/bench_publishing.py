"""Peak memory of publishing a release at 1 and 8 times a size: it must not grow with it.

    python tests/benchmarks/bench_publishing.py [--base 0.125] [--factors 1 8] [--json]

Builds all tasks with simulated answers on that share of the official files and raw corpora in
KLUE_DATA times each factor (10,451 and 84,123 examples) to a release, removes the release, and runs
the same command again with two workers: the stages are finished, so what is measured is the audits,
the report and the files. Memory is the peak of all processes together, as in bench_memory.py. Exit
code 1 where a peak is more than a tenth above the first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from bench_memory import show
from process_tree import run_measured
from scaling_inputs import CRAWL, ROOT, write_tasks

_SPLITS = ("train", "validation", "test")


def measure_trees(shares: Sequence[float]) -> list[dict[str, Any]]:
    """Return the peak of all processes while a build of each share is published."""
    records = []
    for share in shares:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            work, releases = folder / "work", folder / "releases"
            klue = [sys.executable, "-m", "flows.cli", "build", str(write_tasks(folder, share))]
            words = [*klue, "--work", str(work), "--releases", str(releases), "--workers", "2"]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            subprocess.run(
                words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True
            )
            shutil.rmtree(releases)
            shutil.rmtree(work / "releases")  # notes of the releases that were made
            usage = run_measured(words, folder, environment)
            tables = releases.glob("*/1.0.0/*/*.parquet")
            records.append(
                {
                    "size": sum(
                        pq.read_metadata(path).num_rows for path in tables if path.stem in _SPLITS
                    ),
                    "peak_mib": round(usage.peak_mib, 1),
                    "cpu_seconds": round(usage.cpu_seconds, 2),
                    "wall_seconds": round(usage.wall_seconds, 2),
                }
            )
    return records


def main() -> int:
    """Measure all sizes and print them; returns 1 where memory grows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=float, default=0.125, help="share of the data at factor 1")
    parser.add_argument("--factors", nargs="+", type=float, default=[1, 8])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    if not CRAWL.is_file():
        sys.stdout.write(f"skipped: no crawl at {CRAWL}; set KLUE_DATA\n")
        return 0
    trees = measure_trees([given.base * factor for factor in given.factors])
    return show(trees, "examples", as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
