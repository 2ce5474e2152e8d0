"""A coefficient as it is reported: its value and interval, or the reason why it has none."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: Digits of a reported interval, so that the order in which a sum was taken does not show.
DIGITS = 9

#: Why a coefficient has no value.
NO_VOTE = "there is no vote"
NO_PAIR = "no item has two votes"
ONE_VALUE = "all votes name one category: chance agreement cannot be estimated"
ONE_CATEGORY = "only one category is known: give all categories that could be chosen"
NOT_FINITE = "the numbers are too large or too small to compute with: change their scale"
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


def undefined(reason: str, n: int = 0) -> Estimate:
    """Return an estimate that has no value, and why in words."""
    return Estimate(None, reason=reason, n=n)


def rounded(number: float) -> float:
    """Return an end of an interval as it is reported, never -0.0."""
    return round(float(number), DIGITS) + 0.0


def trimmed(value: float) -> float:
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
    freedom less than there are units, then cut to `floor` and 1; one unit alone has none. The
    variance of n units divides by n (n - 1); with `table`, which says that every unit has two
    votes, by n n, as the published formulas for a table of two raters do.

    Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapters 5 and 6.
    """
    times = np.ones(len(influence), np.int64) if units is None else units
    number = int(times.sum())
    if not math.isfinite(value):
        return undefined(NOT_FINITE, number)
    if number < 2:
        return Estimate(trimmed(value), reason="one item alone gives no interval", n=number)
    from scipy.special import stdtrit

    by = number * (number if table else number - 1)
    error = math.sqrt(float((times * np.square(influence)).sum()) / by)
    half = float(stdtrit(number - 1, 0.975)) * error
    if not math.isfinite(half):
        return undefined(NOT_FINITE, number)
    low, high = max(floor, value - half), min(1.0, value + half)
    return Estimate(trimmed(value), rounded(low), rounded(high), n=number)
