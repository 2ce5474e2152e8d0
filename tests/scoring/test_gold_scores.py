"""Gold in the order of guids, and scores that are a number or have a reason."""

from __future__ import annotations

import numpy as np
import pytest
from gold_cases import gold, pairs

from pipeline.contracts.example import Example, Prediction
from pipeline.core.errors import InputError
from pipeline.scoring.scorer import UNDEFINED, scores, weighted_scores

PAIRS = pairs(6)
SCORED = {"label": 1.0, "real-label": 1.0, "binary-label": 0}


def test_gold_is_by_guid_whatever_the_order() -> None:
    assert gold(reversed(PAIRS)) == gold(PAIRS)
    assert [one.id for one in gold(reversed(PAIRS)).examples] == [one.id for one in PAIRS]


def test_gold_that_cannot_be_compared_with() -> None:
    blank = [Example(one.id, one.source, one.fields) for one in PAIRS[:2]]
    with pytest.raises(
        InputError,
        match=r"no answer to compare: 2 of 6 examples of the gold, the first is pair-000",
    ):
        gold([*blank, *PAIRS[2:]])
    with pytest.raises(InputError, match=r"more than once: 1, the first is pair-003"):
        gold([*PAIRS, PAIRS[3]])
    with pytest.raises(InputError, match="the gold holds no example"):
        gold([])


def test_labels_of_another_set_are_refused() -> None:
    strange = gold([Example("pair-900", "nsmc", PAIRS[0].fields, "maybe")])
    with pytest.raises(InputError, match="1 label that nli@"):
        strange.measures([Prediction("pair-900", "neutral")], "klue")


def test_predictions_that_are_not_aligned_are_a_mistake_of_the_caller() -> None:
    said = [Prediction(one.id, one.label) for one in reversed(PAIRS)]
    with pytest.raises(ValueError, match="not of the same guids"):
        gold(PAIRS).measures(said, "klue")


def test_a_score_that_is_not_defined_has_a_reason() -> None:
    """All predictions are equal, so there is no correlation; none is a paraphrase."""
    texts = {"sentence1": "비가 온다.", "sentence2": "눈이 온다."}
    labels = [{**SCORED, "real-label": 1.0 + n} for n in range(3)]
    given = gold([Example(f"s{n}", "airbnb", texts, one) for n, one in enumerate(labels)], "sts")
    found = scores(given.measures([Prediction(f"s{n}", 2.0) for n in range(3)], "klue"), 3)
    assert found.values["pearson"] is None
    assert found.reasons["pearson"] == UNDEFINED
    assert found.values["f1"] == 0.0 and "f1" not in found.reasons


def test_a_metric_that_cannot_be_had_says_why() -> None:
    assert scores({"auprc": "needs probabilities"}, 3).reasons == {"auprc": "needs probabilities"}


def test_scores_over_weighted_examples() -> None:
    right = np.array([1.0, 0.0, 1.0, 1.0])
    share = {"share": lambda weights: 100 * (weights @ right) / weights.sum(axis=1), "no": "reason"}
    rows = np.array([[1, 1, 1, 1], [0, 3, 1, 0], [0, 2, 0, 0]], np.float64)
    assert [weighted_scores(share, row) for row in rows] == [
        {"share": 75.0, "no": None},
        {"share": 25.0, "no": None},
        {"share": 0.0, "no": None},
    ]
