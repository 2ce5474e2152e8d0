"""`klue export` with pre-annotations: which are left out is said, and nothing of them is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from annotation_stories import TOOLS, good, klue, write_lines

TEXT = "김도담은 별빛시에 산다."
GOOD = [{"start": 0, "end": 3, "label": "PS"}]
BAD = [{"start": 0, "end": 99, "label": "PS"}]


def _rows(*suggestions: object) -> list[dict[str, object]]:
    return [
        {"item": f"ner-{n}", "fields": {"text": TEXT}, "meta": {"suggestion": one, "units": ["u"]}}
        for n, one in enumerate(suggestions, 1)
    ]


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_left_out_is_said(tool: str, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", _rows(GOOD, BAD, "별빛시", None))
    result = klue("export", "ner", "--items", items, "--to", tool, "--work", tmp_path / "work")
    assert result.exit_code == 0, result.output
    (line,) = [one for one in result.stderr.splitlines() if "suggestion" in one]
    assert line.startswith("2 suggestions") and "item ner-2" in line
    assert "별빛시" not in line


def test_good_ones_need_no_word(tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", _rows(GOOD, GOOD))
    arguments = ("--items", items, "--to", "jsonl", "--work", tmp_path / "work")
    assert "suggestion" not in klue("export", "ner", *arguments).stderr


def test_people_who_are_measured_are_shown_none(tmp_path: Path) -> None:
    """A human baseline asks what people answer by themselves (Section 3.3.1)."""
    items = write_lines(tmp_path / "items.jsonl", _rows(GOOD, GOOD))
    made = good("export", "ner", "--items", items, "--to", "jsonl", "--human-baseline", "2",
                "--annotators", "ann-a", "--batch", "people", "--work", tmp_path)  # fmt: skip
    lines = Path(made["files"][0]).read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert all("suggestion" not in json.loads(line) for line in lines)
