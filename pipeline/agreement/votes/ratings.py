"""Votes as parallel arrays of codes, and units that received the same values, counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]

#: Beyond these sizes pairs of votes, or cells of a table, are not gone through; records say so.
MOST_PAIRS: Final = 20_000_000
MOST_CELLS: Final = 10_000_000
#: Row codes are packed into one integer as long as they stay below this.
_ROOM: Final = 1 << 62


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
        cells = (self.count.astype(np.float64), self.value, start)
        return csr_array(cells, shape=(len(self), self.categories))

    @cached_property
    def totals(self) -> Real:
        """Return how often each category was given, (categories,)."""
        weights = (self.count * self.units[self.owner]).astype(np.float64)
        return np.asarray(np.bincount(self.value, weights, self.categories), np.float64)

    @cached_property
    def leaders(self) -> tuple[Whole, Whole, npt.NDArray[np.bool_]]:
        """Return each pattern's most frequent value (the last of several), its votes, if alone."""
        top = np.zeros(len(self), np.int64)
        np.maximum.at(top, self.owner, self.count)
        leads = self.count == top[self.owner]
        value = np.zeros(len(self), np.int64)
        value[self.owner[leads]] = self.value[leads]
        return value, top, np.bincount(self.owner[leads], minlength=len(self)) == 1

    def total(self, values: Real) -> Real:
        """Return, for each pattern, the sum over its votes of a number each value has."""
        return self.sums(values[self.value] * self.count)

    def sums(self, cells: Real) -> Real:
        """Return, for each pattern, the sum of a number each cell has."""
        return np.asarray(np.bincount(self.owner, cells, len(self)), np.float64)

    def apart(self, between: Callable[[Whole, Whole], Real]) -> Real:
        """Return, for each pattern, the distances of all ordered pairs of its votes, summed.

        `between` gives the distances of two arrays of value codes, 0 for equal values. Cells are
        paired by their lag, so that memory stays in proportion to the cells.
        """
        total = np.zeros(len(self))
        for left, right in lags(self.owner):
            far = between(self.value[left], self.value[right])
            far = 2.0 * self.count[left] * self.count[right] * far
            total += np.bincount(self.owner[left], far, len(self))
        return total


def lags(group: npt.NDArray[Any]) -> Iterator[tuple[Whole, Whole]]:
    """Yield all pairs of entries of one group, each once, as two arrays of places.

    `group` is sorted; a pair of arrays holds the places that are equally far from each other.
    """
    places = np.arange(len(group), dtype=np.int64)
    last = np.searchsorted(group, group, side="right") - 1
    lag, left = 1, places[places < last]
    while len(left):
        yield left, left + lag
        lag += 1
        left = left[left + lag <= last[left]]


def patterns(
    unit: npt.NDArray[Any], value: npt.NDArray[Any], *, units: int, categories: int
) -> Patterns:
    """Group the units by the values they received.

    `unit` and `value` are parallel arrays of codes, one entry a vote, in any order, below `units`
    and `categories`.
    """
    size = max(categories, 1)
    ordered = np.sort(unit.astype(np.int64) * size + value)
    votes = np.bincount(ordered // size, minlength=units)
    ordered %= size
    first = np.cumsum(votes) - votes
    of_unit = np.full(units, -1, np.int64)
    parts: list[tuple[Whole, Whole]] = []
    done = 0
    for many in np.unique(votes[votes > 0]):
        members = np.flatnonzero(votes == many)
        rows = ordered[first[members][:, None] + np.arange(many)]
        _, example, of, times = np.unique(
            _row_codes(rows, size), return_index=True, return_inverse=True, return_counts=True
        )
        of_unit[members] = done + of
        done += len(times)
        parts.append((rows[example], times))
    none = np.zeros(0, np.int64)
    unit_counts = np.concatenate([none, *(times for _, times in parts)])
    sizes = np.concatenate([none, *(np.full(len(rows), rows.shape[1]) for rows, _ in parts)])
    pattern = np.repeat(np.arange(len(unit_counts)), sizes)
    values = np.concatenate([none, *(rows.ravel() for rows, _ in parts)])
    new = np.append(True, (np.diff(pattern) != 0) | (np.diff(values) != 0))[: len(values)]
    count = np.diff(np.append(np.flatnonzero(new), len(values)))
    return Patterns(unit_counts, sizes, pattern[new], values[new], count, of_unit, categories)


def _row_codes(rows: Whole, size: int) -> Whole:
    # one integer a row: equal for equal rows, in the order of the rows
    code, room = rows[:, 0], size
    for column in rows.T[1:]:
        if room > _ROOM // size:
            distinct, code = np.unique(code, return_inverse=True)
            room = len(distinct)
        code, room = code * size + column, room * size
    return code


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
        codes = {name: getattr(self, name)[keep] for name in ("unit", "rater", "value")}
        return replace(self, **codes)

    @property
    def pair_count(self) -> int:
        """Return the number of pairs of votes on one unit."""
        votes = np.bincount(self.unit).astype(np.int64)
        return int((votes * (votes - 1) // 2).sum())


def code_texts(column: pa.ChunkedArray) -> tuple[Whole, list[str]]:
    """Code a text column by the order of its values; null is -1."""
    codes, names = rank_texts(column)
    return codes, names.to_pylist()


def rank_texts(column: pa.ChunkedArray) -> tuple[Whole, pa.Array]:
    """Return what `code_texts` does with the values as an Arrow array: long texts take no place."""
    coded = column.combine_chunks().dictionary_encode()
    order = pc.sort_indices(coded.dictionary)  # by bytes of UTF-8, which is by code points
    rank = np.full(len(order) + 1, -1, np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    codes = coded.indices.fill_null(len(order)).to_numpy(zero_copy_only=False).astype(np.int64)
    return rank[codes], coded.dictionary.take(order)


def quotient(top: npt.NDArray[Any], bottom: npt.NDArray[Any]) -> Real:
    """Return top / bottom of every cell; NaN where bottom is 0."""
    out = np.full(np.shape(top), np.nan)
    return np.asarray(np.divide(top, bottom, out=out, where=bottom > 0), np.float64)
