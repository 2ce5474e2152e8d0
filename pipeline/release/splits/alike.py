"""Whether the splits are alike in something that no quota holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Final

from pipeline.contracts.splits import SPLITS
from pipeline.release.splits.chosen import Chosen, Constraint
from pipeline.release.splits.member import Member

#: How far a split may be from the whole, in percent; chosen by this project.
TOLERANCE: Final = 5.0


def told_alike(
    name: str, chosen: Chosen, members: Sequence[Member], values: Callable[[Member], Iterable[str]]
) -> list[Constraint]:
    """Return for each split how far the shares of its values are from those in all splits.

    `values` are those of an example, such as the types of its entities. The distance is that of
    total variation, in percent: the share that would have to change. Wanted are at most `TOLERANCE`
    and, for n values in the split, the 100 / sqrt(n) that chance may add.
    """
    counts = {split: Counter[str]() for split in SPLITS}
    for one in members:
        if one.id in chosen.splits:
            counts[chosen.splits[one.id]].update(values(one))
    whole = sum(counts.values(), Counter[str]())
    rows = []
    for split, own in counts.items():
        if own:
            wanted = round(TOLERANCE + 100 / sqrt(own.total()), 2)
            found = round(100 * _distance(own, whole), 2)
            detail = "percent of its values that differ from the shares in the whole, at most"
            rows.append(Constraint(name, wanted, found, found <= wanted, split, detail=detail))
    return rows


def _distance(own: Counter[str], whole: Counter[str]) -> float:
    shares = (abs(own[key] / own.total() - whole[key] / whole.total()) for key in sorted(whole))
    return sum(shares) / 2
