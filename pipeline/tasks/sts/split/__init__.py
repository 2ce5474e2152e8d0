"""STS: dev and test uniform over the scores, against word overlap (paper 3.2.1, Table 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    require_all,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group
from pipeline.release.splits.sizes import apportion
from pipeline.tasks.sts.spec import ScoreNumbers
from pipeline.tasks.sts.split.pairs import Pair, Pool, by_bin, by_cell, by_source, evenly, pairs
from pipeline.tasks.sts.split.selection import for_dev, taken

TASK: Final = "sts"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"parts"})


def split(groups: Sequence[Group], numbers: ScoreNumbers, *, seed: int) -> Assignment:
    """Fill dev and test evenly over the bins of scores; the rest is train.

    Within a bin, pairs with the least word overlap go first from `least_overlap_from` on, with the
    most below it; the sources have the shares of the whole as nearly as the bins allow. Of bins and
    sources alike, dev and test get their parts. Groups of several pairs are for train.

    Constraints: `size`, `kept`, `whole_groups`, `parts`, `uniform_bins`, `full_bins`, `lone_pairs`,
    `least_overlap`, `most_overlap`, `source_share`. Raises InputError when a split gets no example.
    """
    pool = _pooled(groups, numbers)
    wanted = apportion(numbers.sizes, len(pool.every))
    new = _new(pool, wanted["dev"] + wanted["test"], numbers, seed=seed)
    evaluation = [*pool.held, *new]
    whole = numbers.dev_parts + numbers.test_parts
    dev = _dev(evaluation, numbers)
    in_dev = for_dev(evaluation, dev, parts=numbers.dev_parts, whole=whole, seed=seed)
    assignment = Assignment()
    assignment.put((one.member for one in pool.every), "train")
    assignment.put((one.member for one in evaluation), "test")
    assignment.put((one.member for one in in_dev), "dev")
    assignment.constraints += size_constraints(assignment, groups, wanted)
    assignment.constraints += told(pool, new, len(in_dev), wanted, numbers)
    if numbers.keep_source_shares:
        members = [one.member for one in pool.every]
        assignment.constraints += share_constraints(
            assignment, members, "source_share", lambda one: one.source
        )
    require_all(TASK, assignment)
    return assignment


def _pooled(groups: Sequence[Group], numbers: ScoreNumbers) -> Pool:
    pool = Pool([], [], [], [])
    for one in sorted(groups, key=lambda each: each.id):
        found = pairs(one, numbers)
        if one.kept is not None:
            (pool.train if one.kept == "train" else pool.held).extend(found)
        else:
            (pool.free if len(one) == 1 else pool.tied).extend(found)
    return pool


def _new(pool: Pool, room: int, numbers: ScoreNumbers, *, seed: int) -> list[Pair]:
    """Return the free pairs that join those held in dev and test."""
    held = by_bin(pool.held)
    quotas = evenly(held, held + by_bin(pool.free), room, seed=seed)
    need = {place: quotas[place] - held[place] for place in sorted(quotas)}
    if not numbers.keep_source_shares:
        return taken(pool.free, need, None, seed=seed)
    shares = apportion(by_source(pool.every), sum(quotas.values()))
    there = by_source(pool.held)
    targets = {name: shares[name] - there[name] for name in shares}
    return taken(pool.free, need, targets, seed=seed)


def _dev(evaluation: Sequence[Pair], numbers: ScoreNumbers) -> int:
    """Return how many pairs are for dev: its parts, or what earlier versions leave of them."""
    parts: dict[Split, int] = {"dev": numbers.dev_parts, "test": numbers.test_parts}
    kept = Counter(one.kept for one in evaluation)
    due = apportion(parts, len(evaluation))["dev"]
    return min(max(due, kept["dev"]), len(evaluation) - kept["test"])


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
    due = apportion(by_source(pool.every), found.total())
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
