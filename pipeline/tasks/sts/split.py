"""STS: dev and test uniform over the scores, against word overlap (paper 3.2.1, Table 4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from pipeline.contracts.splits import Split, apportion
from pipeline.core.wording import count, verb
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group
from pipeline.tasks.sts.selection import (
    Pair,
    by_bin,
    by_cell,
    by_source,
    choose,
    evenly,
    for_dev,
)
from pipeline.tasks.sts.spec import ScoreNumbers

#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"parts"})
#: The highest similarity; the lowest is 0.
HIGHEST: Final = 5.0


@dataclass(frozen=True)
class _Pool:
    """Pairs free for dev and test, held there by an earlier version, and those for train alone."""

    free: list[Pair] = field(default_factory=list)
    held: list[Pair] = field(default_factory=list)
    tied: list[Pair] = field(default_factory=list)
    train: list[Pair] = field(default_factory=list)

    @property
    def every(self) -> list[Pair]:
        return [*self.free, *self.held, *self.tied, *self.train]


def split(groups: Sequence[Group], numbers: ScoreNumbers, *, seed: int) -> Assignment:
    """Fill dev and test evenly over the bins of scores; the rest is train.

    Within a bin, pairs with the least word overlap go first from `least_overlap_from` on, with the
    most below it; the sources have the shares of the whole as nearly as the bins allow. Of bins and
    sources alike, dev and test get their parts. Groups of several pairs are for train.

    Constraints: `size`, `kept`, `whole_groups`, `parts`, `uniform_bins`, `full_bins`, `lone_pairs`,
    `least_overlap`, `most_overlap`, `source_share`.
    """
    pool = _pool(groups, numbers)
    wanted = apportion(numbers.sizes, len(pool.every))
    new = _new(pool, wanted["dev"] + wanted["test"], numbers, seed=seed)
    evaluation = [*pool.held, *new]
    whole = numbers.dev_parts + numbers.test_parts
    size = _dev_size(evaluation, numbers)
    dev = for_dev(evaluation, size, parts=numbers.dev_parts, whole=whole, seed=seed)
    assignment = Assignment()
    assignment.put((pair.member for pair in pool.every), "train")
    assignment.put((pair.member for pair in evaluation), "test")
    assignment.put((pair.member for pair in dev), "dev")
    assignment.constraints += size_constraints(assignment, groups, wanted)
    assignment.constraints += _constraints(pool, new, len(dev), wanted, numbers)
    if numbers.keep_source_shares:
        members = [pair.member for pair in pool.every]
        assignment.constraints += share_constraints(
            assignment, members, "source_share", lambda member: member.source
        )
    return assignment


def bin_of(score: float, bins: int) -> int:
    """Return the bin, from 0, that is nearest to the score: with 51 bins, ten times the score."""
    return int(score / HIGHEST * (bins - 1) + 0.5)


def _pool(groups: Sequence[Group], numbers: ScoreNumbers) -> _Pool:
    pool = _Pool()
    for group in sorted(groups, key=lambda member_group: member_group.id):
        if group.kept is not None:
            kind = pool.train if group.kept == "train" else pool.held
        else:
            kind = pool.free if len(group) == 1 else pool.tied
        for member in group.members:
            score = member.label["label"]
            least = score >= numbers.least_overlap_from
            kind.append(Pair(member, bin_of(score, numbers.bins), least, group.kept))
    return pool


def _new(pool: _Pool, room: int, numbers: ScoreNumbers, *, seed: int) -> list[Pair]:
    """Return the free pairs that join those held in dev and test."""
    held, targets = by_bin(pool.held), None
    quotas = evenly(held, held + by_bin(pool.free), room, seed=seed)
    need = {place: quotas[place] - held[place] for place in sorted(quotas)}
    if numbers.keep_source_shares:
        shares = apportion(by_source(pool.every), sum(quotas.values()))
        there = by_source(pool.held)
        targets = {name: shares[name] - there[name] for name in shares}
    return choose(pool.free, need, targets, seed=seed)


def _dev_size(evaluation: Sequence[Pair], numbers: ScoreNumbers) -> int:
    """Return how many pairs are for dev: its parts, or what earlier versions leave of them."""
    parts: dict[Split, int] = {"dev": numbers.dev_parts, "test": numbers.test_parts}
    kept = Counter(pair.kept for pair in evaluation)
    due = apportion(parts, len(evaluation))["dev"]
    return min(max(due, kept["dev"]), len(evaluation) - kept["test"])


def _constraints(
    pool: _Pool, new: Sequence[Pair], dev: int, wanted: Mapping[Split, int], numbers: ScoreNumbers
) -> list[Constraint]:
    """Return the constraints on bins, groups, overlap and parts.

    `new` are the free pairs that dev and test got, `dev` is how many pairs dev has, with those that
    an earlier version placed there.
    """
    bins, whole = by_bin([*pool.held, *new]), wanted["dev"] + wanted["test"]
    total, least = bins.total(), max(1, whole // numbers.bins)
    full = sum(bins[place] >= least for place in range(numbers.bins))
    due = round(total * numbers.dev_parts / (numbers.dev_parts + numbers.test_parts), 6)
    lone, tied = len(pool.free), len(pool.tied)
    lacking = _lacking(pool, new, whole, least, numbers)
    lack = f", and so dev and test lack pairs of {', '.join(lacking)}" if lacking else ""
    are = verb(tied, "is", "are")
    detail = f"new pairs that are a group alone; the other {tied:,} {are} for train{lack}"
    return [
        _spread(pool, new, bins),
        Constraint(
            "full_bins",
            numbers.bins,
            full,
            full == numbers.bins,
            binds=total < whole,
            detail=f"bins with {count(least, 'pair')} or more",
        ),
        Constraint("lone_pairs", lone + tied, lone, not tied, None, bool(lacking), detail),
        _overlap("least_overlap", pool, [pair for pair in new if pair.least]),
        _overlap("most_overlap", pool, [pair for pair in new if not pair.least]),
        Constraint(
            "parts",
            due,
            dev,
            abs(due - dev) < 1,
            "dev",
            binds=total == whole and dev != wanted["dev"],
            detail=f"dev and test as {numbers.dev_parts} to {numbers.test_parts}",
        ),
    ]


def _spread(pool: _Pool, new: Sequence[Pair], bins: Counter[int]) -> Constraint:
    """Return by how much the fullest bin exceeds the emptiest that has pairs left."""
    there = by_bin(pool.free)
    left = there - by_bin(new)
    most = max(bins.values(), default=0)
    gap = most - min((bins[place] for place in left), default=most)
    full = len(there) - len(left)
    detail = (
        "pairs at most that a bin has more than one with pairs left;"
        f" {count(full, 'bin')} {verb(full, 'has', 'have')} none left"
    )
    return Constraint("uniform_bins", 1, gap, gap <= 1, detail=detail)


def _lacking(
    pool: _Pool, new: Sequence[Pair], whole: int, least: int, numbers: ScoreNumbers
) -> list[str]:
    """Return what dev and test lack although tied pairs have it: their size, bins, sources.

    A source is bound when its lone pairs cannot make up its share, whatever is taken, as no bin
    takes more than the fullest, while its tied pairs could add to them.
    """
    evaluation = [*pool.held, *new]
    bins, left = by_bin(evaluation), by_bin(pool.free) - by_bin(new)
    low = sum(bins[place] < least and not left[place] for place in by_bin(pool.tied))
    lacking = ["their sizes"] if pool.tied and len(evaluation) < whole else []
    lacking += [f"{low} bin{'s' if low > 1 else ''}"] if low else []
    if not numbers.keep_source_shares:
        return lacking
    sources, most = by_source(evaluation), max(bins.values(), default=0)
    due = apportion(by_source(pool.every), len(evaluation))
    lone = _most(pool.free, most) + by_source(pool.held)
    every = _most([*pool.free, *pool.tied], most) + by_source(pool.held)
    return lacking + [
        name
        for name in sorted(due)
        if sources[name] < due[name] and lone[name] < min(due[name], every[name])
    ]


def _most(pairs: Iterable[Pair], level: int) -> Counter[str]:
    """Return how many pairs of each source bins of `level` pairs can take."""
    sizes: Counter[str] = Counter()
    for (_, source), cell_pairs in by_cell(pairs).items():
        sizes[source] += min(len(cell_pairs), level)
    return sizes


def _overlap(name: str, pool: _Pool, new: Sequence[Pair]) -> Constraint:
    """Return the mean overlap of new pairs, and that of as many of their bins drawn at random."""
    overlaps = defaultdict[int, list[float]](list)
    for pair in pool.free:
        overlaps[pair.place].append(pair.overlap)
    random = sum(fmean(overlaps[place]) * units for place, units in sorted(by_bin(new).items()))
    wanted = round(random / max(1, len(new)), 6)
    mean = round(sum(sorted(pair.overlap for pair in new)) / max(1, len(new)), 6)
    least = name == "least_overlap"
    detail = (
        f"mean Jaccard index of morphemes, at {'most' if least else 'least'} that of the same bins"
        " in the pool"
    )
    return Constraint(
        name, wanted, mean, mean <= wanted if least else mean >= wanted, detail=detail
    )
