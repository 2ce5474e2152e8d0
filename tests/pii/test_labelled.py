"""The detector against the labelled set, on the third of it that was never used to tune a rule."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from labelled_set import FOLDER, Tally, class_tallies, rows, spans, tallies

from pipeline.pii.kinds import TYPES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("kind", TYPES)
def test_recall_and_precision_on_rows_never_used_to_tune(kind: str) -> None:
    tally = tallies(unseen=True)[kind]
    assert tally.recall >= 0.97, tally
    assert tally.precision >= 0.95, tally


@pytest.mark.parametrize(("letter", "recall"), [("d", 0.94), ("e", 0.95)])
def test_recall_and_precision_by_class_on_rows_never_used_to_tune(
    letter: str, recall: float
) -> None:
    classes = class_tallies(unseen=True, letter=letter)
    pooled = Tally(*map(sum, zip(*classes.values(), strict=True)))
    assert len(classes) == 9
    assert pooled.recall >= recall, pooled
    assert pooled.precision >= 0.97, pooled
    assert min(tally.recall for tally in classes.values()) >= 0.85, classes


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


def test_the_makers_write_the_same_bytes(tmp_path: Path) -> None:
    for script in sorted(FOLDER.glob("make_part_*.py")):
        shutil.copy(script, tmp_path)
    for script in sorted(tmp_path.glob("make_part_*.py")):
        subprocess.run([sys.executable, script], check=True, capture_output=True, cwd=ROOT)
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert made == {path.name: path.read_bytes() for path in FOLDER.glob("*.jsonl")}
