"""Boards that attackers submit to: the truth, the scores, and what each board shows.

A world has the sizes of half a test split of KLUE. Of `known` examples the attacker knows the
labels; of each other one it knows some candidates, each as likely as another. Errors are those that
the bootstrap estimates, from the influence of each example on the score (a test compares them).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pipeline.scoring.measure import Floats
from pipeline.scoring.ranking import ladder

Labels = npt.NDArray[np.int64]
Answers = npt.NDArray[np.float64] | Labels
Chance = np.random.Generator


class Metric(Protocol):
    """A score and the influence of each example on it, times n."""

    def __call__(self, gold: Answers, answers: Answers) -> tuple[float, Floats]: ...


def accuracy(gold: Answers, answers: Answers) -> tuple[float, Floats]:
    right = 100.0 * (gold == answers)
    score = float(right.mean())
    return score, right - score


def pearson(gold: Answers, answers: Answers) -> tuple[float, Floats]:
    if not np.ptp(answers):
        return 0.0, np.zeros(len(gold))
    x, y = ((side - side.mean()) / side.std() for side in (gold, answers))
    r = float((x * y).mean())
    return 100 * r, 100 * (x * y - r * (x * x + y * y) / 2)


def macro_f1(gold: Answers, answers: Answers) -> tuple[float, Floats]:
    size = int(max(gold.max(), answers.max())) + 1
    golds, predicted = np.bincount(gold, minlength=size), np.bincount(answers, minlength=size)
    equal = gold == answers
    right = np.bincount(gold[equal], minlength=size)
    whole = golds + predicted
    there = whole > 0
    f1 = np.divide(2 * right, whole, out=np.zeros(size), where=there)
    share = len(gold) * np.divide(1, whole, out=np.zeros(size), where=there) / there.sum()
    lost = f1 * share
    influence = 2 * equal * share[gold] - lost[gold] - lost[answers]
    return 100 * float(f1[there].mean()), 100 * influence


def micro_f1(gold: Answers, answers: Answers) -> tuple[float, Floats]:
    """Return the micro F1 of all classes but 0."""
    hits = 2.0 * ((gold == answers) & (gold > 0))
    whole = (gold > 0).astype(float) + (answers > 0)
    f1 = hits.sum() / max(whole.sum(), 1)
    return 100 * float(f1), 100 * (hits - f1 * whole) * len(gold) / max(whole.sum(), 1)


@dataclass(frozen=True)
class World:
    """The truth of a task, and what an attacker knows: `options` of each example, by row."""

    task: str
    gold: Answers
    options: Answers
    known: npt.NDArray[np.bool_]
    metric: Metric

    @property
    def n(self) -> int:
        return len(self.gold)

    @property
    def pool(self) -> Labels:
        """The places of the examples whose labels the attacker does not know."""
        return np.flatnonzero(~self.known)

    def guess(self, chance: Chance) -> Answers:
        """Return what the attacker may know: known labels, and one of the options of the others."""
        choice = chance.integers(self.options.shape[1], size=self.n)
        drawn = self.options[np.arange(self.n), choice]
        return np.where(self.known, self.gold, drawn)

    def spoilt(self, answers: Answers, right: int) -> Answers:
        """Return answers of which only so many of the known ones are right."""
        places = np.flatnonzero(self.known)[right:]
        changed = answers.copy()
        changed[places] = self.wrong()[places]
        return changed

    def wrong(self) -> Answers:
        """Return an answer to each example that is wrong."""
        if self.gold.dtype == np.int64:
            return (self.gold + 1) % (int(self.gold.max()) + 1)
        return 5.0 - self.gold

    def fresh_score(self, chance: Chance) -> float:
        """Return what the attacker's knowledge scores on examples without feedback."""
        return float(np.mean([self.metric(self.gold, self.guess(chance))[0] for _ in range(50)]))


