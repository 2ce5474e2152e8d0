"""Votes as three parallel arrays: which unit, which rater, which value."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
#: The rater code of an anonymous vote.
ANONYMOUS = -1


@dataclass(frozen=True)
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
    nobody chose (they count for Brennan-Prediger, Bennett's S, AC1 and AC2). Raises ValueError for
    sequences of different length, and for a value outside the categories.
    """
    if not len(units) == len(raters) == len(values):
        raise ValueError(f"{len(units)} units, {len(raters)} raters, {len(values)} values")
    order = sorted(set(values)) if categories is None else list(categories)
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


def from_matrix(rows: Sequence[Sequence[Any]], **options: Any) -> Ratings:
    """Code a matrix, one row a rater and one column a unit; None is a missing vote."""
    found = [
        (str(unit), str(rater), value)
        for unit in range(len(rows[0]) if rows else 0)
        for rater, row in enumerate(rows)
        if (value := row[unit]) is not None
    ]
    columns = list(zip(*found, strict=True)) or [(), (), ()]
    return ratings(columns[0], columns[1], columns[2], **options)
