"""Memory and CPU of `klue audit` of a million votes: CSV and JSON lines, with and without page.

    python tests/benchmarks/bench_votes.py [--items N] [--json]

Draws five votes an item of 100 annotators, of which four in five are right on a scale from 1 to 5,
and audits each file in a process of its own. Exit code 1 where the largest process needs more than
1 GB (10^9 bytes) or 30 s of CPU.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GIGABYTE, SECONDS = 10**9, 30
VOTES, ANNOTATORS, SCORES = 5, 100, 5
MEASURE = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(done.stderr if done.returncode else "")
print(json.dumps({"bytes": used.ru_maxrss * 1024, "seconds": used.ru_utime + used.ru_stime}))
sys.exit(done.returncode)
"""


def votes(items: int) -> Iterator[tuple[str, str, int]]:
    """Yield item, annotator and score of drawn votes, by item."""
    chance = random.Random(1)
    for item in range(items):
        truth = chance.randrange(SCORES)
        for annotator in chance.sample(range(ANNOTATORS), VOTES):
            score = truth if chance.random() < 0.8 else chance.randrange(SCORES)
            yield f"item-{item:06}", f"ann-{annotator:02}", score + 1


def write(folder: Path, items: int) -> list[Path]:
    """Write the votes in both forms; returns the files."""
    paths = [folder / "votes.csv", folder / "votes.jsonl"]
    with (
        paths[0].open("w", encoding="utf-8") as table,
        paths[1].open("w", encoding="utf-8") as rows,
    ):
        table.write("item,annotator,label\n")
        for item, annotator, label in votes(items):
            table.write(f"{item},{annotator},{label}\n")
            vote = {"item": item, "annotator": annotator, "label": label}
            rows.write(json.dumps(vote) + "\n")
    return paths


def audit(path: Path, *more: str) -> dict[str, Any]:
    """Return the peak of memory and the CPU seconds of one audit."""
    words = [sys.executable, "-m", "flows.cli", "audit", str(path), "--level", "ordinal", *more]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def main() -> int:
    """Measure all runs and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    runs = []
    with tempfile.TemporaryDirectory() as name:
        for path in write(Path(name), arguments.items):
            for more in ([], ["--html", f"{name}/page"]):
                runs.append({"file": path.name, "page": bool(more), **audit(path, *more)})
    if arguments.json:
        sys.stdout.write(json.dumps({"votes": arguments.items * VOTES, "runs": runs}) + "\n")
    for run in runs if not arguments.json else ():
        about = f"{run['file']:12} {'page' if run['page'] else '':5}"
        sys.stdout.write(f"{about} {run['bytes'] / 1e6:6.0f} MB {run['seconds']:5.1f} s of CPU\n")
    return int(any(run["bytes"] > GIGABYTE or run["seconds"] > SECONDS for run in runs))


if __name__ == "__main__":
    sys.exit(main())
