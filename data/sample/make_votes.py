"""Write the votes that the quickstart on audits looks at: votes.csv.

    python data/sample/make_votes.py [--out FILE]

Five made-up people label 300 made-up reviews. Three are right nine times out of ten, `daon` calls
half of the neutral ones positive, and `narae` answers fast and by chance. All choices are keyed
draws (draws.py): the same file every time.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from draws import below

LABELS = ("부정", "중립", "긍정")
PEOPLE = ("hana", "duri", "sena", "daon", "narae")
ITEMS = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    here = Path(__file__).with_name("votes.csv")
    parser.add_argument("--out", type=Path, metavar="FILE", default=here)
    rows = [row(item, who) for item in range(ITEMS) for who in PEOPLE]
    lines = ["item,annotator,label,seconds", *rows]
    parser.parse_args(arguments).out.write_text("\n".join(lines) + "\n", "utf-8")
    return 0


def row(item: int, who: str) -> str:
    """Return one vote: the item, who, the label, and the seconds that it took."""
    seconds = below(20, f"seconds {who}", item) + (10 if who == "narae" else 40)
    return f"review-{item + 1:03},{who},{answer(item, who)},{seconds / 10}"


def answer(item: int, who: str) -> str:
    """Return what someone says of an item."""
    truth = below(3, "truth", item)
    if who == "narae":
        return LABELS[below(3, "chance", item)]
    if who == "daon" and truth == 1 and below(2, "habit", item) == 0:
        return LABELS[2]
    if below(10, f"error {who}", item) == 0:
        return LABELS[(truth + 1 + below(2, f"other {who}", item)) % 3]
    return LABELS[truth]


if __name__ == "__main__":
    raise SystemExit(main())
