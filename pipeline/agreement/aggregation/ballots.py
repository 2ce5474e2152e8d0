"""Votes as parallel arrays of codes, in an order that does not depend on that of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

Codes = npt.NDArray[np.int64]
#: The code of a null.
NONE: Final = -1
#: When a vote was given, where the table does not say.
UNKNOWN: Final = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Names:
    """What the codes of ballots stand for: items in their own order, all else sorted."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    seats: tuple[str, ...]
    roles: tuple[str, ...]
    rounds: tuple[str, ...]
    labels: tuple[str, ...]
    reports: tuple[str, ...]

    @cached_property
    def answers(self) -> tuple[Any, ...]:
        """Return what every label says, each text read once.

        Raises InputError for a label that is no JSON; it is not shown.
        """
        try:
            return tuple(parsed(text) for text in self.labels)
        except ValueError:
            raise InputError(
                "a label of the votes is no JSON text; import the votes, which checks each answer"
            ) from None


@dataclass(frozen=True)
class Ballots:
    """Votes, one entry each: codes into `names`, -1 for null; `at` in microseconds or UNKNOWN.

    Sorted by item, round, attempt, annotator, seat, role, label, report and time, so that whatever
    is computed from them is the same for any order of the rows.
    """

    item: Codes
    round: Codes
    attempt: Codes
    annotator: Codes
    seat: Codes
    role: Codes
    label: Codes
    report: Codes
    at: Codes
    names: Names

    def __len__(self) -> int:
        """Return the number of votes."""
        return len(self.item)

    def only(self, keep: npt.NDArray[np.bool_] | Codes) -> Ballots:
        """Return the votes where `keep` is true, or those at its places, in its order."""
        arrays = {
            field.name: getattr(self, field.name)[keep]
            for field in fields(self)
            if field.name != "names"
        }
        return Ballots(**arrays, names=self.names)

    def in_rounds(self, rounds: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell of each vote whether it was given in one of these rounds."""
        return np.isin(self.round, [i for i, r in enumerate(self.names.rounds) if r in rounds])

    def by_roles(self, roles: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell of each vote whether it was given in one of these roles."""
        return np.isin(self.role, [i for i, r in enumerate(self.names.roles) if r in roles])

    def who(self, place: int) -> str:
        """Return how to call the annotator of a vote."""
        code = self.annotator[place]
        return (
            "an anonymous annotator" if code == NONE else f"annotator {self.names.annotators[code]}"
        )

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield (item, start, end) of the votes of each item that has any; needs them by item."""
        if not len(self):
            return
        starts = np.flatnonzero(np.diff(self.item, prepend=NONE))
        ends = np.append(starts[1:], len(self))
        yield from zip(self.item[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)


def read(votes: pa.Table, items: Sequence[str]) -> Ballots:
    """Code a table of votes (VOTES); a vote for none of the `items` has the item -1."""
    item_names, item = _codes(votes, "item")
    place = {name: i for i, name in enumerate(items)}
    moved = np.array([place.get(name, NONE) for name in item_names] + [NONE], np.int64)
    columns: dict[str, tuple[tuple[str, ...], Codes]] = {
        name: _codes(votes, name)
        for name in ("annotator", "seat", "role", "round", "label", "report")
    }
    codes = {name: found[1] for name, found in columns.items()}
    codes["item"] = moved[item]
    codes["attempt"] = votes.column("attempt").to_numpy().astype(np.int64)
    codes["at"] = votes.column("at").cast(pa.int64()).fill_null(int(UNKNOWN)).to_numpy()
    keys = ("at", "report", "label", "role", "seat", "annotator", "attempt", "round", "item")
    order = np.lexsort([codes[key] for key in keys])
    names = Names(tuple(items), *(columns[key][0] for key in _NAMED))
    return Ballots(**{key: array[order] for key, array in codes.items()}, names=names)


_NAMED: Final = ("annotator", "seat", "role", "round", "label", "report")


def _codes(votes: pa.Table, name: str) -> tuple[tuple[str, ...], Codes]:
    """Return the sorted distinct texts of a column, and the place of each row's among them."""
    coded = votes.column(name).combine_chunks().dictionary_encode()
    given: list[str] = coded.dictionary.to_pylist()
    order = sorted(range(len(given)), key=given.__getitem__)
    moved = np.full(len(given) + 1, NONE, np.int64)
    moved[order] = np.arange(len(given))
    found = coded.indices.fill_null(len(given)).to_numpy().astype(np.int64)
    return tuple(given[i] for i in order), moved[found]
