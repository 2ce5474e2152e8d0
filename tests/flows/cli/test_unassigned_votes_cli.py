"""Answers to items of others, which open tools cannot hold back: taken, marked and counted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from annotation_stories import answer, assigned, good, items_file, klue

PEOPLE = "ann-a,ann-b,ann-c,ann-d"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


def test_status_and_audit_count_them_once(work: Path, tmp_path: Path) -> None:
    good("export", "tc", "--items", items_file(tmp_path, "tc"), "--annotators", PEOPLE,
         "--to", "doccano", "--work", work)  # fmt: skip
    pairs = set(assigned(work, "tc", "main"))
    of_first = {item for who, item in pairs if who == "ann-a"}
    strange = {item for item in of_first if ("ann-d", item) not in pairs}
    assert 0 < len(strange) < len(of_first)
    exports = answer(work, "tc", "main", {"label": ["사회"]}, tool="doccano")
    first = next(path for path, _ in exports if path.stem == "ann-a")
    # ann-d opens the project and answers what ann-a was given; then again, otherwise
    mine, other = tmp_path / "ann-d.jsonl", tmp_path / "again" / "ann-d.jsonl"
    shutil.copy(first, mine)
    other.parent.mkdir()
    other.write_text(mine.read_text("utf-8").replace("사회", "정치"), "utf-8")
    batch = ("--task", "tc", "--from", "doccano", "--work", work)
    taken = good("import", mine, *batch)
    assert (taken["new"], taken["quarantined"]) == (len(of_first), 0)
    for path, options in ((mine, ()), (other, ("--replace",))):
        good("import", path, *batch, *options)
        (one,) = good("status", "--work", work)["batches"]
        audit = good("audit", work / "annotation" / "tc" / "main", "--task", "tc")
        assert one["unassigned"] == audit["unassigned"] == len(strange)
    assert (
        f"{len(strange)} answers to items that were given to others"
        in klue("status", "--work", work).stdout
    )