#: Task: examples of half a test split, shares of classes (None: a number), metric.
_RELATIONS = 1 / np.arange(1, 31) ** 0.8
TASKS: dict[str, tuple[int, Floats | None, Metric]] = {
    "nli": (1_500, np.ones(3), accuracy),
    "tc": (4_553, np.array([0.12, 0.16, 0.19, 0.13, 0.12, 0.17, 0.11]), macro_f1),
    "re": (3_883, _RELATIONS, micro_f1),
    "sts": (518, None, pearson),
}


def world(task: str, *, known: float, candidates: int | None, chance: Chance) -> World:
    """Draw a world; without a number of candidates all classes are."""
    n, shares, metric = TASKS[task]
    is_known = np.arange(n) < round(known * n)
    if shares is None:
        gold = chance.uniform(0, 5, n)
        count = candidates or 6
        options = chance.uniform(0, 5, (n, count))
        if candidates:
            options[:, 0] = gold
        return World(task, gold, options, is_known, metric)
    classes = len(shares)
    gold = chance.choice(classes, size=n, p=shares / shares.sum())
    count = candidates or classes
    others = np.array([chance.permutation(classes - 1)[: count - 1] for _ in range(n)])
    others = others + (others >= gold[:, None])
    options = np.column_stack([gold, others]).astype(np.int64)
    return World(task, gold, options, is_known, metric)


@dataclass
class Best:
    score: float
    influence: Floats


@dataclass(frozen=True)
class Rule:
    """A gain is shown above `multiple(submissions before)` standard errors, `most(n)` times."""

    multiple: Callable[[int], float]
    most: Callable[[int], float] = lambda _: math.inf


@cache
def _multiple(submissions: int, level: float) -> float:
    return ladder.multiplier(level / max(1, submissions), 1_500)


#: The rule of the board, and others to compare it with; None shows each score.
RULES: dict[str, Rule | None] = {
    "naive": None,
    "1 error": Rule(lambda _: 1.0),
    "2 errors": Rule(lambda _: 2.0),
    "3 errors": Rule(lambda _: 3.0),
    "level 0.05/k": Rule(lambda k: _multiple(k, ladder.LEVEL)),
    "ours": Rule(lambda k: _multiple(k, ladder.LEVEL), ladder.most_improvements),
}


@dataclass
class Board:
    """A board for one attacker; without a rule it shows each score, with all digits.

    Else scores have two decimals. Each size class has a ladder; with `accounts` the classes stand
    for as many submitters, who are counted apart.
    """

    world: World
    rule: Rule | None
    accounts: bool = False
    bests: dict[int, Best] = field(default_factory=dict)
    submissions: Counter[int] = field(default_factory=Counter)
    improvements: Counter[int] = field(default_factory=Counter)

    @property
    def best(self) -> float:
        """The greatest score that was shown."""
        return max(best.score for best in self.bests.values())

    def multiple(self, place: int = 0) -> float:
        """Return how many errors the next gain must exceed."""
        return 0.0 if self.rule is None else self.rule.multiple(self.submissions[self._who(place)])

    def left(self, place: int = 0) -> float:
        """Return how many improvements can still be shown."""
        done = self.improvements[self._who(place)]
        return math.inf if self.rule is None else self.rule.most(self.world.n) - done

    def submit(self, answers: Answers, place: int = 0) -> float | None:
        """Return the score if it is shown."""
        score, influence = self.world.metric(self.world.gold, answers)
        best, multiple = self.bests.get(place), self.multiple(place)
        self.submissions[self._who(place)] += 1
        if self.rule is None:
            if best is None or score > best.score:
                self.bests[place] = Best(score, influence)
            return score
        if best is not None:
            error = float((influence - best.influence).std()) / math.sqrt(self.world.n - 1)
            if not score - best.score > multiple * error or not self.left(place):
                return None
            self.improvements[self._who(place)] += 1
        self.bests[place] = Best(score, influence)
        return round(score, 2)

    def _who(self, place: int) -> int:
        return place if self.accounts else 0
