"""What each unit's label probably is, by all votes and by all but one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

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
_BLOCK: Final = 500_000


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
    blocks = list(_blocks(unit, who, value, weight, labels))
    truth_of: Callable[[_Block], Real] = _shares_of_votes
    for _ in range(_ROUNDS):
        counts, whole = np.zeros((raters + 1, labels, labels)), np.zeros(labels)
        for block in blocks:
            truth = truth_of(block)
            counts += _confusions(truth, block, raters + 1)
            whole += truth.sum(axis=0)
        usual = _smooth(np.einsum("r,rkv->kv", weight, counts))
        own = counts + PRIOR_VOTES * usual
        own = np.log(own / own.sum(axis=2, keepdims=True))
        odds_of = partial(_odds, own, counts.sum(axis=2) + _PRIOR_UNITS * (whole / units))
        truth_of = partial(_posterior, odds_of)
    odds = np.empty((units, labels))
    for block in blocks:
        odds[block.place] = odds_of(block)
    return TruthModel(odds, usual, own, weight)


class _Block(NamedTuple):
    """The votes on some units, `place` among all; units are numbered from 0."""

    place: slice
    unit: Whole
    who: Whole
    value: Whole
    counted: Real
    labels: int


def _blocks(unit: Whole, who: Whole, value: Whole, weight: Real, labels: int) -> Iterator[_Block]:
    step = max(_BLOCK // labels, 1)
    start = 0
    while start < len(unit):
        last = unit[min(start + step, len(unit)) - 1]
        stop = int(np.searchsorted(unit, last, side="right"))
        place, part = slice(int(unit[start]), int(last) + 1), slice(start, stop)
        counted = weight[who[part]]
        yield _Block(place, unit[part] - place.start, who[part], value[part], counted, labels)
        start = stop


def _shares_of_votes(block: _Block) -> Real:
    cells = block.unit * block.labels + block.value
    size = block.place.stop - block.place.start
    votes = np.bincount(cells, block.counted, size * block.labels).reshape(size, block.labels)
    shares = votes + 1 / block.labels
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _posterior(odds_of: Callable[[_Block], Real], block: _Block) -> Real:
    return softmax(odds_of(block))


def _odds(own: Real, seen: Real, block: _Block) -> Real:
    # how common each label is among the units that the raters of a unit saw, and the likelihood of
    # all of its votes, by its label, (units, labels)
    seen = seen / seen.sum(axis=1, keepdims=True)
    common = np.stack([np.bincount(block.unit, column[block.who]) for column in seen.T], axis=1)
    common = common / common.sum(axis=1, keepdims=True)
    votes = own[block.who, :, block.value] * block.counted[:, None]
    first = np.flatnonzero(np.diff(block.unit, prepend=-1))
    return np.asarray(np.log(common + 1e-9) + np.add.reduceat(votes, first, axis=0))


def _smooth(counts: Real) -> Real:
    labels = len(counts)
    prior = _SMOOTH * (0.8 * np.eye(labels) + 0.2 / labels)
    return np.asarray((counts + prior) / (counts + prior).sum(axis=1, keepdims=True))


def _confusions(truth: Real, block: _Block, raters: int) -> Real:
    # expected votes by rater, the unit's label and the label given, (raters, labels, labels)
    cell, shape = block.who * block.labels + block.value, (raters, block.labels)
    rows = [
        np.bincount(cell, column[block.unit], raters * block.labels).reshape(shape)
        for column in truth.T
    ]
    return np.stack(rows, axis=1)
