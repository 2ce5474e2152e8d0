"""The coefficients as the books define them, pair by pair in plain Python, for tests to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from itertools import permutations
from typing import Any

from hypothesis import strategies as st

Matrix = list[list[Any]]
Apart = Callable[[Any, Any], float]


def matrices(
    values: Sequence[Any], *, raters: int = 5, units: int = 9
) -> st.SearchStrategy[Matrix]:
    """Draw annotators x units with missing votes."""
    vote = st.one_of(st.none(), *(st.just(value) for value in values))
    return st.tuples(st.integers(2, raters), st.integers(1, units)).flatmap(
        lambda size: st.lists(
            st.lists(vote, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
        )
    )


def columns(matrix: Matrix) -> list[list[Any]]:
    """Return the votes of each unit, without those that are missing."""
    return [[v for v in column if v is not None] for column in zip(*matrix, strict=True)]


def level_distance(level: str, matrix: Matrix) -> Apart:
    """Return the squared difference of a level, as Krippendorff (2011) writes it."""
    given = Counter(v for unit in columns(matrix) if len(unit) > 1 for v in unit)

    def ordinal(a: Any, b: Any) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(n for value, n in given.items() if low <= value <= high)
        return (between - (given[a] + given[b]) / 2) ** 2

    known: dict[str, Apart] = {
        "nominal": lambda a, b: float(a != b),
        "ordinal": ordinal,
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0,
    }
    return known[level]


def alpha(matrix: Matrix, distance: Apart) -> float | None:
    """Return Krippendorff's alpha by its definition; None where the expected disagreement is 0."""
    units = [unit for unit in columns(matrix) if len(unit) > 1]
    pool = [v for unit in units for v in unit]
    observed = sum(
        distance(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    )
    expected = sum(distance(a, b) for a, b in permutations(pool, 2))
    return 1 - (len(pool) - 1) * observed / expected if expected > 0 else None


def agreement(matrix: Matrix, apart: Apart) -> float:
    """Return p_a: the mean over units of the weighted agreement of their ordered pairs of votes."""
    shares = [
        sum(1 - apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) * (len(unit) - 1))
        for unit in columns(matrix)
        if len(unit) > 1
    ]
    return sum(shares) / len(shares)


def mean_shares(matrix: Matrix, values: Sequence[Any]) -> list[float]:
    """Return the mean over units of their shares of each category."""
    units = [unit for unit in columns(matrix) if unit]
    return [sum(unit.count(v) / len(unit) for unit in units) / len(units) for v in values]


def own_shares(row: Sequence[Any], values: Sequence[Any]) -> list[float]:
    """Return an annotator's share of each category."""
    given = [v for v in row if v is not None]
    return [given.count(v) / len(given) for v in values]


def met(
    first: Sequence[float], second: Sequence[float], values: Sequence[Any], apart: Apart
) -> float:
    """Return the weighted agreement of two independent draws."""
    return sum(
        p * q * (1 - apart(a, b))
        for a, p in zip(values, first, strict=True)
        for b, q in zip(values, second, strict=True)
    )


def passonneau2004(left: Set[Any], right: Set[Any]) -> float:
    """Return 0 for equal sets, 1/3 where one holds the other, 2/3 where they overlap, else 1.

    The empty set is held by every set.

    Source: R. Passonneau, Computing Reliability for Coreference Annotation, LREC 2004.
    """
    if left == right:
        return 0.0
    if left <= right or right <= left:
        return 1 / 3
    return 2 / 3 if left & right else 1.0
