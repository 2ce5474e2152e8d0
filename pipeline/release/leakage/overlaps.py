"""How much of the wording of one side is found on the other: rows of the table OVERLAPS.

N-grams are of 8 words for passages and dialogues, of 4 for headlines and sentences. Rows with n = 0
count entities in place of n-grams (NER and RE): their share that the other side has as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from pipeline.release.leakage.grams import Mask
from pipeline.release.leakage.texts import Side

#: Words of an n-gram, of tasks with long texts and of the others.
LONG: Final = {"mrc": 8, "dst": 8}
SHORT: Final = 4
#: The n of rows that count entities.
ENTITIES: Final = 0


def words_for(task: str) -> int:
    """Return of how many words the n-grams of a task are."""
    return LONG.get(task, SHORT)


def shares(left: Side, found: Mask, n: int) -> dict[str, float]:
    """Return by example which share of its n-grams was found; those that have none are left out.

    `found` is in the order of the n-grams of the side.
    """
    grams = left.bag.grams(n)
    hits = np.bincount(grams.rows[found], minlength=len(left.bag))
    return {
        name: round(float(hits[places].sum() / grams.sizes[places].sum()), 6)
        for name, places in left.examples.items()
        if grams.sizes[places].sum()
    }


def of_grams(task: str, left: Side, right: str, found: Mask) -> dict[str, object]:
    """Return the row of a side whose n-grams were found or not."""
    n = words_for(task)
    return _row(task, left.split, right, n, list(shares(left, found, n).values()))


def of_entities(
    task: str,
    split: str,
    right: str,
    have: tuple[Mapping[str, list[str]], Mapping[str, list[str]]],
) -> dict[str, object]:
    """Return the row of the entities that two splits have, by example."""
    known = {one for words in have[1].values() for one in words}
    shares = [
        sum(one in known for one in words) / len(words) for words in have[0].values() if words
    ]
    return _row(task, split, right, ENTITIES, shares)


def _row(task: str, split: str, right: str, n: int, found: list[float]) -> dict[str, Any]:
    return {
        "task": task,
        "left_split": split,
        "right": right,
        "n": n,
        "examples": len(found),
        "sharing": sum(share > 0 for share in found),
        "mean": round(sum(found) / len(found), 6) if found else 0.0,
    }
