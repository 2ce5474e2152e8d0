"""Answers of every kind as judgements with one label each, so that one model serves all of them.

A structured answer labels places: spans label their ends with a type, a tree a word and its head
with a relation, a state a turn and a value with a slot, a set of labels each label with itself.
Where one annotator of an item labels a place, all others of that item label it too or leave it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np

from pipeline.agreement.votes.labels import display
from pipeline.agreement.votes.ratings import MOST_CELLS, Ratings, Whole
from pipeline.agreement.votes.selection import Selection

#: What a label is called where an annotator leaves a place that another labels.
NOTHING: Final = "nothing"
#: What rarer labels are called together where there are too many to model.
OTHERS: Final = "any other label"
#: Scores of more different values than this are not taken for labels.
MOST_SCORES: Final = 12
#: Cells of all annotators' confusions of labels with labels.
_MOST_CONFUSIONS: Final = 2_000_000

#: A place of an answer, and the label it has there.
_Mark = tuple[Hashable, str]


@dataclass(frozen=True)
class Judgements:
    """One label of one annotator on one unit, sorted by unit, then annotator; parallel arrays.

    `unit`, `rater` (-1: anonymous) and `value` are codes, `place` is the vote in the ratings,
    (judgements,). `item` (units,) is the code of the item that a unit belongs to; `labels` names
    the values. Units have at least two judgements.
    """

    unit: Whole
    rater: Whole
    value: Whole
    place: Whole
    item: Whole
    labels: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of judgements."""
        return len(self.unit)


def judgements(selection: Selection) -> Judgements | None:
    """Return the judgements in the votes; None for scores of too many different values."""
    ratings = selection.ratings
    if selection.kind == "number" and len(ratings.values) > MOST_SCORES:
        return None
    marks = _MARKS.get(selection.kind)
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    order = np.lexsort((ratings.value, ratings.rater, ratings.unit))
    shared = order[votes[ratings.unit[order]] > 1].astype(np.int64)
    if marks is None:
        names = tuple(str(display(value)) for value in ratings.values)
        unit, rater, value = (
            part[shared].astype(np.int64) for part in (ratings.unit, ratings.rater, ratings.value)
        )
        item, unit = np.unique(unit, return_inverse=True)
        return _merge_rare(unit, rater, value, shared, item, names)
    return _of_structures(ratings, shared, marks)


def _of_structures(
    ratings: Ratings, shared: Whole, marks: Callable[[Any], Iterable[_Mark]]
) -> Judgements:
    names = {label for answer in ratings.values for label in dict(marks(answer)).values()}
    code = {name: place for place, name in enumerate([NOTHING, *sorted(names)])}
    item, width, place, value = (array("q") for _ in range(4))
    rows = zip(ratings.unit[shared].tolist(), shared.tolist(), strict=True)
    for of, group in groupby(rows, key=itemgetter(0)):
        votes = [row for _, row in group]
        given = [dict(marks(ratings.values[ratings.value[row]])) for row in votes]
        for spot in sorted({spot for answer in given for spot in answer}, key=repr):
            item.append(of)
            width.append(len(votes))
            place.extend(votes)
            value.extend([code[answer.get(spot, NOTHING)] for answer in given])
    unit = np.repeat(np.arange(len(item)), width)
    rater = ratings.rater[place].astype(np.int64)
    values, places, items = (np.asarray(part, np.int64) for part in (value, place, item))
    return _merge_rare(unit, rater, values, places, items, tuple(code))


def _merge_rare(
    unit: Whole, rater: Whole, value: Whole, place: Whole, item: Whole, names: tuple[str, ...]
) -> Judgements:
    # keep as many labels as the model has room for
    people = int(rater.max(initial=0)) + 2
    most = max(int(min(MOST_CELLS / max(len(item), 1), np.sqrt(_MOST_CONFUSIONS / people))), 2)
    counts = np.bincount(value, minlength=len(names))
    if len(names) > most:
        common = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
        codes = np.full(len(names), most - 1, np.int64)
        codes[common] = np.arange(most - 1)
        value, names = codes[value], (*(names[code] for code in common), OTHERS)
    return Judgements(unit, rater, value, place, item, names)


def _span_marks(answer: Iterable[tuple[int, int, str]]) -> Iterator[_Mark]:
    for start, end, label in answer:
        yield (start, end), label


def _tree_marks(answer: Iterable[tuple[int, str]]) -> Iterator[_Mark]:
    for word, (head, relation) in enumerate(answer):
        yield (word, head), relation


def _state_marks(answer: Iterable[frozenset[str]]) -> Iterator[_Mark]:
    for turn, state in enumerate(answer):
        for text in sorted(state):
            *slot, value = text.split("-", 2)
            yield (turn, value), "-".join(slot)


def _label_marks(answer: Iterable[str]) -> Iterator[_Mark]:
    for label in answer:
        yield label, label


_MARKS: Final[dict[str, Callable[[Any], Iterable[_Mark]]]] = {
    "spans": _span_marks,
    "tree": _tree_marks,
    "states": _state_marks,
    "labels": _label_marks,
}
