"""What each unit's label probably is, by all votes and by all but one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from pipeline.agreement.votes.ratings import Patterns, Real, Whole, patterns

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

    `odds` (patterns, labels) is the logarithm of the posterior of the label of a unit that was
    judged in one way, up to a constant; `pattern` (units,) says in which. `usual` (labels, labels)
    is how often the usual annotator gives each label (columns) where a label (rows) is right; `own`
    (raters + 1, labels, labels) the logarithm of the same of each rater, the last row that of the
    anonymous. `weight` (raters + 1,) is 0 for raters who were left out.
    """

    odds: Real
    pattern: Whole
    usual: Real
    own: Real
    weight: Real

    def odds_of(self, unit: Whole) -> Real:
        """Return the log odds of the labels of units by all votes, (units, labels)."""
        return self.odds[self.pattern[unit]]

    def truth_without(self, unit: Whole, rater: int, value: Whole) -> Real:
        """Return the posterior of a rater's units by all other votes, (votes, labels)."""
        mine = self.weight[rater] * self.own[rater][:, value].T
        return softmax(self.odds_of(unit) - mine)


def softmax(odds: Real) -> Real:
    """Return the probabilities of each row of log odds."""
    power = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(power / power.sum(axis=1, keepdims=True))


def fit_truth(
    unit: Whole, rater: Whole, value: Whole, *, units: int, raters: int, labels: int, weight: Real
) -> TruthModel:
    """Fit the model to votes sorted by unit; arrays (votes,), rater -1: anonymous.

    Units on which the same raters gave the same labels are one pattern, gone through once: of marks
    in structured answers there are many to a pattern.

    Each rater's confusions are drawn towards those of the usual annotator by `PRIOR_VOTES` for each
    label, so that people of few votes can be judged. A unit's label is as likely beforehand as
    among all units that its raters saw, since teams may judge other topics: with one prior for all,
    a team that finds one label nearly everywhere seems to confuse the others with it. Votes of
    raters with `weight` 0 count for nothing in it, though their own confusions are estimated.

    Source: A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using
    the EM Algorithm, 1979.
    """
    who = np.where(rater < 0, raters, rater).astype(np.int64)
    found = patterns(unit, who * labels + value, units=units, categories=(raters + 1) * labels)
    weight = np.append(weight, 1.0)
    blocks = list(_blocks(found, weight, labels))
    truth_of: Callable[[_Block], Real] = _shares_of_votes
    for _ in range(_ROUNDS):
        counts, whole = np.zeros((raters + 1, labels, labels)), np.zeros(labels)
        for block in blocks:
            truth = truth_of(block) * block.units[:, None]
            counts += _confusions(truth, block, raters + 1)
            whole += truth.sum(axis=0)
        usual = _smooth(np.einsum("r,rkv->kv", weight, counts))
        own = counts + PRIOR_VOTES * usual
        own = np.log(own / own.sum(axis=2, keepdims=True))
        odds_of = partial(_odds, own, counts.sum(axis=2) + _PRIOR_UNITS * (whole / units))
        truth_of = partial(_posterior, odds_of)
    odds = np.concatenate([np.empty((0, labels)), *map(odds_of, blocks)])
    return TruthModel(odds, found.of_unit, usual, own, weight)


class _Block(NamedTuple):
    """Some patterns: how many `units` show each, (patterns,); and their distinct votes, (votes,).

    `who` gave `value` on each unit of `pattern`, numbered from 0, `times` over where several people
    are anonymous. `counted` is `times` without raters who were left out.
    """

    units: Whole
    pattern: Whole
    who: Whole
    value: Whole
    times: Whole
    counted: Real
    labels: int


def _blocks(found: Patterns, weight: Real, labels: int) -> Iterator[_Block]:
    step = max(_BLOCK // labels, 1)
    start = 0
    while start < len(found.owner):
        first, last = found.owner[[start, min(start + step, len(found.owner)) - 1]]
        stop = int(np.searchsorted(found.owner, last, side="right"))
        part = slice(start, stop)
        who, value = np.divmod(found.value[part], labels)
        times, units = found.count[part], found.units[first : last + 1]
        pattern = found.owner[part] - first
        yield _Block(units, pattern, who, value, times, weight[who] * times, labels)
        start = stop


def _shares_of_votes(block: _Block) -> Real:
    cells, size = block.pattern * block.labels + block.value, len(block.units)
    votes = np.bincount(cells, block.counted, size * block.labels).reshape(size, block.labels)
    shares = votes + 1 / block.labels
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _posterior(odds_of: Callable[[_Block], Real], block: _Block) -> Real:
    return softmax(odds_of(block))


def _odds(own: Real, seen: Real, block: _Block) -> Real:
    # how common each label is among the units that the raters of a unit saw, and the likelihood of
    # all of its votes, by its label, (patterns, labels)
    seen = seen / seen.sum(axis=1, keepdims=True)
    common = np.stack(
        [np.bincount(block.pattern, column[block.who] * block.times) for column in seen.T], axis=1
    )
    common = common / common.sum(axis=1, keepdims=True)
    votes = own[block.who, :, block.value] * block.counted[:, None]
    first = np.flatnonzero(np.diff(block.pattern, prepend=-1))
    return np.asarray(np.log(common + 1e-9) + np.add.reduceat(votes, first, axis=0))


def _smooth(counts: Real) -> Real:
    labels = len(counts)
    prior = _SMOOTH * (0.8 * np.eye(labels) + 0.2 / labels)
    return np.asarray((counts + prior) / (counts + prior).sum(axis=1, keepdims=True))


def _confusions(truth: Real, block: _Block, raters: int) -> Real:
    # expected votes by rater, the unit's label and the label given, (raters, labels, labels);
    # `truth` (patterns, labels) is summed over the units of each
    cell, shape = block.who * block.labels + block.value, (raters, block.labels)
    rows = [
        np.bincount(cell, column[block.pattern] * block.times, raters * block.labels).reshape(shape)
        for column in truth.T
    ]
    return np.stack(rows, axis=1)
