"""Scoring of NLI: rows, golds, and the official dev file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from official_gold import official, scored

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks.nli.scorer import SCORER

SPEC = load_spec("nli")
ONE = Example(
    "n1", "wikinews", {"premise": "문이 열렸다.", "hypothesis": "문이 있다."}, "entailment"
)


def test_what_an_example_gives() -> None:
    assert SCORER.gold(ONE) == "entailment"
    assert SCORER.labels(ONE) == ("entailment",)
    assert SCORER.length(ONE) == 7 + 6
    with pytest.raises(RecordError, match="its label is null, not a text"):
        SCORER.gold(Example("n1", "wikinews", ONE.fields))


def test_a_row_gives_a_label() -> None:
    assert SCORER.read({"label": "neutral"}, ONE, SPEC) == Prediction("n1", "neutral")
    with pytest.raises(RecordError) as fault:
        SCORER.read({"label": "neither"}, ONE, SPEC)
    wanted = "`label` 'neither' is not in nli@1.0.2; allowed: entailment, contradiction, neutral"
    assert (fault.value.rule, fault.value.reason) == ("prediction.label@1", wanted)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_official_dev_file(data_dir: Path, variant: Any) -> None:
    examples = official("nli", data_dir / "klue" / "klue-nli-v1.1_dev.json")
    same = scored(SCORER, examples, [{"label": SCORER.gold(one)} for one in examples], variant)
    assert same == {"accuracy": 100.0}
    # every premise of the dev set has one hypothesis of each label
    found = scored(SCORER, examples, [{"label": "neutral"}] * len(examples), variant)
    assert found["accuracy"] == pytest.approx(100 / 3)
