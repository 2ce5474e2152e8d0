"""A model of votes in which all annotators err alike: which label is true, and what a vote adds.

It is the model of Dawid and Skene (1979) with one matrix of confusions for everybody: a label is
true of an item with its prior probability, and every vote on the item is drawn from the row of the
true label, whoever gave it. It needs no names of annotators and is fitted to few votes an item. The
matrix has pseudo-votes, so that a label nobody confused yet may be confused.

What one more vote is expected to add is the information that it gives on the true label, in bits
(Lindley 1956, On a measure of the information provided by an experiment): the entropy of the label
now, minus its mean entropy after the vote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]
#: Pseudo-votes on a label that is true: so many that name it, and so many for all others together.
RIGHT: Final = 1.0
WRONG: Final = 0.5
#: Pseudo-items of all labels together.
ITEMS: Final = 1.0
MOST_STEPS: Final = 500
TOLERANCE: Final = 1e-7
#: A table of gains has at most so many cells at a time.
_CELLS: Final = 4_000_000


@dataclass(frozen=True)
class PooledModel:
    """The fitted model: `prior`, (labels,), and `confusion`, (true labels, labels of votes)."""

    prior: Real
    confusion: Real

    def posterior(self, counts: Real) -> Real:
        """Return the probability of each label of every item, given counts; (items, labels)."""
        logs = np.log(self.prior) + counts @ np.log(self.confusion).T
        likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
        total = likelihood.sum(axis=1, keepdims=True)
        return np.asarray(likelihood / total, np.float64)

    def gain(self, counts: Real) -> Real:
        """Return the bits that one more vote on every item is expected to give, (items,)."""
        labels = len(self.prior)
        size = max(1, _CELLS // labels**2)
        parts = [self._gain(counts[at : at + size]) for at in range(0, len(counts), size)]
        return np.concatenate([np.zeros(0), *parts])

    def _gain(self, counts: Real) -> Real:
        posterior = self.posterior(counts)
        joint = posterior[:, :, None] * self.confusion  # (items, true labels, label of the vote)
        vote = joint.sum(axis=1)
        gain = _entropy(vote) - (posterior * _entropy(self.confusion)).sum(axis=1)
        return np.asarray(np.maximum(gain, 0.0), np.float64)


def fit_pooled(counts: Real) -> PooledModel:
    """Fit the model to the votes of items, (items, labels), by expectation-maximisation.

    It begins at the shares of the votes. Items without votes say nothing; equal rows are taken
    together, so that the order of items changes nothing.
    """
    labels = counts.shape[1]
    patterns, weights = np.unique(counts[counts.sum(axis=1) > 0], axis=0, return_counts=True)
    pseudo = np.full((labels, labels), WRONG / max(labels - 1, 1))
    np.fill_diagonal(pseudo, RIGHT)
    belief = patterns / np.maximum(patterns.sum(axis=1, keepdims=True), 1)
    model = _maximise(belief, patterns, weights, pseudo)
    for _ in range(MOST_STEPS):
        before, belief = belief, model.posterior(patterns)
        if not len(patterns) or np.abs(belief - before).max() < TOLERANCE:
            break
        model = _maximise(belief, patterns, weights, pseudo)
    return model


def _maximise(
    belief: Real, patterns: Real, weights: npt.NDArray[np.int64], pseudo: Real
) -> PooledModel:
    weighted = belief * weights[:, None]
    prior = weighted.sum(axis=0) + ITEMS / len(pseudo)
    confusion = weighted.T @ patterns + pseudo
    return PooledModel(prior / prior.sum(), confusion / confusion.sum(axis=1, keepdims=True))


def _entropy(probabilities: Real) -> Real:
    """Return the entropy of the distributions along the last axis, in bits."""
    logs = np.log2(np.where(probabilities > 0, probabilities, 1.0))
    return np.asarray(-(probabilities * logs).sum(axis=-1), np.float64)
