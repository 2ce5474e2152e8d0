"""Scoring of STS: rows, golds, the two variants, and the official dev file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from official_gold import official, scored
from scipy.stats import pearsonr

from pipeline.contracts.example import Example
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks.sts.scorer import SCORER

SPEC = load_spec("sts")
FIELDS = {"sentence1": "불을 켜 줘.", "sentence2": "불 켜라."}


def _pair(guid: str, real: float, binary: int) -> Example:
    labels = {"label": round(real, 1), "real-label": real, "binary-label": binary}
    return Example(guid, "airbnb", FIELDS, labels)


ONE = _pair("s1", 3.25, 1)


def test_what_an_example_gives() -> None:
    assert SCORER.gold(ONE) == (3.25, True)
    assert SCORER.labels(ONE) == ("paraphrase",)
    assert SCORER.labels(_pair("s2", 1.5, 0)) == ("no paraphrase",)
    assert SCORER.length(ONE) == 7 + 5


@pytest.mark.parametrize("label", [None, 3.2, {"real-label": 3.2}, {"binary-label": 1}])
def test_an_example_without_both_labels_is_no_gold(label: Any) -> None:
    with pytest.raises(RecordError, match=r"gold\.answer@1"):
        SCORER.gold(Example("s1", "airbnb", FIELDS, label))


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"label": 3.25}, 3.25),
        ({"label": 7}, 7.0),
        ({"label": -0.5, "score": 2}, -0.5),
        ({"score": 2}, 2.0),
        ({"labels": {"label": 2.3, "real-label": 2.286, "binary-label": 0}}, 2.286),
    ],
)
def test_a_row_gives_a_number_as_it_is(row: dict[str, Any], wanted: float) -> None:
    assert SCORER.read(row, ONE, SPEC).label == wanted


@pytest.mark.parametrize(
    ("row", "rule", "told"),
    [
        ({}, "form", "give `label` or `labels` or `score`"),
        ({"label": "3.2"}, "form", "`label` is a number, not a text of 3 characters"),
        ({"label": True}, "form", "`label` is a number, not true"),
        ({"score": math.nan}, "number", "`score` is NaN; give a finite number"),
        ({"label": -math.inf}, "number", "`label` is an infinite number"),
        ({"label": 10**400}, "number", "`label` is a number of five digits or more"),
        ({"labels": 3.2}, "form", "`labels` is an object with `real-label`, not 3.2"),
        ({"labels": {"label": 3.2}}, "form", "`labels.real-label` is a number, not null"),
    ],
)
def test_faults_of_rows(row: dict[str, Any], rule: str, told: str) -> None:
    with pytest.raises(RecordError) as fault:
        SCORER.read(row, ONE, SPEC)
    assert fault.value.rule == f"prediction.{rule}@1"
    assert told in fault.value.reason


def test_the_variants_part_where_the_file_contradicts_itself() -> None:
    examples = [_pair("a", 4.0, 1), _pair("b", 3.5, 0), _pair("c", 1.0, 0)]
    rows = [{"label": 4.0}, {"label": 3.0}, {"label": 2.0}]
    assert scored(SCORER, examples, rows, "klue")["f1"] == 100
    assert scored(SCORER, examples, rows, "strict")["f1"] == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_official_dev_file(data_dir: Path, variant: Any) -> None:
    examples = official("sts", data_dir / "klue" / "klue-sts-v1.1_dev.json")
    golds = [SCORER.gold(one) for one in examples]
    # klue and strict are the same here
    assert [one.real >= 3 for one in golds] == [one.paraphrase for one in golds]
    same = scored(SCORER, examples, [{"labels": one.label} for one in examples], variant)
    assert same == {"pearson": pytest.approx(100), "f1": 100.0}
    rounded = [one.label["label"] for one in examples]
    found = scored(SCORER, examples, [{"score": one} for one in rounded], variant)
    wanted = 100 * pearsonr([one.real for one in golds], rounded).statistic
    assert found["pearson"] == pytest.approx(wanted)
    assert found["pearson"] < 100
    constant = scored(SCORER, examples, [{"label": 5}] * len(examples), variant)
    assert math.isnan(float(constant["pearson"]))
    assert constant["f1"] == pytest.approx(100 * 2 * 220 / (220 + 519))
