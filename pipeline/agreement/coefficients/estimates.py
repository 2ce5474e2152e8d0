"""A coefficient as it is reported: its value with an interval, or the reason why it has none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.ratings import Real, Whole, quotient
from pipeline.core.wording import count, verb

#: Digits of a reported interval, so that the order in which a sum was taken does not show.
DIGITS = 9

#: Why a coefficient has no value.
NO_VOTE = "there is no vote"
NO_PAIR = "no item has two votes"
ONE_VALUE = "all votes name one category: chance agreement cannot be estimated"
ONE_CATEGORY = "only one category is known: give all categories that could be chosen"
NOT_FINITE = "the numbers are too large or too small to compute with: change their scale"
ONE_ITEM = "one item alone gives no interval"
ZERO_DISTANCE = "the values that occur have no distance: chance agreement cannot be estimated"


@dataclass(frozen=True)
class Estimate:
    """A coefficient, its 95 % interval where one was asked for, and in words why something is null.

    `n` counts what it was computed on (units with at least two votes). No field is ever NaN.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    n: int = 0

    def __post_init__(self) -> None:
        """Hold the promise: never NaN, never a null value without its reason."""
        for number in (self.value, self.low, self.high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{self} has a number that is not finite")
        if self.value is None and not self.reason:
            raise ValueError("an estimate without a value needs a reason")

    def record(self) -> dict[str, Any]:
        """Return it as plain data; `reason` only where there is one."""
        return {key: v for key, v in asdict(self).items() if key != "reason" or v is not None}


def no_estimate(reason: str, n: int = 0) -> Estimate:
    """Return an estimate that has no value, and why in words."""
    return Estimate(None, reason=reason, n=n)


def round_end(number: float) -> float:
    """Return an end of an interval as it is reported, never -0.0."""
    return round(float(number), DIGITS) + 0.0


def trim(value: float) -> float:
    """Return a value without the last digits of a float, in which only the order of sums shows."""
    return round(float(value), 12) + 0.0


def analytic(
    value: float,
    influence: npt.NDArray[np.float64],
    units: npt.NDArray[np.int64] | None = None,
    *,
    floor: float = -1.0,
    table: bool = False,
) -> Estimate:
    """Return a coefficient with the 95 % interval of its linearised variance.

    `influence` (rows,) is what a unit of each row adds to the coefficient, to first order, times
    the number of units; its mean over the units is 0. `units` (rows,) says how many units each row
    stands for, one where it is None. The interval is symmetric by Student's t with one degree of
    freedom less than there are units, then cut to 1 and, if the value is not below it, to `floor`;
    one unit alone has none. The variance of n units divides by n (n - 1); with `table`, which says
    that every unit has two votes, by n n, as the published formulas for a table of two raters do.

    Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapters 5 and 6.
    """
    times = np.ones(len(influence), np.int64) if units is None else units
    number = int(times.sum())
    if not math.isfinite(value):
        return no_estimate(NOT_FINITE, number)
    if number < 2:
        return Estimate(trim(value), reason=ONE_ITEM, n=number)
    from scipy.special import stdtrit

    squares = float((times * np.square(influence)).sum())
    error = math.sqrt(squares / (number * (number if table else number - 1)))
    half = float(stdtrit(number - 1, 0.975)) * error
    if not math.isfinite(half):
        return no_estimate(NOT_FINITE, number)
    low, high = value - half, min(1.0, value + half)
    if trim(value) >= floor:  # below it is where most items have one vote, which moves chance
        low = max(floor, low)
    return Estimate(trim(value), round_end(low), round_end(high), n=number)


#: Numbers in a block of resamples: 8 MiB of float64.
_BLOCK = 1 << 20
#: Drawing the number of units of a pattern costs about as much as drawing so many single units.
_COST = 10


def generator(seed: int, purpose: str) -> np.random.Generator:
    """Return a generator that depends on seed and purpose alone (a keyed digest)."""
    digest = blake2b(f"{seed}\x1f{purpose}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def resample(
    units: Whole, resamples: int, *, seed: int, purpose: str, width: int = 1
) -> Iterator[Real]:
    """Draw as many units as there are, with replacement, `resamples` times.

    `units` says how many units each pattern stands for. Yields blocks of how often each pattern was
    drawn, (patterns, resamples of the block), float64, of bounded size; blocks are smaller where
    the caller makes arrays of (width, resamples) of them. Where few patterns stand for many units,
    the numbers are drawn from the multinomial distribution at once; otherwise unit by unit. Both
    depend on the patterns alone, so the order of rows, blocks, threads and workers never changes
    them.
    """
    height = max(1, min(resamples, _BLOCK // max(len(units), width, 1)))
    number, chance = int(units.sum()), generator(seed, purpose)
    pattern = np.repeat(np.arange(len(units)), units)
    for begin in range(0, resamples, height):
        rows = min(height, resamples - begin)
        if len(units) * _COST <= number:
            samples = chance.multinomial(number, units / number, size=rows).astype(np.float64)
        else:
            samples = np.empty((rows, len(units)))
            for row in samples:
                picks = chance.integers(0, number, number)
                row[:] = np.bincount(pattern[picks], minlength=len(units))
        yield np.ascontiguousarray(samples.T)


def ratio_estimates(
    agree: Any,
    total: Any,
    units: Whole,
    n: Sequence[int],
    nothing: str,
    *,
    bootstrap: int,
    seed: int,
    purpose: str,
) -> list[Estimate]:
    """Return, for every measure, the sum of what agrees over the sum of what it is out of.

    `agree` and `total` (units, measures), sparse or not, are those of one unit of each row, `units`
    how many a row stands for, `n` on how many a measure was computed, and `nothing` the reason
    where there is nothing to agree on. Resamples of the units are the same for all measures.
    """
    weight = units.astype(np.float64)
    estimates = [
        no_estimate(nothing, count) if math.isnan(value) else Estimate(float(value), n=count)
        for value, count in zip(quotient(agree.T @ weight, total.T @ weight), n, strict=True)
    ]
    if not bootstrap or not len(units):
        return estimates
    width = agree.shape[1]
    blocks = resample(units, bootstrap, seed=seed, purpose=purpose, width=width)
    samples = np.concatenate([quotient(agree.T @ d, total.T @ d) for d in blocks], axis=1)
    return [
        estimate if estimate.value is None else with_interval(estimate, samples[row])
        for row, estimate in enumerate(estimates)
    ]


def with_interval(estimate: Estimate, samples: Real) -> Estimate:
    """Return the estimate with the 2.5th and 97.5th percentile of its resamples.

    Resamples that have no value (NaN) are left out, and counted in `reason`. Percentiles are
    interpolated linearly. Where nothing is left, or there is one item alone, there is no interval.
    """
    if estimate.n == 1:
        return replace(estimate, low=None, high=None, reason=ONE_ITEM)
    finite = samples[np.isfinite(samples)]
    lost = len(samples) - len(finite)
    have = verb(lost, "has no value and was", "have no value and were")
    reason = f"{lost} of {count(len(samples), 'resample')} {have} left out" if lost else None
    if not len(finite):
        return replace(estimate, low=None, high=None, reason=reason)
    low, high = np.percentile(finite, [2.5, 97.5])
    return replace(estimate, low=round_end(low), high=round_end(high), reason=reason)
