"""Ratings of columns of votes, and of a matrix, as textbooks print them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from pipeline.agreement.votes.ratings import Ratings


def ratings(
    units: Sequence[Hashable],
    raters: Sequence[str | None],
    values: Sequence[Any],
    *,
    categories: Sequence[Any] | None = None,
) -> Ratings:
    """Code three columns of votes; a rater of None is anonymous, values are sorted by default."""
    order = sorted(set(values)) if categories is None else list(categories)
    names = list(dict.fromkeys(units))
    people = sorted({rater for rater in raters if rater is not None})
    unit = _codes(names, units)
    by_unit = np.argsort(unit, kind="stable")
    rater = _codes([*people, None], raters)
    rater[rater == len(people)] = -1
    return Ratings(
        unit[by_unit],
        rater[by_unit],
        _codes(order, values)[by_unit],
        tuple(map(str, names)),
        tuple(people),
        tuple(order),
    )


def _codes(names: Sequence[Any], column: Sequence[Any]) -> Any:
    place = {name: code for code, name in enumerate(names)}
    return np.array([place[each] for each in column], np.int32)


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
