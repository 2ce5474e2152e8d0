"""`klue audit --gamma`: what it takes is said beforehand, and what it cannot align is refused."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import bad, good, klue, write_lines

from flows.commands import gamma as command
from pipeline.core.errors import MissingDependencyError


def _votes(folder: Path, *, spans: int = 2, people: int = 3) -> Path:
    """Write answers of people who differ in the last span of every second text."""
    rows: list[dict[str, Any]] = [
        {
            "item": f"i{item}",
            "annotator": f"p{who}",
            "round": "tag",
            "role": "annotator",
            "label": [
                {"start": n * 4, "end": n * 4 + 2, "label": "PS" if n + who * item % 2 else "LC"}
                for n in range(spans)
            ],
        }
        for item in range(8)
        for who in range(people)
    ]
    texts = [{"item": f"i{item}", "text": "가나다 " * (spans + 2)} for item in range(8)]
    write_lines(folder / "items.jsonl", texts)
    return write_lines(folder / "votes.jsonl", rows)


@pytest.mark.full
@pytest.mark.skipif(
    find_spec("pygamma_agreement") is None,
    reason="pygamma-agreement is not installed",
)
def test_gamma_joins_the_coefficients(tmp_path: Path) -> None:
    asked = ["audit", _votes(tmp_path), "--task", "ner", "--items", tmp_path / "items.jsonl",
             "--bootstrap", 20]  # fmt: skip
    plain, record = good(*asked), good(*asked, "--gamma")
    assert "gamma" not in plain and "gamma" not in plain["coefficients"]
    assert 0 < record["coefficients"]["gamma"]["value"] < 1
    assert record["coefficients"]["gamma_cat"]["value"] is not None
    assert record["gamma"]["texts"] == 8 and record["gamma"]["most_seconds"] > 0
    assert record["coefficients"].items() >= plain["coefficients"].items()
    assert "minutes of a processor" in klue(*asked, "--gamma").stderr


def test_other_answers_and_too_many_ways_are_refused_before_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "require_package", lambda: None)
    votes = _votes(tmp_path, spans=30, people=5)
    items = ("--items", tmp_path / "items.jsonl")
    told = bad("audit", votes, "--task", "ner", *items, "--gamma")
    assert "5 annotators with up to 30 spans" in told and "allowed: 1,000,000" in told
    plain = write_lines(tmp_path / "plain.jsonl", [{"item": "a", "annotator": "p", "label": 1}])
    assert "votes of no task" in bad("audit", plain, "--level", "nominal", "--gamma")
    topics = [{"item": "a", "annotator": "p", "label": ["정치"]}]
    told = bad("audit", write_lines(tmp_path / "tc.jsonl", topics), "--task", "tc", "--gamma")
    assert "answers of tc (category)" in told


def test_a_missing_extra_is_told_before_votes_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise MissingDependencyError("pygamma-agreement", "pip install")

    monkeypatch.setattr(command, "require_package", missing)
    told = bad("audit", tmp_path / "nowhere.jsonl", "--task", "ner", "--gamma", code=1)
    assert "pygamma-agreement is not installed" in told
