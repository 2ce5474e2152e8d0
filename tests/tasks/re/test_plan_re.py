"""What a plan says of a knowledge base that is too small for its quota."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.tasks.re.build_inputs import INPUTS, Keys
from pipeline.tasks.re.spec import ReSampling


def _notes(folder: Path, facts: int, quota: int, *, uniform: float = 0.5) -> list[str]:
    path = folder / "kb.tsv"
    path.write_text("".join(f"가{n}\tspouse\t나{n}\n" for n in range(facts)), "utf-8")
    keys = Keys.model_validate({"knowledge": [{"path": str(path), "format": "tsv"}]})
    section = ReSampling.model_validate(
        {
            "rule": "entity_pairs",
            "quotas": {"wikipedia": quota},
            "uniform_share": uniform,
            "pair_cap": 3,
            "entity_cap": 100,
        }
    )
    return list(INPUTS.notes(keys, section))


@pytest.mark.parametrize(
    ("facts", "quota", "said"),
    [
        (10, 100, "50 pairs are wanted by knowledge; the bases link 10 pairs"),
        (2_000, 100, "takes about 416,667 sentences"),
    ],
)
def test_a_base_too_small_is_told(tmp_path: Path, facts: int, quota: int, said: str) -> None:
    (note,) = _notes(tmp_path, facts, quota)
    assert said in note and "klue knowledge build" in note


def test_nothing_is_said_where_nothing_is_wanted(tmp_path: Path) -> None:
    assert _notes(tmp_path, 1, 100, uniform=1.0) == []
