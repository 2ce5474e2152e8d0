"""A coefficient as it is reported: its value and interval, or the reason why it has none."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any


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
