"""What the split by scores promises, and what came of it (paper 3.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from pipeline.contracts.splits import Split
from pipeline.release.splits.chosen import Constraint
from pipeline.release.splits.sizes import apportioned
from pipeline.tasks.sts.spec import ScoreNumbers
from pipeline.tasks.sts.split.pairs import Pair, Pool, by_bin, by_cell, by_source


def told(
    pool: Pool, new: Sequence[Pair], dev: int, wanted: Mapping[Split, int], numbers: ScoreNumbers
) -> list[Constraint]:
    """Return the constraints on bins, groups, overlap and parts.

    `new` are the free pairs that dev and test got, `dev` is how many pairs dev has, with those that
    an earlier version placed there.
    """
    found = by_bin([*pool.held, *new])
    whole = wanted["dev"] + wanted["test"]
    short, least = found.total() < whole, max(1, whole // numbers.bins)
    return [
        _spread(pool, new, found),
        _full(found, least, numbers.bins, short),
        _lone(pool, _bound(pool, new, whole, least, numbers)),
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


def _full(found: Counter[int], least: int, bins: int, short: bool) -> Constraint:
    full = sum(found[place] >= least for place in range(bins))
    detail = f"bins with {least:,} pairs or more"
    return Constraint("full_bins", bins, full, full == bins, binds=short, detail=detail)


def _lone(pool: Pool, bound: Sequence[str]) -> Constraint:
    lone, tied = len(pool.free), len(pool.tied)
    detail = f"new pairs that are a group alone; the other {tied:,} are for train"
    if bound:
        detail += f", and so dev and test lack pairs of {', '.join(bound)}"
    return Constraint("lone_pairs", lone + tied, lone, not tied, binds=bool(bound), detail=detail)


def _bound(
    pool: Pool, new: Sequence[Pair], whole: int, least: int, numbers: ScoreNumbers
) -> list[str]:
    """Return what dev and test lack although tied pairs have it: their size, bins, sources.

    A source is bound when its lone pairs cannot make up its share, whatever is taken, as no bin
    takes more than the fullest, while its tied pairs could add to them.
    """
    found = by_bin([*pool.held, *new])
    left = by_bin(pool.free) - by_bin(new)
    bins = sum(found[place] < least and not left[place] for place in by_bin(pool.tied))
    told = ["their sizes"] if pool.tied and found.total() < whole else []
    told += [f"{bins} bin{'s' if bins > 1 else ''}"] if bins else []
    if not numbers.keep_source_shares:
        return told
    there, most = by_source([*pool.held, *new]), max(found.values(), default=0)
    due = apportioned(by_source(pool.every), found.total())
    lone = _most(pool.free, most) + by_source(pool.held)
    every = _most([*pool.free, *pool.tied], most) + by_source(pool.held)
    return told + [
        name
        for name in sorted(due)
        if there[name] < due[name] and lone[name] < min(due[name], every[name])
    ]


def _most(pairs: Iterable[Pair], level: int) -> Counter[str]:
    """Return how many pairs of each source bins of `level` pairs can take."""
    found: Counter[str] = Counter()
    for (_, name), own in by_cell(pairs).items():
        found[name] += min(len(own), level)
    return found


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
