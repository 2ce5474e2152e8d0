"""NLI: dev and test are whole sets that give least away, styles in balance (paper 3.3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pipeline.contracts.splits import SPLITS, Split
from pipeline.release.splits.assignment import Assignment, Constraint, require_all
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.premise_sets import (
    EVALUATION,
    STYLES,
    Pool,
    PremiseSet,
    pool_of,
    premise_sets,
)
from pipeline.tasks.nli.spec import SetNumbers

TASK: Final = "nli"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"source_pairs", "style_share", "left_out"})
#: A set of dev or test in an earlier version that is no longer complete.
INCOMPLETE: Final = "split.incomplete@1"
#: What shares a document or a near-duplicate with a set of dev or test, and is in neither.
BESIDE: Final = "split.beside@1"


class _Taken(NamedTuple):
    group: Group
    split: Split
    sets: tuple[PremiseSet, ...]

    @property
    def left(self) -> list[Member]:
        ids = {member.id for each in self.sets for member in each.members}
        return [member for member in self.group.members if member.id not in ids]


@dataclass(frozen=True)
class _Reached:
    """The level of the quotas reached, and the `top` one that the numbers of the spec ask for.

    `short` are the sources that lack sets for the top, `binding` those for the level above.
    """

    level: int
    top: int
    short: Sequence[str]
    binding: Sequence[str]


def split(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Assignment:
    """Put sets of the lowest share of each source into dev and test, the rest into train.

    The share is one of all sets of a source, its complete ones with the lowest distances.
    Both get the same number of sets from every source of a style, as many as the numbers scaled to
    the pool say, rounded down to whole sets. Where a source has fewer, all get fewer, so that the
    styles keep their shares. Sets whose group is that set alone come first; of another group, what
    is no such set is left out (`split.beside@1`). Kept sets of dev and test that are no longer
    complete are left out (`split.incomplete@1`).

    Constraints: `size`, `kept`, `source_pairs`, `lowest_sets`, `style_share`, `complete_sets`,
    `lowest_share`, `left_out`. Raises InputError for a pair without a distance, and when a split
    gets no example.
    """
    pool = pool_of(sorted(groups, key=lambda group: group.id), numbers, seed=seed)
    level = _level(pool)
    assignment = _assign(groups, pool, _plan(pool, level) or [])
    top = pool.quotas.top(len(assignment.splits))
    short = [source for source in pool.quotas.styles if _fill(pool, source, top) is None]
    binding = [source for source in short if _fill(pool, source, level + 1) is None]
    reached = _Reached(level, top, short, binding)
    members = [member for group in groups for member in group.members]
    placed: _Placed = {
        name: [member for member in members if assignment.splits.get(member.id) == name]
        for name in SPLITS
    }
    assignment.constraints += [
        *_sizes(placed, pool, reached),
        *_sources(placed, pool, reached),
        *_supply(pool, reached),
        *_shares(placed, pool),
        *_sets(placed, pool),
        _left_out(members, assignment, reached),
    ]
    require_all(TASK, assignment)
    return assignment


def _level(pool: Pool) -> int:
    """Return the highest level of the quotas that all sources can fill, by bisection."""
    broken = sum(len(each.members) for each, _ in pool.broken)
    low, high = 0, pool.quotas.top(pool.size)
    while low < high:
        middle = (low + high + 1) // 2
        taken = _plan(pool, middle)
        left_out = broken + len(pool.beside) + sum(len(each.left) for each in taken or ())
        if taken is None or middle > pool.quotas.top(pool.size - left_out):
            high = middle - 1
        else:
            low = middle
    return low


def _plan(pool: Pool, level: int) -> list[_Taken] | None:
    """Return what is taken at a level of the quotas, or None where a source lacks sets."""
    plan: list[_Taken] = []
    for source in pool.quotas.styles:
        taken = _fill(pool, source, level)
        if taken is None:
            return None
        plan += taken
    return plan


def _fill(pool: Pool, source: str, level: int) -> list[_Taken] | None:
    """Fill dev and test from a source: each offer goes where most is lacking, else by a draw."""
    stands, quota = pool.stands(source), pool.quotas.sets(pool.quotas.styles[source], level)
    lacks = {name: max(0, quota - stands[name]) for name in EVALUATION}
    taken = []
    for offer in pool.offers.get(source, ()):
        if not any(lacks.values()):
            break
        split = max(EVALUATION, key=lambda name: (lacks[name], name == offer.first))
        sets = offer.sets[: lacks[split]]
        taken.append(_Taken(offer.group, split, sets))
        lacks[split] -= len(sets)
    return None if any(lacks.values()) else taken


def _assign(groups: Sequence[Group], pool: Pool, taken: Sequence[_Taken]) -> Assignment:
    assignment = Assignment()
    used = {each.group.id for each in taken}
    for group in groups:
        if group.kept not in EVALUATION and group.id not in used:
            assignment.put(group.members, "train")
    for standing, split in pool.standing:
        assignment.put(standing.members, split)
    for broken, split in pool.broken:
        reason = f"of a set of {split} that is no longer complete"
        assignment.leave_out(broken.members, INCOMPLETE, reason)
    for each in taken:
        assignment.put([member for own in each.sets for member in own.members], each.split)
    for member, split in [*pool.beside, *((m, each.split) for each in taken for m in each.left)]:
        reason = f"tied to a set of {split} by its premise or document, and no set for {split}"
        assignment.leave_out([member], BESIDE, reason)
    return assignment


_Placed = Mapping[Split, Sequence[Member]]


def _sizes(placed: _Placed, pool: Pool, reached: _Reached) -> Iterator[Constraint]:
    evaluation = sum(_pairs(pool, source, reached.top) for source in pool.quotas.styles)
    train = sum(map(len, placed.values())) - 2 * evaluation
    wanted = {"dev": evaluation, "test": evaluation, "train": train}
    for split in SPLITS:
        size = len(placed[split])
        detail = f"whole sets of {pool.quotas.numbers.set_size}" if split in EVALUATION else ""
        yield Constraint("size", wanted[split], size, size >= wanted[split], split, detail=detail)
    for split in EVALUATION:
        if kept := sum(bool(member.kept) for member in placed[split]):
            over = kept > wanted[split]
            yield Constraint("kept", wanted[split], kept, not over, split, over)


def _pairs(pool: Pool, source: str, level: int) -> int:
    style = pool.quotas.styles.get(source)
    return pool.quotas.sets(style, level) * pool.quotas.numbers.set_size if style else 0


def _sources(placed: _Placed, pool: Pool, reached: _Reached) -> Iterator[Constraint]:
    for split in EVALUATION:
        sizes = Counter(member.source for member in placed[split])
        for name in sorted({*pool.quotas.styles, *sizes}):
            wanted = _pairs(pool, name, reached.top)
            met = sizes[name] >= wanted
            yield Constraint("source_pairs", wanted, sizes[name], met, split, detail=name)


def _supply(pool: Pool, reached: _Reached) -> Iterator[Constraint]:
    for name, style in pool.quotas.styles.items():
        wanted = pool.quotas.sets(style, reached.top) * len(EVALUATION)
        new = sum(len(offer.sets) for offer in pool.offers.get(name, ()))
        detail = (
            f"{name}: sets; the lowest share of all {pool.premises[name]:,} is"
            f" {len(pool.lowest.get(name, ())):,} of {pool.complete[name]:,} complete ones"
        )
        met, binds = name not in reached.short, name in reached.binding
        supply = pool.stands(name).total() + new
        yield Constraint("lowest_sets", wanted, supply, met, None, binds, detail)


def _shares(placed: _Placed, pool: Pool) -> Iterator[Constraint]:
    quotas = pool.quotas
    for split in EVALUATION:
        pairs = len(placed[split])
        styles = Counter(member.style for member in placed[split])
        slack = len(quotas.styles) * quotas.numbers.set_size / max(1, pairs)
        for style in STYLES:
            wanted, share = quotas.shares[style], round(styles[style] / max(1, pairs), 6)
            met = abs(share - wanted) <= (slack if pairs else 0) + 1e-9
            detail = f"{style}: a share of the pairs; {quotas.sources[style]} sources"
            yield Constraint("style_share", wanted, share, met, split, not met, detail)


def _sets(placed: _Placed, pool: Pool) -> Iterator[Constraint]:
    low = {each.id for own in pool.lowest.values() for each in own}
    for split in EVALUATION:
        sets = premise_sets(placed[split], pool.quotas.numbers)
        size, whole = len(sets), sum(each.complete for each in sets)
        yield Constraint("complete_sets", size, whole, whole == size, split, detail="sets")
        among = sum(each.id in low for each in sets)
        kept = sum(each.id not in low and bool(each.members[0].kept) for each in sets)
        share = f"{pool.quotas.numbers.lowest_share:g} of a source's sets, complete or not"
        detail = f"sets; {share}; {kept} of the others were placed by an earlier version"
        yield Constraint("lowest_share", size, among, among + kept == size, split, detail=detail)


def _left_out(members: Sequence[Member], assignment: Assignment, reached: _Reached) -> Constraint:
    left = sum(member.id in assignment.left_out for member in members)
    limits = reached.level < reached.top and not reached.binding
    detail = f"of {len(members):,}; tied to a set of dev or test, and no such set themselves"
    return Constraint("left_out", 0, left, left == 0, None, limits, detail)
