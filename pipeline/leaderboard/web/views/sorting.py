"""Columns that a link sorts by, without a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from pipeline.leaderboard.web.query import BY_NAME, Query

T = TypeVar("T")


@dataclass(frozen=True)
class Heading:
    """A heading; its query sorts by the column, `order` says how it is sorted now."""

    title: str
    query: Query
    order: Literal["ascending", "descending", ""]


def heading(title: str, name: str, query: Query, order: str) -> Heading:
    """Return the heading of a column; `order` is the name of the column that is sorted by now."""
    is_sorted = name == order
    falls = (name != BY_NAME) != query.reverse
    return Heading(
        title=title,
        query=query.but(sort=name, reverse=is_sorted and not query.reverse),
        order=("descending" if falls else "ascending") if is_sorted else "",
    )


def in_order(
    rows: Sequence[T],
    *,
    value: Callable[[T], float | None],
    name: Callable[[T], str],
    reverse: bool,
) -> list[T]:
    """Return rows by value from the highest down, or from the lowest up if `reverse`.

    Rows without a value come last, by name; if no row has one, `reverse` turns the names round.
    """
    valued = [row for row in rows if value(row) is not None]
    others = [row for row in rows if value(row) is None]
    by_name = sorted(others, key=lambda row: name(row).casefold(), reverse=reverse and not valued)
    sign = 1.0 if reverse else -1.0
    valued.sort(key=lambda row: (sign * (value(row) or 0.0), name(row).casefold()))
    return [*valued, *by_name]
