"""One person against all others: Pearson's correlation and Krippendorff's alpha, exactly.

The correlation is that of a person's scores with the mean of the others' scores on the same item.
Alpha is taken over the pairs of a person's vote and another's on an item that both answered, each
pair counting once: the alpha of two raters, this person and "another". Alpha over all votes on the
items of a person would mostly measure the others. With the thresholds of Section 3.2.1 these two
exclude four annotators of KLUE-STS dev taken alone: two by alpha, one by both, and one whose
correlation is 0.7998.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.ballots import NONE, Ballots, Codes
from pipeline.agreement.aggregation.counted import runs

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
    pool: Ballots, codes: Codes, names: tuple[Fraction, ...], sizes: Codes
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
    return {who: one for who, found in sums.items() if (one := _correlation(*found)) is not None}


def _sums(who: Codes, others: Codes, own: Codes, rest: Codes) -> dict[int, list[Fraction]]:
    """Return n, x, x squared, y, y squared and x y of everybody; y is the mean of the others.

    Votes are added up as integers within each group of one person and one number of others, whose
    sum is `rest`; only the sums of groups become fractions.
    """
    order = np.lexsort((others, who))
    who, others, own, rest = who[order], others[order], own[order], rest[order]
    starts = runs(np.stack([who, others]))
    if not len(starts):
        return {}
    products = (np.ones_like(own), own, own * own, rest, rest * rest, own * rest)
    parts = [np.add.reduceat(one, starts).tolist() for one in products]
    found: dict[int, list[Fraction]] = {}
    for start, n, x, xx, y, yy, xy in zip(starts.tolist(), *parts, strict=True):
        d = int(others[start])
        more = (n, x, xx, Fraction(y, d), Fraction(yy, d * d), Fraction(xy, d))
        old = found.setdefault(int(who[start]), [Fraction()] * 6)
        found[int(who[start])] = [a + b for a, b in zip(old, more, strict=True)]
    return found


def _correlation(
    n: Fraction, x: Fraction, xx: Fraction, y: Fraction, yy: Fraction, xy: Fraction
) -> Correlation | None:
    ours, theirs = n * xx - x * x, n * yy - y * y
    return Correlation(n * xy - x * y, ours * theirs) if theirs else None


def alphas(pool: Ballots, codes: Codes, names: tuple[Any, ...], level: str) -> dict[int, Fraction]:
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
