"""Scoring of RE: rows, probabilities, and the part of the official train file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from official_gold import official, scored
from sklearn.metrics import auc, f1_score, precision_recall_curve

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError, RecordError
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks.re.scorer import SCORER

SPEC = load_spec("re")
NAMES = SPEC.ids()
FIELDS = {
    "sentence": "김가상은 상상악단의 가수이다.",
    "subject": {"word": "상상악단", "start": 5, "end": 9, "type": "ORG"},
    "object": {"word": "김가상", "start": 0, "end": 3, "type": "PER"},
}
ONE = Example("r1", "wikipedia", FIELDS, "org:members")
EVEN = [1 / 30] * 30


def _one_hot(name: str) -> list[float]:
    return [float(one == name) for one in NAMES]


def test_what_an_example_gives() -> None:
    assert SCORER.gold(ONE) == "org:members"
    assert SCORER.labels(ONE) == ("org:members",)
    assert SCORER.length(ONE) == 16
    with pytest.raises(RecordError, match=r"gold\.answer@1"):
        SCORER.gold(Example("r1", "wikipedia", FIELDS))


def test_a_row_gives_a_relation_with_or_without_probabilities() -> None:
    row = {"label": "per:title", "probabilities": EVEN}
    assert SCORER.read({"label": "per:title"}, ONE, SPEC) == Prediction("r1", "per:title")
    assert SCORER.read(row, ONE, SPEC) == Prediction("r1", "per:title", tuple(EVEN))


def test_probabilities_by_name_are_put_in_order() -> None:
    rng = np.random.default_rng(1)
    values = rng.dirichlet(np.ones(30)).tolist()
    named = dict(zip(NAMES, values, strict=True))
    mixed = {name: named[name] for name in sorted(NAMES, reverse=True)}
    found = SCORER.read({"label": "per:title", "probabilities": mixed}, ONE, SPEC)
    assert found.probabilities == tuple(values)


@pytest.mark.parametrize(
    ("told", "rule", "reason"),
    [
        ([0.5, 0.5], "form", "is a list of 2 values; give 30 numbers in the order of re@1.0.1"),
        ("0.5", "form", "`probabilities` is a text of 3 characters"),
        ([None, *EVEN[1:]], "form", "`probabilities.no_relation` is a number, not null"),
        ([*EVEN[:-1], math.nan], "number", "`probabilities.per:title` is NaN"),
        ([1.5, -0.5, *[0.0] * 28], "number", "`probabilities.org:dissolved` is negative"),
        ([0.05] * 30, "number", "`probabilities` sum to 1.5, not to 1 within 0.001"),
        ([0.0] * 30, "number", "`probabilities` sum to 0, not to 1"),
        ({"no_relation": 1.0}, "form", "lacks 29 relations, the first is org:dissolved"),
        ({"per:hobby": 1.0}, "label", "`probabilities` 'per:hobby' is not in re@1.0.1; allowed:"),
    ],
)
def test_faults_of_probabilities(told: Any, rule: str, reason: str) -> None:
    with pytest.raises(RecordError) as fault:
        SCORER.read({"label": "per:title", "probabilities": told}, ONE, SPEC)
    assert fault.value.rule == f"prediction.{rule}@1"
    assert reason in fault.value.reason


def test_sums_may_be_as_inexact_as_half_precision() -> None:
    row = {"label": "per:title", "probabilities": [one + 3e-5 for one in EVEN]}
    assert SCORER.read(row, ONE, SPEC).probabilities is not None


def test_eight_of_thirty_allowed_names_are_told() -> None:
    with pytest.raises(RecordError) as fault:
        SCORER.read({"label": "per:hobby"}, ONE, SPEC)
    assert fault.value.reason.endswith(f"allowed: {', '.join(NAMES[:8])}, ...")


def test_no_auprc_without_all_probabilities() -> None:
    rows: list[dict[str, Any]] = [{"label": "org:members"}] * 3
    found = scored(SCORER, [ONE] * 3, rows, "klue")
    assert found["micro_f1"] == 100
    wanted = "needs `probabilities`, one number a relation, in every row;"
    assert found["auprc"] == f"{wanted} 3 of 3 predictions have none"
    rows = [*rows[:2], {"label": "org:members", "probabilities": EVEN}]
    assert scored(SCORER, [ONE] * 3, rows, "strict")["auprc"] == (
        f"{wanted} 2 of 3 predictions have none"
    )


def test_gold_of_another_label_set_is_refused() -> None:
    with pytest.raises(InputError, match="does not have, such as 'per:hobby'"):
        SCORER.measures(["per:hobby"], [Prediction("a", "per:title")], SPEC, "klue")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_official_file_against_itself(data_dir: Path, variant: Any) -> None:
    examples = official("re", data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv")
    golds = [SCORER.gold(one) for one in examples]
    rows = [{"label": gold, "probabilities": _one_hot(gold)} for gold in golds]
    assert scored(SCORER, examples, rows, variant) == {"micro_f1": 100.0, "auprc": 100.0}


def test_the_official_file_against_a_noisy_system(data_dir: Path) -> None:
    examples = official("re", data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv")
    golds = np.array([NAMES.index(SCORER.gold(one)) for one in examples])
    scores = np.random.default_rng(7).normal(size=(len(golds), 30))
    scores[np.arange(len(golds)), golds] += 2
    made = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    said = made.argmax(axis=1)
    rows = [
        {"label": NAMES[label], "probabilities": row.tolist()}
        for label, row in zip(said, made, strict=True)
    ]
    areas = []
    for place in range(30):
        precision, recall, _ = precision_recall_curve(golds == place, made[:, place])
        areas.append(auc(recall, precision))
    wanted = 100 * f1_score(golds, said, average="micro", labels=list(range(1, 30)))
    for variant in VARIANTS:
        found = scored(SCORER, examples, rows, variant)
        assert found["micro_f1"] == pytest.approx(wanted)
        assert found["auprc"] == pytest.approx(100 * np.mean(areas))
