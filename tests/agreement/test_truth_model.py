"""The model of the right label: recovered confusions, leaving out a vote, people of no weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.agreement.annotators import truth_model
from pipeline.agreement.annotators.truth_model import TruthModel, fit_truth, softmax

SHARES = np.array([0.5, 0.3, 0.2])
UNITS, RATERS, LABELS = 3000, 5, 3


def draw(seed: int, accuracy: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return truth, and unit, rater, value of all votes, sorted by unit."""
    chance = np.random.default_rng(seed)
    truth = chance.choice(LABELS, UNITS, p=SHARES)
    wrong = (truth[:, None] + chance.integers(1, LABELS, (UNITS, RATERS))) % LABELS
    value = np.where(chance.random((UNITS, RATERS)) < np.array(accuracy), truth[:, None], wrong)
    unit, rater = np.divmod(np.arange(UNITS * RATERS), RATERS)
    return truth, unit, rater, value.ravel()


def fit(votes: tuple[np.ndarray, ...], weight: list[float]) -> TruthModel:
    unit, rater, value = (part.astype(np.int64) for part in votes)
    return fit_truth(
        unit,
        rater,
        value,
        units=UNITS,
        raters=RATERS,
        labels=LABELS,
        weight=np.array(weight),
    )


def test_the_truth_and_everybodys_accuracy_come_back() -> None:
    accuracy = [0.95, 0.9, 0.8, 0.7, 0.6]
    truth, *votes = draw(1, accuracy)
    model = fit(tuple(votes), [1.0] * RATERS)
    odds = model.odds_of(np.arange(UNITS))
    assert (odds.argmax(axis=1) == truth).mean() > 0.96
    diagonal = np.exp(np.einsum("rvv->rv", model.own[:RATERS]))
    assert diagonal.mean(axis=1) == pytest.approx(accuracy, abs=0.03)
    assert softmax(odds).mean(axis=0) == pytest.approx(SHARES, abs=0.03)


def test_a_vote_left_out_says_nothing() -> None:
    """Without a rater's votes the posterior is that of a model in which they weigh nothing."""
    _, unit, rater, value = draw(2, [0.9] * RATERS)
    model = fit((unit, rater, value), [1.0] * RATERS)
    own = rater == 0
    without = model.truth_without(unit[own], 0, value[own])
    reversed_votes = (value[own] + 1) % LABELS
    mine, other = model.own[0][:, value[own]].T, model.own[0][:, reversed_votes].T
    odds = model.odds_of(unit[own]) - mine + other
    changed = replace(model, odds=odds, pattern=np.arange(own.sum()))
    assert changed.truth_without(np.arange(own.sum()), 0, reversed_votes) == pytest.approx(without)


def test_raters_of_no_weight_count_for_nothing() -> None:
    _, unit, rater, value = draw(3, [0.9] * RATERS)
    noise = np.where(rater < 2, 0, value)  # two who always give one label
    model = fit((unit, rater, noise), [0.0, 0.0, 1.0, 1.0, 1.0])
    rest = rater >= 2
    alone = fit((unit[rest], rater[rest], value[rest]), [0.0, 0.0, 1.0, 1.0, 1.0])
    every = np.arange(UNITS)
    assert model.odds_of(every) == pytest.approx(alone.odds_of(every))
    assert np.exp(model.own[0])[:, 0].min() > 0.9  # their own confusions are estimated all the same


@pytest.mark.parametrize("cells", [1, 100, 44_999])
def test_blocks_of_any_size_give_the_model_of_one(
    monkeypatch: pytest.MonkeyPatch, cells: int
) -> None:
    _, unit, rater, value = draw(4, [0.9, 0.8, 0.7, 0.6, 0.5])
    kept = np.random.default_rng(4).random(len(unit)) < 0.6  # units of one to five votes
    unit = np.unique(unit[kept], return_inverse=True)[1]
    units = int(unit[-1]) + 1
    votes = unit, rater[kept], value[kept]
    asked = {"units": units, "raters": RATERS, "labels": LABELS, "weight": np.array([1.0] * RATERS)}
    whole = fit_truth(*votes, **asked)
    monkeypatch.setattr(truth_model, "_BLOCK", cells)
    parts = fit_truth(*votes, **asked)
    every = np.arange(units)
    assert parts.odds_of(every) == pytest.approx(whole.odds_of(every), rel=1e-9, abs=1e-9)
    assert parts.own == pytest.approx(whole.own, rel=1e-9, abs=1e-9)


def test_units_judged_alike_count_as_often_as_there_are() -> None:
    """The same as Dawid and Skene unit by unit, with anonymous votes and people of no weight."""
    chance = np.random.default_rng(5)
    units, raters, labels, weight = 400, 3, 2, np.array([1.0, 1.0, 0.0])
    unit = np.sort(np.append(np.arange(units), chance.integers(0, units, 500)))
    rater = chance.integers(-1, raters, len(unit))
    value = (chance.random(len(unit)) < np.where(unit % 3, 0.2, 0.8)).astype(np.int64)
    model = fit_truth(unit, rater, value, units=units, raters=raters, labels=labels, weight=weight)
    assert len(model.odds) < units / 2
    own, odds = _by_unit(unit, rater, value, units, weight)
    assert model.own == pytest.approx(own, rel=1e-9)
    assert model.odds_of(np.arange(units)) == pytest.approx(odds, rel=1e-9, abs=1e-9)


def _by_unit(
    unit: np.ndarray, rater: np.ndarray, value: np.ndarray, units: int, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # one vote after another, two labels
    full, votes = np.append(weight, 1.0), [[] for _ in range(units)]
    for u, r, v in zip(unit, rater, value, strict=True):
        votes[u].append((r, v))
    shares = [[0.5 + sum(full[r] for r, v in of if v == k) for k in (0, 1)] for of in votes]
    truth = np.array([np.array(share) / sum(share) for share in shares])
    for _ in range(10):
        counts = np.zeros((len(full), 2, 2))
        for of, belief in zip(votes, truth, strict=True):
            for r, v in of:
                counts[r, :, v] += belief
        pooled = np.einsum("r,rkv->kv", full, counts) + 2 * (0.8 * np.eye(2) + 0.1)
        own = counts + 10 * pooled / pooled.sum(axis=1, keepdims=True)
        own = np.log(own / own.sum(axis=2, keepdims=True))
        seen = counts.sum(axis=2) + 5 * truth.mean(axis=0)
        seen = seen / seen.sum(axis=1, keepdims=True)
        odds = np.zeros((units, 2))
        for row, of in zip(odds, votes, strict=True):
            common = sum(seen[r] for r, _ in of)
            row[:] = np.log(common / common.sum() + 1e-9)
            row[:] += sum(full[r] * own[r, :, v] for r, v in of)
        truth = softmax(odds)
    return own, odds
