"""Memory and CPU of `klue audit` of a million votes: CSV and JSON lines, with and without page.

    python tests/benchmarks/bench_votes.py [--items N] [--json]

Draws five votes an item of 100 annotators, of which four in five are right on a scale from 1 to 5,
and audits each file in a process of its own. Exit code 1 where the largest process needs more than
1 GB (10^9 bytes) or 30 s of CPU.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from commands import klue
from results import Figure, parser_of, show

MEGABYTES, SECONDS = 1000, 30
VOTES, ANNOTATORS, SCORES = 5, 100, 5


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


def main() -> int:
    """Measure all runs and print them."""
    parser = parser_of(__doc__)
    parser.add_argument("--items", type=int, default=200_000)
    arguments = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as name:
        for path in write(Path(name), arguments.items):
            for more in ([], ["--html", f"{name}/page"]):
                used = klue(["audit", path, "--level", "ordinal", *more])
                what = f"{arguments.items * VOTES:,} votes as {path.suffix[1:]}"
                what += " with page" if more else ""
                figures.append(Figure(what, used.cpu, "CPU s", most=SECONDS))
                figures.append(Figure(what, used.peak / 1e6, "MB", most=MEGABYTES))
    return show(__doc__, figures, as_json=arguments.json)


if __name__ == "__main__":
    sys.exit(main())
