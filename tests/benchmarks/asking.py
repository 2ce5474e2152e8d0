"""Items on which votes come in round by round, and three ways to choose what is asked next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.aggregation.pooled_model import fit_pooled
from pipeline.agreement.aggregation.score_errors import shrunk_variances, variance_falls

Real = npt.NDArray[np.float64]
#: What items are asked about: where the gain is highest, any at random, those with fewest votes.
STRATEGIES: Final = ("gain", "random", "turn")


@dataclass(frozen=True)
class Plan:
    """How many items and first votes an item, and how many items are asked about in each round."""

    items: int = 400
    start: int = 2
    batch: int = 40
    rounds: int = 45


class LabelPool:
    """Items with a true label; annotators differ in skill, and confuse some labels more."""

    def __init__(
        self, rng: np.random.Generator, items: int, *, labels: int, skill: tuple[float, float]
    ) -> None:
        self._rng = rng
        self.truth = rng.choice(labels, items, p=rng.dirichlet(np.full(labels, 4.0)))
        self._skill = rng.uniform(*skill, 20)
        errors = rng.dirichlet(np.ones(labels), labels)
        np.fill_diagonal(errors, 0)
        self._errors = errors / errors.sum(axis=1, keepdims=True)
        self.counts = np.zeros((items, labels))

    def ask(self, item: int) -> None:
        """Take one more vote of anybody on an item."""
        true = self.truth[item]
        is_right = self._rng.random() < self._rng.choice(self._skill)
        errors = self._errors[true]
        self.counts[item, true if is_right else self._rng.choice(len(errors), p=errors)] += 1

    @property
    def votes(self) -> Real:
        """Return the number of votes on every item."""
        return np.asarray(self.counts.sum(axis=1), np.float64)

    def gain(self) -> Real:
        """Return what one more vote on every item is expected to add."""
        return fit_pooled(self.counts).gain(self.counts)

    def quality(self) -> float:
        """Return the share of items whose leading label is right; of several each in its part."""
        return right_share(self.counts, self.truth)


class ScorePool:
    """Items with a true score, on which votes spread more or less."""

    def __init__(
        self, rng: np.random.Generator, items: int, *, spread: tuple[float, float]
    ) -> None:
        self._rng = rng
        self._truth, self._spread = rng.uniform(0, 5, items), rng.uniform(*spread, items)
        self._sums, self._squares, self.votes = (np.zeros(items) for _ in range(3))

    def ask(self, item: int) -> None:
        """Take one more score on an item."""
        score = self._rng.normal(self._truth[item], self._spread[item])
        self._sums[item] += score
        self._squares[item] += score**2
        self.votes[item] += 1

    def gain(self) -> Real:
        """Return what one more vote on every item is expected to add."""
        squares = self._squares - self._sums**2 / self.votes
        return variance_falls(self.votes, shrunk_variances(self.votes, squares / (self.votes - 1)))

    def quality(self) -> float:
        """Return the mean squared error of the means, negative: more is better."""
        return -float(((self._sums / self.votes - self._truth) ** 2).mean())


class RealPool:
    """Items with all votes that people gave, which come in a drawn order, and their gold label."""

    def __init__(self, rng: np.random.Generator, votes: npt.NDArray[np.int64], gold: Any) -> None:
        self._given, self._gold = rng.permuted(votes, axis=1), gold
        self.counts = np.zeros((len(votes), int(votes.max()) + 1))

    def ask(self, item: int) -> None:
        """Take the next vote on an item, if any is left."""
        place = int(self.counts[item].sum())
        if place < self._given.shape[1]:
            self.counts[item, self._given[item, place]] += 1

    @property
    def votes(self) -> Real:
        """Return the number of votes on every item."""
        return np.asarray(self.counts.sum(axis=1), np.float64)

    def gain(self) -> Real:
        """Return what one more vote is expected to add; nothing where none is left."""
        left = self.votes < self._given.shape[1]
        return np.where(left, fit_pooled(self.counts).gain(self.counts), -1.0)

    def quality(self) -> float:
        """Return the share of items whose leading label is gold; of several each in its part."""
        return right_share(self.counts, self._gold)


def right_share(counts: Real, truth: Any) -> float:
    """Return the share of items whose label with most votes is the true one."""
    top = counts == counts.max(axis=1, keepdims=True)
    return float((top[np.arange(len(truth)), truth] / top.sum(axis=1)).mean())


def simulate(
    make: Callable[[np.random.Generator, int], Any], plan: Plan, strategy: str, seed: int
) -> tuple[list[int], list[float]]:
    """Return the number of votes, and the quality of gold, before every round."""
    rng = np.random.default_rng(seed)
    pool = make(rng, plan.items)
    for item in np.repeat(np.arange(plan.items), plan.start).tolist():
        pool.ask(item)
    votes, quality = [], []
    for _ in range(plan.rounds):
        votes.append(int(pool.votes.sum()))
        quality.append(pool.quality())
        for item in _choose(strategy, rng, pool, plan.batch):
            pool.ask(item)
    return votes, quality


def _choose(strategy: str, rng: np.random.Generator, pool: Any, batch: int) -> list[int]:
    """Return the items of the next round; of equal ones those that a draw puts first."""
    draw = rng.random(len(pool.votes))
    value = {"gain": pool.gain, "random": lambda: draw, "turn": lambda: -pool.votes}[strategy]()
    return [int(item) for item in np.lexsort((draw, -np.round(value, 9)))[:batch]]


def votes_until(votes: list[int], quality: Any, target: float) -> int | None:
    """Return the number of votes from which on a target is held; None if it is not reached."""
    below = [place for place, value in enumerate(quality) if value < target]
    first = below[-1] + 1 if below else 0
    return votes[first] if first < len(votes) else None
