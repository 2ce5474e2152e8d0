"""Encoded examples as flat arrays: a few bytes a token, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
#: What a target has where there is nothing to learn (cross entropy leaves it out).
IGNORED: Final = -100


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths: row i is `values[starts[i] : starts[i + 1]]`.

    `values` has one dimension, or two where each entry is a tuple (the two ends of a token).
    """

    values: npt.NDArray[Any]
    starts: Numbers

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> npt.NDArray[Any]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> Numbers:
        return np.diff(self.starts)

    def pad(self, rows: Numbers, fill: int, *, multiple: int = 1) -> Ints:
        """Return some rows as one array, filled up to the longest (a multiple of `multiple`)."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        wide = -(-int(lengths.max(initial=1)) // multiple) * multiple
        array = np.full((len(rows), wide, *self.values.shape[1:]), fill, dtype=np.int32)
        inside = np.arange(wide) < lengths[:, None]
        array[inside] = self.values[indices(self.starts[rows], lengths)]
        return array


def ragged(rows: Iterable[Sequence[Any] | npt.NDArray[Any]]) -> Ragged:
    """Return rows of whole numbers, or of tuples of whole numbers of one length, as one."""
    held = list(rows)
    starts = starts_of([len(row) for row in held])
    first = next((row[0] for row in held if len(row)), 0)
    if isinstance(first, tuple | list | np.ndarray):
        flat = chain.from_iterable(chain.from_iterable(held))
        values = np.fromiter(flat, dtype=np.int32, count=int(starts[-1]) * len(first))
        return Ragged(values.reshape(-1, len(first)), starts)
    flat = chain.from_iterable(held)
    return Ragged(np.fromiter(flat, dtype=np.int32, count=int(starts[-1])), starts)


def starts_of(lengths: Sequence[int] | npt.NDArray[Any]) -> Numbers:
    """Return where rows of these lengths begin, one after another, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def indices(starts: Numbers, lengths: Numbers) -> Numbers:
    """Return where rows have their values that begin at `starts` and are so long, row after row."""
    ends = np.cumsum(lengths)
    shift = np.repeat(starts - (ends - lengths), lengths)
    found: Numbers = np.arange(int(ends[-1]) if len(ends) else 0) + shift
    return found


def cut(ragged_rows: Ragged, rows: Numbers, begins: Numbers | int, ends: Numbers | int) -> Ragged:
    """Return one part of a row for each of `rows`, from `begins` to `ends` within it."""
    lengths = np.broadcast_to(np.asarray(ends) - np.asarray(begins), rows.shape)
    return Ragged(
        ragged_rows.values[indices(ragged_rows.starts[rows] + begins, lengths)], starts_of(lengths)
    )


@dataclass(frozen=True)
class Features:
    """Examples as the inputs of a model; an example may have several (windows, turns).

    `owners` tells for each input its example; owners do not fall. `columns` are further inputs and
    targets by name: an array (one number or row an input), or ragged ones that are padded with
    `fills` (IGNORED for names that are not in it). `beside` is what decoding needs: plain data, one
    an input, or ragged. `notes` say what was cut, for the user.
    """

    owners: Ints
    tokens: Ragged
    segments: Ragged | None = None
    columns: Mapping[str, npt.NDArray[Any] | Ragged] = field(default_factory=dict)
    fills: Mapping[str, int] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.owners)
