"""What the split by scores promises, and what came of it (paper 3.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from pipeline.release.splits.chosen import Constraint
from pipeline.release.splits.scores_pairs import Pair, Pool, by_bin
from pipeline.tasks.splits import ScoreNumbers, Split


def told(
    pool: Pool, new: Sequence[Pair], dev: int, wanted: Mapping[Split, int], numbers: ScoreNumbers
) -> list[Constraint]:
    """Return the constraints on bins, groups, overlap and parts.

    `new` are the free pairs that dev and test got, `dev` is how many pairs dev has, with those that
    an earlier version placed there.
    """
    found = by_bin([*pool.held, *new])
    short = found.total() < wanted["dev"] + wanted["test"]
    return [
        _spread(pool, new, found),
        _full(found, (wanted["dev"] + wanted["test"]) // numbers.bins, numbers.bins, short),
        _lone(pool, short),
        _overlap("least_overlap", pool, [one for one in new if one.least]),
        _overlap("most_overlap", pool, [one for one in new if not one.least]),
        _parts(found.total(), dev, wanted, numbers),
    ]


def _spread(pool: Pool, new: Sequence[Pair], found: Counter[int]) -> Constraint:
    """Tell by how much the fullest bin exceeds the emptiest that has pairs left."""
    there = by_bin(pool.free)
    left = there - by_bin(new)
    most = max(found.values(), default=0)
    gap = most - min((found[place] for place in left), default=most)
    detail = (
        "pairs at most that a bin has more than one with pairs left;"
        f" {len(there) - len(left)} bins have none left"
    )
    return Constraint("uniform_bins", 1, gap, gap <= 1, detail=detail)


def _full(found: Counter[int], level: int, bins: int, short: bool) -> Constraint:
    least = max(1, level)
    full = sum(found[place] >= least for place in range(bins))
    detail = f"bins with {least:,} pairs or more"
    return Constraint("full_bins", bins, full, full == bins, binds=short, detail=detail)


def _lone(pool: Pool, short: bool) -> Constraint:
    lone, tied = len(pool.free), len(pool.tied)
    detail = f"new pairs that are a group alone; the other {tied:,} are for train"
    return Constraint(
        "lone_pairs", lone + tied, lone, not tied, binds=short and tied > 0, detail=detail
    )


def _overlap(name: str, pool: Pool, new: Sequence[Pair]) -> Constraint:
    """Tell the mean overlap of new pairs, and that of as many of their bins drawn at random."""
    mine = by_bin(new)
    overlaps: dict[int, list[float]] = {place: [] for place in mine}
    for one in pool.free:
        if one.place in overlaps:
            overlaps[one.place].append(one.overlap)
    random = sum(fmean(overlaps[place]) * units for place, units in sorted(mine.items()))
    wanted = round(random / max(1, len(new)), 6)
    found = round(sum(sorted(one.overlap for one in new)) / max(1, len(new)), 6)
    met = found <= wanted if name == "least_overlap" else found >= wanted
    bound = "most" if name == "least_overlap" else "least"
    detail = f"mean Jaccard index of morphemes, at {bound} that of the same bins in the pool"
    return Constraint(name, wanted, found, met, detail=detail)


def _parts(total: int, dev: int, wanted: Mapping[Split, int], numbers: ScoreNumbers) -> Constraint:
    due = round(total * numbers.dev_parts / (numbers.dev_parts + numbers.test_parts), 6)
    met = abs(due - dev) < 1
    binds = total == wanted["dev"] + wanted["test"] and dev != wanted["dev"]
    detail = f"dev and test as {numbers.dev_parts} to {numbers.test_parts}"
    return Constraint("parts", due, dev, met, "dev", binds, detail)
