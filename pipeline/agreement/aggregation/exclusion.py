"""Whose votes are left out: those who agree too little with the others (Section 3.2.1).

Everybody is judged once, against all others on the full pool of raw votes: who is excluded still
counts among the others, and nobody is judged again after the exclusion. The numbers are exact, so
that neither the order of the votes nor rounding decides about a person.

The paper does not define the two coefficients further. Here the correlation is that of a person's
scores with the mean of the others' scores on the same item. Alpha is taken over the pairs of a
person's vote and another's on an item that both answered, each pair counting once: the alpha of two
raters, this person and "another". Alpha over all votes on the items of a person would mostly
measure the others. With the thresholds of Section 3.2.1 these two exclude four annotators of
KLUE-STS dev taken alone: two by alpha, one by both, and one whose correlation is 0.7998.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE, CodedVotes, Codes
from pipeline.agreement.aggregation.outcome import Note
from pipeline.agreement.aggregation.rules import exact, values
from pipeline.contracts.spec import Exclusion, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import SpecError

Distance = Callable[[int, int], Fraction]


@dataclass(frozen=True)
class Correlation:
    """A correlation as its covariance and the product of the variances, both exact."""

    covariance: Fraction
    product: Fraction

    @property
    def value(self) -> float:
        """Return the coefficient; 0 where one side never varies."""
        if not self.product:
            return 0.0
        return math.copysign(math.sqrt(self.covariance**2 / self.product), self.covariance)

    def below(self, limit: Fraction) -> bool:
        """Tell exactly whether the coefficient is below a limit, without taking a root."""
        signed = abs(self.covariance) * self.covariance
        return signed < abs(limit) * limit * self.product if self.product else limit > 0


def correlations(
    pool: CodedVotes, codes: Codes, names: tuple[Fraction, ...], sizes: Codes
) -> dict[int, Correlation]:
    """Correlate everybody with the mean of the others; `sizes` are the votes on each item.

    Somebody against whom the others never vary has no correlation.
    """
    # Python's integers have no limit: scores and means of others are multiplied to whole numbers
    scale = math.lcm(1, *(value.denominator for value in names))
    scores = np.array([int(value * scale) for value in names] or [0], object)[codes]
    total = np.zeros(len(sizes), object)
    np.add.at(total, pool.item, scores)
    use = (sizes[pool.item] > 1) & (pool.annotator != NONE)
    who, own, item = pool.annotator[use], scores[use], pool.item[use]
    others = (sizes[item] - 1).astype(object)
    rest = (total[item] - own) * (math.lcm(1, *np.unique(others).tolist()) // others)
    sums = np.zeros((6, len(pool.names.annotators)), object)
    parts = (np.ones_like(own), own, own * own, rest, rest * rest, own * rest)
    for into, part in zip(sums, parts, strict=True):
        np.add.at(into, who, part)
    n, x, xx, y, yy, xy = sums
    covariance, ours, theirs = n * xy - x * y, n * xx - x * x, n * yy - y * y
    return {
        person: Correlation(covariance[person], ours[person] * theirs[person])
        for person in np.flatnonzero(theirs).tolist()
    }


def alphas(
    pool: CodedVotes, codes: Codes, names: tuple[Any, ...], level: str
) -> dict[int, Fraction]:
    """Return everybody's alpha over the pairs of their vote and another's."""
    k = len(names)
    counts = np.zeros((len(pool.names.items), k), np.int64)
    np.add.at(counts, (pool.item, codes), 1)
    everybody: dict[int, Fraction] = {}
    for who in np.unique(pool.annotator[pool.annotator != NONE]).tolist():
        mine = pool.annotator == who
        pairs = np.zeros((k, k), np.int64)
        np.add.at(pairs, codes[mine], counts[pool.item[mine]])
        pairs[np.diag_indices(k)] -= np.bincount(codes[mine], minlength=k)
        alpha = _alpha(pairs + pairs.T, names, level)
        if alpha is not None:
            everybody[who] = alpha
    return everybody


def _alpha(coincidences: Codes, names: tuple[Any, ...], level: str) -> Fraction | None:
    """Return 1 - observed / expected disagreement (Krippendorff 2011); None where there is none.

    `coincidences` is symmetric, (values, values), and holds every pair both ways.
    """
    margins = coincidences.sum(axis=1).tolist()
    n = sum(margins)
    distance = _distance(level, names, margins)
    observed, expected = Fraction(), Fraction()
    for i, row in enumerate(coincidences.tolist()):
        for j in range(i):
            if margins[i] and margins[j]:
                apart = distance(i, j)
                observed += row[j] * apart
                expected += margins[i] * margins[j] * apart
    return 1 - (n - 1) * observed / expected if expected else None


def _distance(level: str, names: tuple[Any, ...], margins: list[int]) -> Distance:
    if level == "nominal":
        return lambda _i, _j: Fraction(1)
    if level == "ordinal":
        return lambda i, j: (sum(margins[j : i + 1]) - Fraction(margins[i] + margins[j], 2)) ** 2
    if level == "ratio":
        return lambda i, j: ((names[i] - names[j]) / (names[i] + names[j])) ** 2
    return lambda i, j: (names[i] - names[j]) ** 2


@dataclass(frozen=True)
class Judged:
    """One person against the others: `items` that both answered, and the two coefficients.

    A coefficient is None where it is not defined, or where the spec sets no threshold for it.
    `reason` says why the person is excluded, or why they could not be judged.
    """

    annotator: str
    items: int
    pearson: float | None
    alpha: float | None
    excluded: bool
    reason: str | None


def judge(pool: CodedVotes, task: Task, spec: TaskSpec) -> list[Judged]:
    """Judge everybody who gave one of these votes, by id; empty if the spec has no threshold.

    Each person has at most one vote an item. Anonymous votes are among the others, but nobody's.
    Raises SpecError for a level of measurement that the answers do not have.
    """
    rule = spec.exclusion
    if rule.pearson_below is None and rule.alpha_below is None:
        return []
    if rule.alpha_below is not None and rule.level != "nominal" and task.kind != "number":
        raise SpecError(
            f"task {task.id}: exclusion.level is {rule.level}, but its answers are categories;"
            " allowed: nominal"
        )
    codes, names = values(pool, task)
    sizes = np.bincount(pool.item, minlength=len(pool.names.items))
    scores = task.kind == "number" and rule.pearson_below is not None
    pearson = correlations(pool, codes, names, sizes) if scores else {}
    alpha = alphas(pool, codes, names, rule.level) if rule.alpha_below is not None else {}
    people = pool.names.annotators
    shared = pool.annotator[(sizes[pool.item] > 1) & (pool.annotator != NONE)]
    items = np.bincount(shared, minlength=len(people)).tolist()
    judged = []
    for who in np.unique(pool.annotator[pool.annotator != NONE]).tolist():
        own_pearson, own_alpha = pearson.get(who), alpha.get(who)
        faults: list[str] = []
        reason = (
            f"not judged: {items[who]} items shared with others, {rule.minimum_items} are needed"
        )
        if items[who] >= rule.minimum_items:
            faults = _faults(own_pearson, own_alpha, rule)
            reason = "; ".join(faults)
        judged.append(
            Judged(
                annotator=people[who],
                items=items[who],
                pearson=round(own_pearson.value, 6) if own_pearson else None,
                alpha=round(float(own_alpha), 6) if own_alpha is not None else None,
                excluded=bool(faults),
                reason=reason or None,
            )
        )
    return judged


def exclusion_notes(votes: CodedVotes, excluded: Mapping[str, Judged]) -> list[Note]:
    """Return a note on every vote of an excluded annotator."""
    notes = []
    for item, code in zip(votes.item.tolist(), votes.annotator.tolist(), strict=True):
        name = votes.names.annotators[code]
        reason = f"annotator {name} is excluded: {excluded[name].reason}"
        notes.append(Note(votes.names.items[item], "vote.excluded@1", reason))
    return notes


def _faults(pearson: Correlation | None, alpha: Fraction | None, rule: Exclusion) -> list[str]:
    # each threshold that somebody misses, in words
    faults: list[str] = []
    limit, least = rule.pearson_below, rule.alpha_below
    if pearson is not None and limit is not None and pearson.below(exact(limit)):
        faults.append(f"Pearson's correlation {_below(pearson.value, limit)}")
    if alpha is not None and least is not None and alpha < exact(least):
        faults.append(f"alpha {_below(float(alpha), least)}")
    return faults


def _below(value: float, limit: float) -> str:
    """Write that a value is below a limit, with four digits or as many as it takes to see it."""
    texts = (f"{value:.{digits}f}" for digits in range(4, 16))
    text = next((text for text in texts if float(text) < limit), f"{value:.15f}")
    return f"{text} is below {limit}"
