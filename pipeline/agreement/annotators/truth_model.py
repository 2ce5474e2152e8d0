"""What each unit's label probably is, by all votes and by all but one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.agreement.votes.ratings import Real, Whole

#: Votes of the usual annotator that smooth the confusions of each annotator, for each label.
PRIOR_VOTES: Final = 10.0
#: Units with the whole pool's shares of labels that are added to those that a rater saw.
_PRIOR_UNITS: Final = 5.0
#: Votes, mostly on the diagonal, with which the usual annotator's confusions are smoothed.
_SMOOTH: Final = 2.0
_ROUNDS: Final = 10
#: Cells of a block of votes x labels.
_BLOCK: Final = 4_000_000


@dataclass(frozen=True)
class TruthModel:
    """The model of Dawid and Skene, fitted to votes on units.

    `odds` (units, labels) is the logarithm of the posterior of each unit's label, up to a constant;
    `usual` (labels, labels) how often the usual annotator gives each label (columns) where a label
    (rows) is right; `own` (raters + 1, labels, labels) the logarithm of the same of each rater, the
    last row that of the anonymous. `weight` (raters + 1,) is 0 for raters who were left out.
    """

    odds: Real
    usual: Real
    own: Real
    weight: Real

    def truth_without(self, unit: Whole, rater: int, value: Whole) -> Real:
        """Return the posterior of a rater's units by all other votes, (votes, labels)."""
        mine = self.weight[rater] * self.own[rater][:, value].T
        return softmax(self.odds[unit] - mine)


def softmax(odds: Real) -> Real:
    """Return the probabilities of each row of log odds."""
    power = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(power / power.sum(axis=1, keepdims=True))


def fit_truth(
    unit: Whole, rater: Whole, value: Whole, *, units: int, raters: int, labels: int, weight: Real
) -> TruthModel:
    """Fit the model to votes sorted by unit; arrays (votes,), rater -1: anonymous.

    Each rater's confusions are drawn towards those of the usual annotator by `PRIOR_VOTES` for each
    label, so that people of few votes can be judged. A unit's label is as likely beforehand as
    among all units that its raters saw, since teams may judge other topics: with one prior for all,
    a team that finds one label nearly everywhere seems to confuse the others with it. Votes of
    raters with `weight` 0 count for nothing in it, though their own confusions are estimated.

    Source: A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using
    the EM Algorithm, 1979.
    """
    who = np.where(rater < 0, raters, rater).astype(np.int64)
    weight = np.append(weight, 1.0)
    counted = weight[who]
    cells = unit.astype(np.int64) * labels + value
    shares = np.bincount(cells, counted, units * labels).reshape(units, labels)
    truth = (shares + 1 / labels) / (shares + 1 / labels).sum(axis=1, keepdims=True)
    odds = usual = own = np.zeros(0)
    for _ in range(_ROUNDS):
        counts = _confusions(truth, unit, who * labels + value, (raters + 1, labels))
        usual = _smooth(np.einsum("r,rkv->kv", weight, counts))
        own = counts + PRIOR_VOTES * usual
        own = np.log(own / own.sum(axis=2, keepdims=True))
        prior = _shares(counts.sum(axis=2), truth.mean(axis=0), unit, who)
        odds = np.log(prior + 1e-9) + _evidence(own, unit, who, value, counted, units)
        truth = softmax(odds)
    return TruthModel(odds, usual, own, weight)


def _shares(seen: Real, whole: Real, unit: Whole, who: Whole) -> Real:
    # how common each label is among the units that the raters of a unit saw, (units, labels)
    shares = seen + _PRIOR_UNITS * whole
    shares /= shares.sum(axis=1, keepdims=True)
    sums = np.stack([np.bincount(unit, column[who]) for column in shares.T], axis=1)
    return np.asarray(sums / sums.sum(axis=1, keepdims=True))


def _smooth(counts: Real) -> Real:
    labels = len(counts)
    prior = _SMOOTH * (0.8 * np.eye(labels) + 0.2 / labels)
    return np.asarray((counts + prior) / (counts + prior).sum(axis=1, keepdims=True))


def _confusions(truth: Real, unit: Whole, cell: Whole, shape: tuple[int, int]) -> Real:
    # expected votes by rater, the unit's label and the label given, (raters, labels, labels)
    raters, labels = shape
    size = raters * labels
    rows = [
        np.bincount(cell, truth[unit, label], size).reshape(raters, labels)
        for label in range(labels)
    ]
    return np.stack(rows, axis=1)


def _evidence(own: Real, unit: Whole, who: Whole, value: Whole, counted: Real, units: int) -> Real:
    # the log likelihood of all votes of each unit, by its label; in blocks of units
    labels = own.shape[1]
    out = np.zeros((units, labels))
    step = max(_BLOCK // labels, 1)
    for start in range(0, len(unit), step):
        part = slice(start, start + step)
        rows = own[who[part], :, value[part]] * counted[part, None]
        first = np.flatnonzero(np.diff(unit[part], prepend=-1))
        out[unit[part][first]] += np.add.reduceat(rows, first, axis=0)
    return out
