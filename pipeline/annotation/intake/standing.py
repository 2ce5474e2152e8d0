"""Which votes stand: of all answers of one annotator to one thing, one.

Most votes are the only ones of their kind, which codes of their columns show; the others are taken
one by one, in the order of their places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.intake.vote import REPLACED
from pipeline.core import schemas

#: The columns that tell votes apart, in the order by which votes are sorted.
_COLUMNS: Final = ("item", "round", "role", "attempt", "annotator", "seat", "label", "report")
#: Whose seat says whose answer a verdict is about, where an item has several.
_JUDGES: Final = ("inspector", "expert")
_EARLIER: Final = (
    "contradicts an answer of the annotator that was taken in before and stays; to take the newer"
    " answers, import with --replace"
)

_Row = tuple[Any, ...]
Bools = npt.NDArray[np.bool_]
#: Writes a row of the ledger about a new vote: its number, rule, reason and action.
Note = Callable[[int, str, str, str], None]


@dataclass
class Standing:
    """What became of new votes, by their numbers: `accepted`, and `first` of their kind.

    `gone` are the numbers of earlier votes that new ones replaced, `unchanged` counts the votes
    that were there already.
    """

    accepted: Bools
    first: Bools
    gone: set[int] = field(default_factory=set)
    unchanged: int = 0

    def table(self, before: pa.Table, new: pa.Table) -> pa.Table:
        """Return the votes that stand (VOTES), sorted."""
        if self.gone:
            before = before.filter(
                pa.array([row not in self.gone for row in range(before.num_rows)])
            )
        new = new.select(before.column_names)
        if not self.accepted.all():
            new = new.filter(pa.array(self.accepted))
        every = pa.concat_tables([before, new]).sort_by([(name, "ascending") for name in _COLUMNS])
        return schemas.check(every.combine_chunks(), "votes")


def decide_standing(before: pa.Table, new: pa.Table, note: Note, *, replace: bool) -> Standing:
    """Decide which votes stand; the `new` ones are by file and line (rows.PLACED).

    The same answer again changes nothing. A contradicting one is refused, or takes the place of an
    earlier one if that is of `before` and `replace` is true.
    """
    shared = _share_a_key(before, new)
    earlier, later = np.flatnonzero(shared[: len(before)]), np.flatnonzero(shared[len(before) :])
    standing = Standing(~shared[len(before) :], ~shared[len(before) :])
    #: What stands under each key: label and report, its row before, and the place of a new vote.
    by_key: dict[_Row, tuple[_Row, int, _Row | None]] = {
        _key(row): (row[-2:], number, None)
        for number, row in zip(earlier.tolist(), _rows(before, earlier, _COLUMNS), strict=True)
    }
    rows = _rows(new, later, (*_COLUMNS, "file", "line"))
    for number, (*columns, file, line) in zip(later.tolist(), rows, strict=True):
        row: _Row = tuple(columns)
        key, content = _key(row), row[-2:]
        known, place, first = by_key.get(key, (None, -1, None))
        if known == content:
            standing.unchanged += 1
            by_key[key] = content, place, first or (file, line)
        elif known is None or (first is None and replace):
            by_key[key] = content, -1, (file, line)
            standing.accepted[number] = True
            if known is not None:
                standing.gone.add(place)
                note(
                    number, REPLACED, "took the place of an earlier answer of the annotator", "edit"
                )
        else:
            reason = (
                _EARLIER
                if first is None
                else (
                    "contradicts an answer of the annotator in the same reading, which stays: line"
                    f" {first[1]} of {first[0]}"
                )
            )
            note(number, "vote.double@1", reason, "quarantine")
        standing.first[number] = known is None
    return standing


def _rows(table: pa.Table, rows: npt.NDArray[np.int64], names: tuple[str, ...]) -> Any:
    return schemas.rows(table.take(pa.array(rows)), *names)


def _key(row: _Row) -> _Row:
    """Return what an annotator has one answer to; anonymous ones are told apart by their seat.

    The seat of a verdict names whose answer it is about, where an item has several.
    """
    item, round_, role, attempt, annotator, seat, label, report = row
    place = seat if annotator is None or role in _JUDGES else None
    return item, round_, role, attempt, annotator, place, None if label is not None else report


def _share_a_key(before: pa.Table, new: pa.Table) -> Bools:
    """Return which votes have a key that others have too, the earlier ones first: (votes,)."""
    every = pa.concat_tables([before.select(_COLUMNS), new.select(_COLUMNS)])
    seated = pc.or_(pc.is_null(every["annotator"]), pc.is_in(every["role"], pa.array(_JUDGES)))
    nothing = pa.scalar(None, pa.string())
    columns = [every[name] for name in _COLUMNS[:5]]
    columns += [
        pc.if_else(seated, every["seat"], nothing),
        pc.if_else(pc.is_valid(every["label"]), nothing, every["report"]),
    ]
    code = np.zeros(len(every), np.int64)
    for column in columns:
        coded = column.combine_chunks().dictionary_encode("encode")
        size = len(coded.dictionary)
        if size > 1:  # of codes below the number of votes, products stay below 2**63
            code = code * size + coded.indices.to_numpy(zero_copy_only=False)
            code = np.unique(code, return_inverse=True)[1]
    return np.bincount(code, minlength=1)[code] > 1
