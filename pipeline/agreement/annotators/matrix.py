"""Who agrees with whom: agreement and alpha of every two annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pipeline.agreement.votes.pairs import (
    MOST_CELLS,
    MOST_PAIRS,
    Event,
    Floats,
    Ints,
    add,
    alphas,
    correlation,
    count_pairs,
    lags,
)
from pipeline.agreement.votes.ratings import Ratings
from pipeline.contracts.spec import Level

#: Above this many annotators the matrix is for machines, no longer for the eye.
MANY: Final = 60
#: Above this many there is no matrix: its record alone would take gigabytes.
MOST: Final = 1_000
FEW_ANNOTATORS: Final = "fewer than two annotators are named"


@dataclass(frozen=True)
class Matrix:
    """Agreement of every two annotators: NaN where they share no item or it has no value.

    `measure` names `agreement`: the share of equal labels, or Pearson's r for numbers. `alpha` is
    None where it was too large to compute; `items` counts shared items. All are (raters, raters).
    """

    measure: str
    agreement: Floats
    alpha: Floats | None
    items: Ints


def matrix(ratings: Ratings, level: Level) -> Matrix | None:
    """Compare every two named annotators on the items they share; None if there are too many."""
    width = len(ratings.raters)
    if too_large(ratings) is not None:
        return None
    shared = np.zeros(width * width)
    for pair, _, _ in _named(ratings):
        add(shared, pair, np.ones(len(pair)))
    present = np.flatnonzero(shared)
    place = np.zeros(width * width, np.int64)
    place[present] = np.arange(len(present))

    def events() -> Iterator[Event]:
        for pair, left, right in _named(ratings):
            value = ratings.value.astype(np.int64)
            yield Event(place[pair], value[left], value[right], np.ones(len(pair)))

    small = level == "interval" or len(present) * len(ratings.values) <= MOST_CELLS
    values = alphas(events, len(present), level=level, values=ratings.values) if small else None
    if level == "nominal":
        agree = np.zeros(len(present))
        for event in events():
            add(agree, event.group, (event.left == event.right).astype(np.float64))
        measure, agreement = "percent_agreement", agree / shared[present]
    else:
        measure = "pearson"
        agreement = _pearson(events, len(present), np.asarray(ratings.values, np.float64))
    counts = shared.reshape(width, width).astype(np.int64)
    alpha = None if values is None else _square(values, present, width)
    return Matrix(measure, _square(agreement, present, width), alpha, counts + counts.T)


def too_large(ratings: Ratings) -> str | None:
    """Return why there are too many annotators or votes for a matrix, or None."""
    if len(ratings.raters) > MOST:
        return f"{len(ratings.raters)} annotators; a matrix of at most {MOST} is made"
    number = count_pairs(ratings)
    return f"{number} pairs of votes are too many for a matrix" if number > MOST_PAIRS else None


def _named(ratings: Ratings) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield pairs of two named raters: the cell of the pair (smaller code first), and places."""
    rater, width = ratings.rater.astype(np.int64), len(ratings.raters)
    for one, two in lags(ratings):
        both = (rater[one] >= 0) & (rater[two] >= 0)
        one, two = one[both], two[both]  # noqa: PLW2901
        swap = rater[one] > rater[two]
        left, right = np.where(swap, two, one), np.where(swap, one, two)
        yield rater[left] * width + rater[right], left, right


def _pearson(events: Callable[[], Iterator[Event]], groups: int, numbers: Floats) -> Floats:
    numbers = numbers - numbers.mean() if len(numbers) else numbers
    sums = np.zeros((6, groups))
    for e in events():
        left, right = numbers[e.left], numbers[e.right]
        parts = e.weight, left, right, left**2, right**2, left * right
        for into, what in zip(sums, parts, strict=True):
            add(into, e.group, what)
    return correlation(*sums)


def _square(values: Floats, present: Ints, width: int) -> Floats:
    full = np.full(width * width, np.nan)
    full[present] = values
    square = full.reshape(width, width)
    return np.where(np.isnan(square), square.T, square)


def absent(reason: str) -> dict[str, Any]:
    """Return the record of a matrix that could not be made, and why."""
    empty: dict[str, Any] = {name: [] for name in ("annotators", "values", "alpha", "items")}
    return {"measure": None, **empty, "reason": reason}


def matrix_record(ratings: Ratings, matrix: Matrix) -> dict[str, Any]:
    """Return a matrix as plain data; null is a pair without a value, and `reason` says why."""
    record: dict[str, Any] = {
        "annotators": list(ratings.raters),
        "measure": matrix.measure,
        "values": _rows(matrix.agreement),
        "alpha": [] if matrix.alpha is None else _rows(matrix.alpha),
        "items": matrix.items.tolist(),
        "reason": "null: the two share no item, or their answers on it never vary; an annotator is"
        " not compared with themselves",
    }
    if len(ratings.raters) > MANY:
        record["note"] = f"more than {MANY} annotators: for machines rather than for the eye"
    return record


def _rows(values: Floats) -> list[list[float | None]]:
    """Return a matrix as lists, rounded to 1e-4, None for NaN."""
    rounded = np.round(values, 4) + 0.0
    cells = np.where(np.isnan(values), None, rounded.astype(object))  # type: ignore[call-overload]
    return cells.tolist()  # type: ignore[no-any-return]
