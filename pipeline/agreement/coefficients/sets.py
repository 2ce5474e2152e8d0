"""Distances between sets of labels, for values that are frozensets."""

from __future__ import annotations

from collections.abc import Set
from typing import Any


def masi(left: Set[Any], right: Set[Any]) -> float:
    """Return the MASI distance: 1 minus the Jaccard index times how the sets lie to each other.

    The factor is exactly 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap
    and 0 where they share nothing. Two empty sets are equal: 0.

    Source: R. Passonneau, Measuring Agreement on Set-Valued Items (MASI) for Semantic and Pragmatic
    Annotation, LREC 2006.
    """
    if left == right:
        return 0.0
    shared = len(left & right)
    factor = 2 / 3 if shared == min(len(left), len(right)) else 1 / 3
    return 1 - shared / len(left | right) * factor


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
