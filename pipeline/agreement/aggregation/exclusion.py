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

from pipeline.agreement.aggregation.eligible_votes import NONE, CodedVotes, Codes, run_starts
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
        return float(self.covariance) / math.sqrt(self.product) if self.product else 0.0

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
    scale = math.lcm(1, *(value.denominator for value in names))
    scores = np.array([int(value * scale) for value in names] or [0], np.int64)[codes]
    total = np.zeros(len(sizes), np.int64)
    np.add.at(total, pool.item, scores)
    use = (sizes[pool.item] > 1) & (pool.annotator != NONE)
    own, others = scores[use], sizes[pool.item][use] - 1
    sums = _sums(pool.annotator[use], others, own, total[pool.item][use] - own)
    found = {who: _correlation(*parts) for who, parts in sums.items()}
    return {who: value for who, value in found.items() if value is not None}


def _sums(who: Codes, others: Codes, own: Codes, rest: Codes) -> dict[int, list[Fraction]]:
    """Return n, x, x squared, y, y squared and x y of everybody; y is the mean of the others.

    Votes are added up as integers within each group of one person and one number of others, whose
    sum is `rest`; only the sums of groups become fractions.
    """
    order = np.lexsort((others, who))
    who, others, own, rest = who[order], others[order], own[order], rest[order]
    starts = run_starts(np.stack([who, others]))
    if not len(starts):
        return {}
    products = (np.ones_like(own), own, own * own, rest, rest * rest, own * rest)
    parts = [np.add.reduceat(product, starts).tolist() for product in products]
    sums: dict[int, list[Fraction]] = {}
    for start, n, x, xx, y, yy, xy in zip(starts.tolist(), *parts, strict=True):
        d = int(others[start])
        more = (n, x, xx, Fraction(y, d), Fraction(yy, d * d), Fraction(xy, d))
        old = sums.setdefault(int(who[start]), [Fraction()] * 6)
        sums[int(who[start])] = [a + b for a, b in zip(old, more, strict=True)]
    return sums


def _correlation(
    n: Fraction, x: Fraction, xx: Fraction, y: Fraction, yy: Fraction, xy: Fraction
) -> Correlation | None:
    ours, theirs = n * xx - x * x, n * yy - y * y
    return Correlation(n * xy - x * y, ours * theirs) if theirs else None


def alphas(
    pool: CodedVotes, codes: Codes, names: tuple[Any, ...], level: str
) -> dict[int, Fraction]:
    """Return everybody's alpha over the pairs of their vote and another's."""
    k = len(names)
    counts = np.zeros((len(pool.names.items), k), np.int64)
    np.add.at(counts, (pool.item, codes), 1)
    found: dict[int, Fraction] = {}
    for who in np.unique(pool.annotator).tolist():
        mine = pool.annotator == who
        if who == NONE:
            continue
        pairs = np.zeros((k, k), np.int64)
        np.add.at(pairs, codes[mine], counts[pool.item[mine]])
        pairs[np.diag_indices(k)] -= np.bincount(codes[mine], minlength=k)
        alpha = _alpha(pairs + pairs.T, names, level)
        if alpha is not None:
            found[who] = alpha
    return found


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
    """Return the squared distance of two values on a level of measurement, by their places."""
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
    return [
        _judged(people[who], items[who], pearson.get(who), alpha.get(who), rule)
        for who in np.unique(pool.annotator).tolist()
        if who != NONE
    ]


def exclusion_notes(votes: CodedVotes, excluded: Mapping[str, Judged]) -> list[Note]:
    """Return a note on every vote of an excluded annotator."""
    notes = []
    for item, code in zip(votes.item.tolist(), votes.annotator.tolist(), strict=True):
        name = votes.names.annotators[code]
        reason = f"annotator {name} is excluded: {excluded[name].reason}"
        notes.append(Note(votes.names.items[item], "vote.excluded@1", reason))
    return notes


def _judged(
    name: str, items: int, pearson: Correlation | None, alpha: Fraction | None, rule: Exclusion
) -> Judged:
    enough = items >= rule.minimum_items
    faults = _faults(pearson, alpha, rule) if enough else []
    few = f"not judged: {items} items shared with others, {rule.minimum_items} are needed"
    return Judged(
        annotator=name,
        items=items,
        pearson=round(pearson.value, 6) if pearson else None,
        alpha=round(float(alpha), 6) if alpha is not None else None,
        excluded=bool(faults),
        reason=("; ".join(faults) or None) if enough else few,
    )


def _faults(pearson: Correlation | None, alpha: Fraction | None, rule: Exclusion) -> list[str]:
    """Return in words each threshold that somebody misses."""
    found: list[str] = []
    limit, least = rule.pearson_below, rule.alpha_below
    if pearson is not None and limit is not None and pearson.below(exact(limit)):
        found.append(f"Pearson's correlation {_below(pearson.value, limit)}")
    if alpha is not None and least is not None and alpha < exact(least):
        found.append(f"alpha {_below(float(alpha), least)}")
    return found


def _below(value: float, limit: float) -> str:
    """Write that a value is below a limit, with four digits or as many as it takes to see it."""
    texts = (f"{value:.{digits}f}" for digits in range(4, 16))
    text = next((text for text in texts if float(text) < limit), f"{value:.15f}")
    return f"{text} is below {limit}"
