"""Krippendorff's alpha for any number of annotators, missing votes and four levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from pipeline.agreement.coefficients.distances import (
    MOST_VALUES,
    Distance,
    custom,
    level_distance,
    numbers,
)
from pipeline.agreement.coefficients.estimates import (
    NO_PAIR,
    NO_VOTE,
    ONE_VALUE,
    ZERO_DISTANCE,
    Estimate,
    analytic,
    no_estimate,
    resample,
    trim,
    with_interval,
)
from pipeline.agreement.votes.ratings import Patterns, Ratings, Real, quotient
from pipeline.contracts.spec import Level

LEVELS: tuple[Level, ...] = get_args(Level)


def krippendorff_alpha(
    votes: Ratings,
    *,
    level: Level = "nominal",
    distance: Callable[[Any, Any], float] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Estimate:
    """Return alpha: 1 minus the observed over the expected disagreement.

    Only items with at least two votes count. Votes may be missing and may be anonymous. `distance`
    takes two values and stands in for the level: 0 for equal, symmetric (it is used as it is, not
    squared). The ordinal level takes the order of `votes.values`, interval and ratio need numbers,
    ratio numbers of at least 0.

    With `bootstrap` the interval holds the 2.5th to the 97.5th percentile of alpha over so many
    resamples of the items with two votes, as many as there are; alpha is computed anew in each,
    mid-ranks of the ordinal level included. Resamples in which all votes name one category have no
    alpha; they are left out, and `reason` counts them. Without `bootstrap` the interval is Gwet's
    analytic one, and there is none for the ordinal level. Results are the same for any order of the
    votes and any number of threads, up to the last digits of a float; intervals are rounded to 1e-9
    so that these do not show.

    The value is null, with the reason, where no item has two votes, all pairable votes name one
    category, or the values do not fit the level. Raises ValueError for an unknown level, a negative
    `bootstrap` or an impossible distance.

    Source: K. Krippendorff, Content Analysis, 2nd ed., 2004, chapter 11, and Computing
    Krippendorff's Alpha-Reliability, 2011; interval: K. L. Gwet, Handbook of Inter-Rater
    Reliability, 4th ed., 2014, chapter 5, by linearisation over items.
    """
    if distance is None:
        return alphas(votes, (level,), bootstrap=bootstrap, seed=seed)[level]
    if len(votes.values) > MOST_VALUES:
        reason = f"{len(votes.values)} different values; at most {MOST_VALUES} can be compared"
        return no_estimate(f"{reason} with a distance of one's own", _items(votes))
    alpha = _Alpha(votes.patterns.pairable, custom(votes.values, distance))
    return _estimates({level: alpha}, bootstrap, seed)[level]


def alphas(
    votes: Ratings, levels: Sequence[Level], *, bootstrap: int = 0, seed: int = 0
) -> dict[Level, Estimate]:
    """Return alpha at several levels, from the same resamples; see `krippendorff_alpha`."""
    reasons = {level: _misfit(votes, level) for level in levels}
    fitting = {
        level: _Alpha(votes.patterns.pairable, level_distance(level, votes.values))
        for level, reason in reasons.items()
        if reason is None
    }
    values = _estimates(fitting, bootstrap, seed)
    return {
        level: values[level] if reason is None else no_estimate(reason, _items(votes))
        for level, reason in reasons.items()
    }


def _misfit(votes: Ratings, level: Level) -> str | None:
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: allowed are {', '.join(LEVELS)}")
    if level in ("nominal", "ordinal"):
        return None
    scale = numbers(votes.values)
    if scale is None:
        return f"the values are not numbers: the {level} level needs numbers"
    if level == "ratio" and scale.min(initial=0) < 0:
        return "some values are below 0: the ratio level needs numbers of at least 0"
    return None


def _items(votes: Ratings) -> int:
    return int(votes.patterns.pairable.units.sum())


def _estimates(alphas: dict[Level, _Alpha], bootstrap: int, seed: int) -> dict[Level, Estimate]:
    if bootstrap < 0:
        raise ValueError(f"bootstrap is a number of resamples of at least 0, not {bootstrap}")
    values = {level: alpha.estimate() for level, alpha in alphas.items()}
    samples: dict[Level, list[Real]] = {
        level: [] for level, value in values.items() if value.value is not None
    }
    if not bootstrap or not samples:
        return values
    units = next(iter(alphas.values())).units
    blocks = resample(
        units.units, bootstrap, seed=seed, purpose="krippendorff_alpha", width=units.categories
    )
    for sample in blocks:
        for level, parts in samples.items():
            parts.append(alphas[level](sample))
    return values | {
        level: with_interval(values[level], np.concatenate(parts))
        for level, parts in samples.items()
    }


@dataclass(frozen=True, eq=False)
class _Alpha:
    """Alpha as a function of how often each pattern was drawn; no distance means ordinal.

    With n pairable votes, A the sum over items of the distances of their ordered pairs of votes
    divided by the item's votes less one, and B the sum of the distances of all ordered pairs of
    votes, alpha is 1 - (n - 1) A / B. Every level needs sums over patterns alone.
    """

    units: Patterns
    distance: Distance | None

    def __call__(self, samples: Real) -> Real:
        """Return alpha of each column of (patterns, samples); NaN where it has none."""
        counts = self.units.table.T @ samples
        votes = counts.sum(axis=0)
        if self.distance is None:
            apart, expected = self._of_ranks(samples, counts, votes)
        else:
            apart = (self._row @ samples)[0]
            expected = (counts * self.distance.against(counts)).sum(axis=0)
        able = ((counts > 0).sum(axis=0) > 1) & (expected > 0)
        share = quotient(apart, np.where(able, expected, 0.0))
        return np.asarray(1 - (votes - 1) * share, np.float64)

    def _of_ranks(self, samples: Real, counts: Real, votes: Real) -> tuple[Real, Real]:
        # A and B of the squared difference of mid-ranks, which is the ordinal distance. Ranks are
        # doubled and centred: whole numbers, so that sums of squares stay exact.
        ranks = 2 * np.cumsum(counts, axis=0) - counts - votes
        first, second = self.units.table @ ranks, self.units.table @ np.square(ranks)
        many = self.units.votes[:, None]
        apart = 2 * (samples * (many * second - np.square(first)) / (many - 1)).sum(axis=0)
        mean, spread = (counts * ranks).sum(axis=0), (counts * np.square(ranks)).sum(axis=0)
        return apart, 2 * (votes * spread - np.square(mean))

    @cached_property
    def _row(self) -> Any:
        # what each pattern adds to A as a sparse row: its product has one order of sums
        from scipy.sparse import csr_array

        assert self.distance is not None
        return csr_array((self.units.apart(self.distance.between) / (self.units.votes - 1))[None])

    def estimate(self) -> Estimate:
        """Return alpha of the units as they are, with the analytic interval where there is one."""
        number = int(self.units.units.sum())
        if not number:
            return no_estimate(NO_PAIR if len(self.units.of_unit) else NO_VOTE)
        if (self.units.totals > 0).sum() < 2:
            return no_estimate(ONE_VALUE, number)
        value = float(self(self.units.units[:, None].astype(np.float64))[0])
        if not np.isfinite(value):
            return no_estimate(ZERO_DISTANCE, number)
        if self.distance is None:
            return Estimate(trim(value), n=number)
        # what a unit of each pattern adds to alpha, times the units, to first order
        totals, disagreement = self.units.totals, self._row.toarray()[0]
        against = self.distance.against(totals)
        votes, apart = totals.sum(), float(disagreement @ self.units.units)
        expected = float((totals * against).sum())
        share = (disagreement * votes + self.units.votes * apart) / expected
        influence = share - 2 * votes * apart * self.units.total(against) / expected**2
        return analytic(value, -influence * number, self.units.units, table=self.units.twice)
