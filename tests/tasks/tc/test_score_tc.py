"""Scoring of TC: rows, golds, and the official dev file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from official_gold import official, scored
from sklearn.metrics import f1_score

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError, RecordError
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks.tc.scorer import SCORER

SPEC = load_spec("tc")
ONE = Example("t1", "yna", {"title": "가상 구단 첫 승리"}, ["스포츠", "사회"])


def test_gold_is_the_first_topic() -> None:
    assert SCORER.gold(ONE) == "스포츠"
    assert SCORER.labels(ONE) == ("스포츠",)
    assert SCORER.length(ONE) == 10


@pytest.mark.parametrize("label", [None, [], "스포츠", [None]])
def test_an_example_without_topics_is_no_gold(label: Any) -> None:
    with pytest.raises(RecordError, match=r"gold\.answer@1"):
        SCORER.gold(Example("t1", "yna", {"title": "가"}, label))


def test_a_row_gives_a_topic_in_nfc() -> None:
    apart = "\u110c\u1165\u11bc\u110e\u1175"
    assert SCORER.read({"guid": "t1", "label": apart}, ONE, SPEC) == Prediction("t1", "정치")


@pytest.mark.parametrize(
    ("row", "rule", "told"),
    [
        ({}, "form", "holds no answer; give `label`"),
        ({"label": None}, "form", "holds no answer"),
        ({"label": ["정치"]}, "form", "`label` is a text, not a list of 1 value"),
        ({"label": 3}, "form", "`label` is a text, not 3"),
        ({"label": "연예"}, "label", "`label` a text of 2 characters is not in tc@1.0.1; allowed:"),
        ({"label": "Sports"}, "label", "'Sports' is not in tc@1.0.1; allowed: 정치, 경제"),
    ],
)
def test_faults_of_rows(row: dict[str, Any], rule: str, told: str) -> None:
    with pytest.raises(RecordError) as fault:
        SCORER.read(row, ONE, SPEC)
    assert fault.value.rule == f"prediction.{rule}@1"
    assert told in fault.value.reason


def test_gold_of_another_label_set_is_refused() -> None:
    with pytest.raises(InputError, match=r"tc@1\.0\.1 does not have, such as 'Sports'"):
        SCORER.measures(["Sports", "정치"], [Prediction("a", "정치")] * 2, SPEC, "klue")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_official_dev_file(data_dir: Path, variant: Any) -> None:
    examples = official("tc", data_dir / "klue" / "ynat-v1.1_dev.csv")
    golds = [SCORER.gold(one) for one in examples]
    assert len(golds) == 9107
    same = scored(SCORER, examples, [{"label": gold} for gold in golds], variant)
    assert same == {"macro_f1": 100.0}
    most = max(SPEC.ids(), key=golds.count)
    found = scored(SCORER, examples, [{"label": most}] * len(golds), variant)
    wanted = 100 * f1_score(golds, [most] * len(golds), average="macro")
    assert found["macro_f1"] == pytest.approx(wanted)
    # 3,701 headlines of society; the six other topics have the F1 0
    assert most == "사회"
    assert found["macro_f1"] == pytest.approx(100 * 2 * 3701 / (9107 + 3701) / 7)
