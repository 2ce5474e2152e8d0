"""Krippendorff's alpha for any number of annotators, missing votes and four levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from pipeline.agreement.coefficients.distances import (
    MOST_VALUES,
    Distance,
    Real,
    custom,
    nominal,
    numbers,
    ratio,
    small,
    squared,
)
from pipeline.agreement.coefficients.estimates import (
    NO_PAIR,
    NO_VOTE,
    ONE_VALUE,
    ZERO_DISTANCE,
    Estimate,
    analytic,
    resampled,
    trimmed,
    undefined,
    with_interval,
)
from pipeline.agreement.votes.ratings import Patterns, Ratings

Level = Literal["nominal", "ordinal", "interval", "ratio"]
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
        return undefined(f"{reason} with a distance of one's own", _pairs(votes))
    one = _Alpha(votes.patterns.pairable, custom(votes.values, distance))
    return _estimates({"": one}, bootstrap, seed)[""]


def alphas(
    votes: Ratings, levels: Sequence[Level], *, bootstrap: int = 0, seed: int = 0
) -> dict[Level, Estimate]:
    """Return alpha at several levels, from the same resamples; see `krippendorff_alpha`."""
    made: dict[Level, Estimate] = {}
    able: dict[Level, _Alpha] = {}
    for level in levels:
        found = _distance(votes, level)
        if isinstance(found, str):
            made[level] = undefined(found, _pairs(votes))
        else:
            able[level] = _Alpha(votes.patterns.pairable, found)
    made |= _estimates(able, bootstrap, seed)
    return {level: made[level] for level in levels}


def _distance(votes: Ratings, level: Level) -> Distance | str | None:
    """Return the distance of a level, None for ordinal, or why the values do not fit it."""
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: allowed are {', '.join(LEVELS)}")
    if level == "nominal":
        return nominal()
    if level == "ordinal":
        return None
    scale = numbers(votes.values)
    if scale is None:
        return f"the values are not numbers: the {level} level needs numbers"
    if level == "interval":
        return squared(small(scale))
    if len(scale) and scale.min() < 0:
        return "some values are below 0: the ratio level needs numbers of at least 0"
    return ratio(scale)


def _pairs(votes: Ratings) -> int:
    return int(votes.patterns.pairable.units.sum())


def _estimates(able: dict[Any, _Alpha], bootstrap: int, seed: int) -> dict[Any, Estimate]:
    if bootstrap < 0:
        raise ValueError(f"bootstrap is a number of resamples of at least 0, not {bootstrap}")
    made = {name: one.estimate() for name, one in able.items()}
    asked = {name: able[name] for name, found in made.items() if found.value is not None}
    if not bootstrap or not asked:
        return made
    samples: dict[Any, list[Real]] = {name: [] for name in asked}
    units = next(iter(asked.values())).units
    for drawn in resampled(units, bootstrap, seed=seed, purpose="krippendorff_alpha"):
        for name, one in asked.items():
            samples[name].append(one(drawn))
    return made | {
        name: with_interval(made[name], np.concatenate(parts)) for name, parts in samples.items()
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

    def __call__(self, drawn: Real) -> Real:
        """Return alpha of each column of (patterns, samples); NaN where it has none."""
        given = self.units.table.T @ drawn
        votes = given.sum(axis=0)
        parts = self._fixed if self.distance else self._ranked
        apart, expected = parts(drawn, given)
        able = ((given > 0).sum(axis=0) > 1) & (expected > 0)
        share = np.divide(apart, expected, out=np.full_like(votes, np.nan), where=able)
        found: Real = 1 - (votes - 1) * share
        return found

    def _fixed(self, drawn: Real, given: Real) -> tuple[Real, Real]:
        assert self.distance is not None
        return (self._apart @ drawn)[0], (given * self.distance.against(given)).sum(axis=0)

    def _ranked(self, drawn: Real, given: Real) -> tuple[Real, Real]:
        """Return A and B of the squared difference of mid-ranks, which is the ordinal distance.

        Ranks are doubled and centred: whole numbers, so that sums of squares stay exact.
        """
        votes = given.sum(axis=0)
        ranks = 2 * np.cumsum(given, axis=0) - given - votes
        first, second = self.units.table @ ranks, self.units.table @ np.square(ranks)
        many = self.units.votes[:, None]
        apart = 2 * (drawn * (many * second - np.square(first)) / (many - 1)).sum(axis=0)
        mean, spread = (given * ranks).sum(axis=0), (given * np.square(ranks)).sum(axis=0)
        return apart, 2 * (votes * spread - np.square(mean))

    @cached_property
    def _apart(self) -> Any:
        """Return what each pattern adds to A as a sparse row: its product has one order of sums."""
        from scipy.sparse import csr_array

        return csr_array(self._each[None, :])

    @cached_property
    def _each(self) -> Real:
        assert self.distance is not None
        each: Real = self.units.apart(self.distance.between) / (self.units.votes - 1)
        return each

    def estimate(self) -> Estimate:
        """Return alpha of the units as they are, with the analytic interval where there is one."""
        number = int(self.units.units.sum())
        if not number:
            return undefined(NO_PAIR if len(self.units.of_unit) else NO_VOTE)
        if (self.units.totals > 0).sum() < 2:
            return undefined(ONE_VALUE, number)
        value = float(self(self.units.units[:, None].astype(np.float64))[0])
        if not np.isfinite(value):
            return undefined(ZERO_DISTANCE, number)
        if self.distance is None:
            return Estimate(trimmed(value), n=number)
        each = self._influence(self.distance)
        return analytic(value, each, self.units.units, table=self.units.twice)

    def _influence(self, distance: Distance) -> Real:
        """Return what a unit of each pattern adds to alpha, times the units, to first order."""
        totals, units = self.units.totals, self.units.units
        against = distance.against(totals)
        votes, apart = totals.sum(), float(self._each @ units)
        expected = float((totals * against).sum())
        share = self._each * votes + self.units.votes * apart
        each: Real = share / expected - 2 * votes * apart * self.units.total(against) / expected**2
        return -each * float(units.sum())
