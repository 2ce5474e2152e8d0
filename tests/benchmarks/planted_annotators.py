"""How many bad annotators of each habit the audit flags in the pools of `klue simulate`.

    python tests/benchmarks/planted_annotators.py [--pools 10] [--first 2001]

One annotator of each habit answers among the good ones of a task, in so many pools a row, from one
seed on. Found is who has a flag that the habit may be called by. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "annotation" / "simulated")]

from simulating import with_habits  # noqa: E402
from test_simulated_flags import BAD, NAMES, flagged, good_pool, many  # noqa: E402

#: Items that the pools are made for: 13, 17, 16 and 4 good annotators.
SIZE = 40
#: A task, and how many votes everybody gives.
ROWS = [
    (task, votes) for task in ("tc", "sts", "nli", "re") for votes in (30, 120, 500)
]  # fmt: skip


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=int, default=10)
    parser.add_argument("--first", type=int, default=2001)
    options = parser.parse_args()
    names = [habit.replace("_", " ") for habit in BAD]
    sys.stdout.write(f"| task | votes each | {' | '.join(names)} | good flagged |\n")
    sys.stdout.write("|---|--:|" + "--:|" * (len(BAD) + 1) + "\n")
    for task, votes in ROWS:
        seeds = range(options.first, options.first + options.pools)
        sys.stdout.write(row(task, votes, seeds) + "\n")
        sys.stdout.flush()
    return 0


def row(task: str, votes: int, seeds: range) -> str:
    """Return a row: the share found of each habit, and how many good annotators have a flag."""
    good = good_pool(task, SIZE)
    pool = with_habits(good, *BAD)
    found: Counter[str] = Counter()
    for seed in seeds:
        flags = flagged(task, many(task, pool, votes), pool, seed)
        for one in pool.values():
            names = flags.get(one.id, set())
            found[one.habit] += bool(names if one.habit == "good" else names & NAMES[one.habit])
    shares = " | ".join(f"{found[habit] / len(seeds):.0%}".replace("%", " %") for habit in BAD)
    return f"| {task} | {votes} | {shares} | {found['good']} of {len(good) * len(seeds)} |"


if __name__ == "__main__":
    sys.exit(main())
