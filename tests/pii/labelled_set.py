"""The labelled set, the third of it that was never used to tune a rule, and what is found in it.

python tests/pii/labelled_set.py        recall and precision by type, and by class of parts D and E
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.core.ids import draw
from pipeline.pii.detect import detect_text
from pipeline.pii.kinds import TYPES

FOLDER = Path(__file__).parent / "labelled"
#: Names the third; never change it, or rules tuned on the rest will have seen the new one.
SEED, PURPOSE = 20201201, "labelled set, held out"

Row = dict[str, Any]
#: The unread third first.
PARTS = (True, False)


class Tally(NamedTuple):
    """Spans of one type: labelled, found with type and both ends right, and reported in all."""

    labelled: int
    right: int
    reported: int

    @property
    def recall(self) -> float:
        """Share of the labelled spans that were found."""
        return self.right / self.labelled

    @property
    def precision(self) -> float:
        """Share of the reported spans that are labelled so."""
        return self.right / self.reported if self.reported else 0.0


def rows() -> list[Row]:
    """Return the whole labelled set."""
    files = sorted(FOLDER.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def carrier(row: Row) -> str:
    """Return the sentence of a row without its values, so that rows made of one stay together."""
    text = row["text"]
    for span in sorted(row["spans"], key=lambda span: -span["start"]):
        text = text[: span["start"]] + text[span["end"] :]
    return re.sub(r"[0-9０-９A-Za-z]+", "0", text)


def held_out(row: Row) -> bool:
    """Tell whether a row belongs to the third that is only measured."""
    return draw(SEED, PURPOSE, carrier(row)) < 1 / 3


def spans(row: Row) -> set[tuple[str, int, int]]:
    """Return the labelled spans of a row."""
    return {(span["type"], span["start"], span["end"]) for span in row["spans"]}


def reported(row: Row) -> set[tuple[str, int, int]]:
    """Return the spans that the detector reports for a row."""
    return {(hit.type, hit.start, hit.end) for hit in detect_text(row["text"])}


@cache
def tallies(*, unseen: bool) -> dict[str, Tally]:
    """Measure every type over all rows of one part, look-alikes of all types included."""
    labelled, right, found = Counter[str](), Counter[str](), Counter[str]()
    for row in rows():
        if held_out(row) is unseen:
            wanted, got = spans(row), reported(row)
            labelled.update(kind for kind, _, _ in wanted)
            found.update(kind for kind, _, _ in got)
            right.update(kind for kind, _, _ in wanted & got)
    return {kind: Tally(labelled[kind], right[kind], found[kind]) for kind in TYPES}


@cache
def class_tallies(*, unseen: bool, letter: str = "d") -> dict[str, Tally]:
    """Measure every class of part D or E, the first word of `form`, over its own rows."""
    found: dict[str, Tally] = {}
    for row in rows():
        if f"-{letter}-" in row["id"] and held_out(row) is unseen:
            wanted, got, name = spans(row), reported(row), row["form"].split(":")[0]
            counts = (len(wanted), len(wanted & got), len(got))
            found[name] = Tally(*map(sum, zip(found.get(name, (0, 0, 0)), counts, strict=True)))
    return found


def main() -> int:
    """Print the measures."""
    lines = ["| type or class | spans | recall | precision | spans, rest | recall | precision |"]
    measured = {unseen: tallies(unseen=unseen) for unseen in PARTS}
    for unseen in PARTS:
        for letter in "de":
            classes = class_tallies(unseen=unseen, letter=letter)
            measured[unseen] |= {f"{letter}: {name}": tally for name, tally in classes.items()}
    for kind in measured[True]:
        cells = [kind]
        for unseen in PARTS:
            tally = measured[unseen][kind]
            cells += [str(tally.labelled), f"{tally.recall:.3f}", f"{tally.precision:.3f}"]
        lines.append(f"| {' | '.join(cells)} |")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
