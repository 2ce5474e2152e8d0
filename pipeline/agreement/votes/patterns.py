"""Units that received the same values, counted once: what almost every coefficient rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]

#: Row codes are packed into one integer as long as they stay below this.
_ROOM = 1 << 62


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct ways in which units were rated, whoever rated them.

    A pattern is a multiset of values, in the order of its number of votes, then of its values, so
    that it never depends on the order of rows. `units` (patterns,) counts the units that show it,
    `votes` (patterns,) its votes. Its cells, one for each distinct value, lie in three parallel
    arrays: `owner` (the pattern), `value` (a code, rising within the pattern), `count`. `of_unit`
    (units,) is the pattern of each unit, -1 for a unit without a vote; `categories` is the number
    of value codes.
    """

    units: Whole
    votes: Whole
    owner: Whole
    value: Whole
    count: Whole
    of_unit: Whole
    categories: int

    def __len__(self) -> int:
        """Return the number of patterns."""
        return len(self.units)

    @cached_property
    def pairable(self) -> Patterns:
        """Return the patterns of at least two votes; the other units count as without a vote."""
        single = int(np.searchsorted(self.votes, 2))
        cell = int(np.searchsorted(self.owner, single))
        return Patterns(
            self.units[single:],
            self.votes[single:],
            self.owner[cell:] - single,
            self.value[cell:],
            self.count[cell:],
            np.maximum(self.of_unit - single, -1),
            self.categories,
        )

    @property
    def twice(self) -> bool:
        """Tell whether every unit with a vote has exactly two."""
        return bool((self.votes == 2).all())

    @cached_property
    def table(self) -> Any:
        """Return the counts as a sparse matrix (patterns, categories), scipy CSR, float64."""
        from scipy.sparse import csr_array

        start = np.searchsorted(self.owner, np.arange(len(self) + 1))
        shape = (len(self), self.categories)
        return csr_array((self.count.astype(np.float64), self.value, start), shape=shape)

    @cached_property
    def totals(self) -> Real:
        """Return how often each category was given, (categories,)."""
        weights = (self.count * self.units[self.owner]).astype(np.float64)
        return np.asarray(np.bincount(self.value, weights, self.categories), np.float64)

    def total(self, each: Real) -> Real:
        """Return, for each pattern, the sum over its votes of a number each value has."""
        return self.sums(each[self.value] * self.count)

    def sums(self, cells: Real) -> Real:
        """Return, for each pattern, the sum of a number each cell has."""
        return np.asarray(np.bincount(self.owner, cells, len(self)), np.float64)

    def apart(self, between: Callable[[Whole, Whole], Real]) -> Real:
        """Return, for each pattern, the distances of all ordered pairs of its votes, summed.

        `between` gives the distances of two arrays of value codes, 0 for equal values. Cells are
        paired by their lag, so that memory stays in proportion to the cells.
        """
        found = np.zeros(len(self))
        longest = int(np.bincount(self.owner).max()) if len(self) else 0
        for lag in range(1, longest):
            left = np.flatnonzero(self.owner[lag:] == self.owner[:-lag])
            right = left + lag
            times = 2.0 * self.count[left] * self.count[right]
            far = times * between(self.value[left], self.value[right])
            found += np.bincount(self.owner[left], far, len(self))
        return found


def patterns(
    unit: npt.NDArray[Any], value: npt.NDArray[Any], *, units: int, categories: int
) -> Patterns:
    """Group the units by the values they received.

    `unit` and `value` are parallel arrays of codes, one entry a vote, in any order, below `units`
    and `categories`.
    """
    size = max(categories, 1)
    keys = np.sort(unit.astype(np.int64) * size + value)
    owner, ordered = np.divmod(keys, size)
    votes = np.bincount(owner, minlength=units)
    first = np.cumsum(votes) - votes
    of_unit = np.full(units, -1, np.int64)
    parts: list[tuple[Whole, Whole]] = []
    done = 0
    for many in np.unique(votes[votes > 0]):
        members = np.flatnonzero(votes == many)
        rows = ordered[first[members][:, None] + np.arange(many)]
        _, example, of, times = np.unique(
            _codes(rows, size), return_index=True, return_inverse=True, return_counts=True
        )
        of_unit[members] = done + of
        done += len(times)
        parts.append((rows[example], times))
    return _assembled(parts, of_unit, categories)


def _codes(rows: Whole, size: int) -> Whole:
    """Return one integer a row; equal for equal rows, in the order of the rows."""
    code, room = rows[:, 0], size
    for column in rows.T[1:]:
        if room > _ROOM // size:
            distinct, code = np.unique(code, return_inverse=True)
            room = len(distinct)
        code, room = code * size + column, room * size
    return code


def _assembled(parts: list[tuple[Whole, Whole]], of_unit: Whole, categories: int) -> Patterns:
    none = np.zeros(0, np.int64)
    units = np.concatenate([none, *(times for _, times in parts)])
    votes = np.concatenate([none, *(np.full(len(rows), rows.shape[1]) for rows, _ in parts)])
    owner = np.repeat(np.arange(len(units)), votes)
    value = np.concatenate([none, *(rows.ravel() for rows, _ in parts)])
    new = np.ones(len(value), np.bool_)
    new[1:] = (owner[1:] != owner[:-1]) | (value[1:] != value[:-1])
    count = np.diff(np.append(np.flatnonzero(new), len(value)))
    return Patterns(units, votes, owner[new], value[new], count, of_unit, categories)
