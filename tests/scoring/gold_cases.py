"""Invented gold for tests of scoring: pairs of sentences, and a fault-finding reader of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.example import Example
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.scoring.scorer import Gold, gold_of, scorer_of
from pipeline.scoring.submission import read_submission

CLASSES = ("entailment", "contradiction", "neutral")


def pairs(n: int) -> list[Example]:
    """Return labelled pairs of two sources and of growing length."""
    return [
        Example(
            f"pair-{place:03}",
            "nsmc" if place % 2 else "policy",
            {"premise": "비가 온다." + "!" * place, "hypothesis": "날이 흐리다."},
            CLASSES[place % 3],
        )
        for place in range(n)
    ]


def gold(examples: Iterable[Example], task: str = "nli") -> Gold:
    """Return examples as the gold of a task."""
    return gold_of(examples, scorer_of(task), load_spec(task))


def rows_of(given: Gold) -> list[dict[str, Any]]:
    """Return the right predictions."""
    return [{"guid": one.id, "label": one.label} for one in given.examples]


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write rows as JSONL."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def refused(path: Path, given: Gold) -> str:
    """Read a file that must be refused; returns what is said."""
    with pytest.raises(InputError) as error:
        read_submission(path, given)
    assert error.value.code == 2
    return str(error.value)
