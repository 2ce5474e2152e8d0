"""Exact alignment of two texts: edit distance, and common runs in any order.

Edit distance is Levenshtein's, of all of a text or of a text and its likest part of another, by bit
vectors: Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
programming" (J. ACM 46, 1999), in the form of Hyyrö (2003); a Python number holds a whole column.
"""

from __future__ import annotations

from typing import Final

#: The letters of a run that two texts have in common.
_RUN: Final = 3


def copy_similarity(left: str, right: str) -> float:
    """Return how far two texts are copies of each other as a whole, from 0 to 1.

    The greater of two numbers counts: one less their edit distance by the length of the longer, and
    the share of the letters of both that stand in common runs of three letters or more, in
    whichever order: words that changed places cost nothing.
    """
    longest = max(len(left), len(right))
    if 2 * min(len(left), len(right)) < longest:
        return 0.0  # one is a part of the other at best
    edits = 1 - edit_distance(left, right) / longest
    common = _in_runs(left, right) + _in_runs(right, left)
    return max(edits, common / (len(left) + len(right)))


def part_similarity(inner: str, outer: str) -> float:
    """Return how far a text stands in another, from 0 to 1: one less its edits by its length."""
    return 1 - edit_distance(inner, outer, anywhere=True) / len(inner)


def edit_distance(left: str, right: str, *, anywhere: bool = False) -> int:
    """Return the fewest letters to insert, drop or replace to make one text of the other.

    With `anywhere`, of the left text and the part of the right one that it is likest to. The left
    text is not empty.
    """
    places: dict[str, int] = {}
    for place, letter in enumerate(left):
        places[letter] = places.get(letter, 0) | 1 << place
    mask, last, first = (1 << len(left)) - 1, 1 << (len(left) - 1), 0 if anywhere else 1
    up, down, distance = mask, 0, len(left)
    best = distance
    for letter in right:
        equal = places.get(letter, 0)
        diagonal = (((equal & up) + up) ^ up) | equal | down
        rise, fall = (down | ~(diagonal | up)) & mask, up & diagonal
        distance += bool(rise & last) - bool(fall & last)
        rise, fall = (rise << 1 | first) & mask, fall << 1 & mask
        up, down = (fall | ~(diagonal | rise)) & mask, rise & diagonal
        best = min(best, distance)
    return best if anywhere else distance


def _in_runs(text: str, other: str) -> int:
    """Return how many letters of a text stand in runs that the other text has too."""
    end = total = 0
    for start in range(len(text) - _RUN + 1):
        if text[start : start + _RUN] in other:
            total += start + _RUN - max(end, start)
            end = start + _RUN
    return total
