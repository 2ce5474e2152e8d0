"""Soft labels and confidence: shares by hand, and probabilities that come true as often."""

from __future__ import annotations

import json
import statistics
from typing import Any

import numpy as np
import pytest
from small_votes import STS_RULE, TC_RULE, count, ends, vote

from pipeline.agreement.aggregation.pooled_model import fit_pooled
from pipeline.agreement.aggregation.score_errors import shrunk_variances, standard_errors

RULE = TC_RULE | {"otherwise": "expert", "minimum": 1, "needed": 1}


def _soft(row: dict[str, Any]) -> dict[str, float]:
    label: dict[str, float] = json.loads(row["soft_label"])
    return label


def test_a_soft_label_has_the_shares_of_the_votes() -> None:
    rows = [vote("a", f"w{i}", x) for i, x in enumerate(("yes", "yes", "no"))]
    rows += [vote("b", f"w{i}", "maybe") for i in range(2)]
    found = ends(count("re", rows, rule=RULE))
    assert _soft(found["a"]) == pytest.approx({"yes": 2 / 3, "no": 1 / 3, "maybe": 0})
    assert _soft(found["b"]) == {"yes": 0, "no": 0, "maybe": 1}
    assert list(_soft(found["a"])) == list(_soft(found["b"])) == ["maybe", "no", "yes"]


def test_votes_that_do_not_count_are_in_no_soft_label() -> None:
    rows = [vote("a", f"w{i}", "yes") for i in range(3)]
    rows += [vote("a", "w0", "no", attempt=2), vote("a", "chief", "no", role="expert")]
    row = ends(count("re", rows, rule=RULE))["a"]
    assert row["votes"] == 3 and _soft(row) == pytest.approx({"no": 1 / 3, "yes": 2 / 3})


def test_soft_scores_are_mean_deviation_and_number() -> None:
    scores = (1, 2, 2, 4, 5)
    row = ends(count("sts", [vote("a", f"w{i}", x) for i, x in enumerate(scores)]))["a"]
    assert _soft(row) == pytest.approx(
        {"mean": 2.8, "standard_deviation": statistics.pstdev(scores), "n": 5}
    )
    error = statistics.stdev(scores) / 5**0.5
    assert row["standard_error"] == pytest.approx(error, abs=1e-6) and row["confidence"] is None


def test_confidence_is_nearer_to_the_truth_than_shares_are() -> None:
    """Fresh seeds: of labels that are right with 0.9, about nine of ten are."""
    errors = {"model": [], "share": []}
    for seed in (7101, 7102, 7103):
        rng = np.random.default_rng(seed)
        truth, counts = _simulated(rng, items=1500, labels=3)
        label = counts.argmax(axis=1)
        right = label == truth
        sure = fit_pooled(counts).posterior(counts)[np.arange(len(label)), label]
        errors["model"].append(_calibration_error(sure, right))
        errors["share"].append(_calibration_error(counts.max(1) / counts.sum(1), right))
    assert max(errors["model"]) < 0.05 < min(errors["share"])


def _simulated(rng: np.random.Generator, *, items: int, labels: int) -> tuple[Any, Any]:
    truth = rng.choice(labels, items, p=rng.dirichlet(np.full(labels, 4)))
    skill = rng.uniform(0.55, 0.9, 15)
    counts = np.zeros((items, labels))
    for item in range(items):
        for who in rng.choice(15, rng.integers(2, 6), replace=False):
            wrong = (truth[item] + rng.integers(1, labels)) % labels
            counts[item, truth[item] if rng.random() < skill[who] else wrong] += 1
    return truth, counts


def _calibration_error(sure: Any, right: Any) -> float:
    place = np.minimum((sure * 10).astype(int), 9)
    bins = [place == b for b in range(10)]
    return float(sum(abs(sure[b].mean() - right[b].mean()) * b.mean() for b in bins if b.any()))


def test_the_model_finds_the_confusions_that_made_the_votes() -> None:
    rng = np.random.default_rng(88)
    confusion = np.array([[0.8, 0.15, 0.05], [0.1, 0.7, 0.2], [0.05, 0.1, 0.85]])
    truth = rng.choice(3, 6000, p=[0.5, 0.3, 0.2])
    counts = np.array([rng.multinomial(5, confusion[t]) for t in truth], float)
    model = fit_pooled(counts)
    assert model.confusion == pytest.approx(confusion, abs=0.03)
    assert model.prior == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    assert model.posterior(counts).sum(axis=1) == pytest.approx(1)


def test_gain_is_the_information_of_a_vote_by_enumeration() -> None:
    counts = np.array([[2.0, 1, 0], [0, 0, 0], [3, 0, 0], [1, 1, 1]] * 5)
    model = fit_pooled(counts)
    for row, gain in zip(counts, model.gain(counts), strict=True):
        now = model.posterior(row[None])[0]
        after = 0.0
        for label in range(3):
            chance = float(now @ model.confusion[:, label])
            later = model.posterior(row[None] + np.eye(3)[label])[0]
            after += chance * -float((later * np.log2(later)).sum())
        assert gain == pytest.approx(-float((now * np.log2(now)).sum()) - after, abs=1e-9)
    order = np.random.default_rng(1).permutation(len(counts))
    assert fit_pooled(counts[order]).gain(counts).tolist() == model.gain(counts).tolist()


def test_variances_are_drawn_towards_that_of_all() -> None:
    rng = np.random.default_rng(5)
    spread = rng.uniform(0.2, 1.5, 4000)
    scores = rng.normal(0, spread[:, None], (4000, 4))
    own = scores.var(axis=1, ddof=1)
    shrunk = shrunk_variances(np.full(4000, 4.0), own)
    assert np.mean((shrunk - spread**2) ** 2) < 0.8 * np.mean((own - spread**2) ** 2)
    alike = rng.normal(0, 1, (4000, 4)).var(axis=1, ddof=1)
    assert shrunk_variances(np.full(4000, 4.0), alike).std() < 0.2 * alike.std()
    assert np.isnan(shrunk_variances(np.ones(3), np.zeros(3))).all()
    errors = standard_errors(np.array([0.0, 4.0]), np.array([1.0, 1.0]))
    assert np.isnan(errors[0]) and errors[1] == 0.5


def test_labels_of_experts_have_no_confidence() -> None:
    rows = [vote("a", f"w{i}", x) for i, x in enumerate(("yes", "no"))]
    rows.append(vote("a", "chief", "yes", role="expert", round="adjudicate"))
    row = ends(count("re", rows, rule=RULE))["a"]
    assert row["label"] == "yes" and row["confidence"] is None
    assert _soft(row) == {"yes": 0.5, "no": 0.5}


def test_structured_answers_have_no_soft_label() -> None:
    row = ends(count("ner", [vote("a", "w0", [], round="tag")]))["a"]
    assert row["soft_label"] is None and row["confidence"] is None
    removed = count("sts", [vote("a", f"w{i}", x) for i, x in enumerate((0, 0, 5, 5, 5))])
    assert STS_RULE["drop_deviation"] == 2.0 and ends(removed)["a"]["soft_label"]
