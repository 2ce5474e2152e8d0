"""Votes as three parallel arrays: which unit, which rater, which value."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from sys import float_info
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.agreement.votes.patterns import Patterns, patterns

Codes = npt.NDArray[np.int32]
#: The rater code of an anonymous vote.
ANONYMOUS = -1


@dataclass(frozen=True, eq=False)
class Ratings:
    """Atomic votes: one value each.

    `unit`, `rater` and `value` are parallel arrays of codes, (votes,), int32, sorted by unit and
    then in the order given; `rater` is -1 for an anonymous vote. `units`, `raters` and `values`
    name the codes. Values are sorted (numbers by size, texts by code point) unless the caller gives
    their order; on a scale they are numbers. A rater has at most one vote a unit.
    """

    unit: Codes
    rater: Codes
    value: Codes
    units: tuple[str, ...]
    raters: tuple[str, ...]
    values: tuple[Any, ...]

    def __len__(self) -> int:
        """Return the number of votes."""
        return len(self.unit)

    @cached_property
    def patterns(self) -> Patterns:
        """Return the units grouped by the values they received; made once."""
        return patterns(self.unit, self.value, units=len(self.units), categories=len(self.values))

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        """Return the value of every vote as a number; raises TypeError or ValueError for texts."""
        return np.asarray(self.values, dtype=np.float64)[self.value]

    def only(self, keep: npt.NDArray[np.bool_]) -> Ratings:
        """Return the votes where `keep` is true, with all codes and names as they were."""
        return Ratings(
            self.unit[keep],
            self.rater[keep],
            self.value[keep],
            self.units,
            self.raters,
            self.values,
        )


def ratings(
    units: Sequence[Hashable],
    raters: Sequence[Hashable | None],
    values: Sequence[Any],
    *,
    categories: Sequence[Any] | None = None,
) -> Ratings:
    """Code votes given as three parallel sequences.

    A rater of None is anonymous. `categories` lists all values in the order to use, with those that
    nobody chose (they count for Brennan-Prediger, Bennett's S, AC1 and AC2); without it values that
    are sets are sorted by their members. Raises ValueError for sequences of different length, for
    values of several kinds, NaN, infinite or beyond a float, and for one outside the categories.
    """
    if not len(units) == len(raters) == len(values):
        raise ValueError(f"{len(units)} units, {len(raters)} raters, {len(values)} values")
    _check_finite({*values, *(categories or ())})
    order = _ordered(set(values)) if categories is None else list(categories)
    unit_of = {name: i for i, name in enumerate(dict.fromkeys(units))}
    rater_of = {
        name: i for i, name in enumerate(sorted({r for r in raters if r is not None}, key=str))
    }
    value_of = {name: i for i, name in enumerate(order)}
    strange = next((v for v in values if v not in value_of), None)
    if strange is not None:
        raise ValueError(f"value {strange!r} is not among the categories {order}")
    unit = np.fromiter((unit_of[u] for u in units), np.int32, len(units))
    rater = np.fromiter(
        (ANONYMOUS if r is None else rater_of[r] for r in raters), np.int32, len(units)
    )
    value = np.fromiter((value_of[v] for v in values), np.int32, len(units))
    by_unit = np.argsort(unit, kind="stable")
    return Ratings(
        unit[by_unit],
        rater[by_unit],
        value[by_unit],
        tuple(str(name) for name in unit_of),
        tuple(str(name) for name in rater_of),
        tuple(order),
    )


def _check_finite(values: set[Any]) -> None:
    numbers = [value for value in values if isinstance(value, int | float)]
    if not all(abs(value) <= float_info.max for value in numbers):
        reason = (
            "a value is NaN, infinite or beyond a float: leave the vote out where it is missing"
        )
        raise ValueError(reason)


def _ordered(values: set[Any]) -> list[Any]:
    """Return the values in the order of their kind; sets have none, but that of their members."""
    try:
        if any(isinstance(value, Set) for value in values):
            return sorted(values, key=lambda members: sorted(map(str, members)))
        return sorted(values)
    except TypeError as error:
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        reason = f"values of several kinds ({kinds}) have no order: give the categories"
        raise ValueError(reason) from error
