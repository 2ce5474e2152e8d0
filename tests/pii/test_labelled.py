"""The detector against the labelled set, on the third of it that was never used to tune a rule."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pipeline.core.ids import draw
from pipeline.pii.detect import detect_text
from pipeline.pii.kinds import TYPES

FOLDER = Path(__file__).parent / "labelled"
#: Names the third; never change it, or rules tuned on the rest will have seen the new one.
SEED, PURPOSE = 20201201, "labelled set, held out"

Row = dict[str, Any]


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


@pytest.mark.parametrize("kind", TYPES)
def test_recall_and_precision_on_rows_never_used_to_tune(kind: str) -> None:
    tally = tallies(unseen=True)[kind]
    assert tally.recall >= 0.98, tally
    assert tally.precision >= 0.95, tally


def test_the_set_holds_enough_of_every_type() -> None:
    kinds = Counter((row["type"], row["kind"]) for row in rows())
    for kind in TYPES:
        assert kinds[kind, "true"] >= 40
        assert kinds[kind, "lookalike"] >= 20


def test_labels_are_well_formed() -> None:
    found = rows()
    assert len({row["id"] for row in found}) == len(found)
    assert len({row["text"] for row in found}) == len(found)
    for row in found:
        assert bool(spans(row)) or row["kind"] == "lookalike", row["id"]
        for kind, start, end in spans(row):
            assert kind in TYPES
            assert 0 <= start < end <= len(row["text"])
            assert row["text"][start:end].strip() == row["text"][start:end], row["id"]
