"""Ratings of a matrix, as textbooks print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.agreement.votes.ratings import Ratings, ratings


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
