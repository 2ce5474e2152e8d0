"""NLI: dev and test are whole sets that give least away, styles in balance (paper 3.3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.ids import draw
from pipeline.release.splits.assignment import Assignment, Constraint, require_all
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.spec import SetNumbers
from pipeline.tasks.nli.split.candidates import EVALUATION, PURPOSE, STYLES, Offer, Pool, pooled
from pipeline.tasks.nli.split.premise_sets import PremiseSet, premise_sets

TASK: Final = "nli"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"source_pairs", "style_share", "left_out"})
#: A set of dev or test in an earlier version that is no longer complete.
INCOMPLETE: Final = "split.incomplete@1"
#: What shares a document or a near-duplicate with a set of dev or test, and is in neither.
BESIDE: Final = "split.beside@1"


@dataclass(frozen=True)
class Taken:
    """An offer of which a split takes these sets."""

    offer: Offer
    split: Split
    sets: tuple[PremiseSet, ...]

    @property
    def left(self) -> list[Member]:
        """Return what is not taken of its group."""
        ids = {one.id for each in self.sets for one in each.members}
        return [one for one in self.offer.group.members if one.id not in ids]


def split(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Assignment:
    """Put sets of the lowest share of each source into dev and test, the rest into train.

    The share is one of all sets of a source, its complete ones with the lowest distances.
    Both get the same number of sets from every source of a style, as many as the numbers scaled to
    the pool say, rounded down to whole sets. Where a source has fewer, all get fewer, so that the
    styles keep their shares. Sets whose group is that set alone come first; of another group, what
    is no such set is left out (`split.beside@1`). Kept sets of dev and test that are no longer
    complete are left out (`split.incomplete@1`).

    Constraints: see unbiased_told.py. Raises InputError for a pair without a distance, and when a
    split gets no example.
    """
    pool = pooled(sorted(groups, key=lambda one: one.id), numbers, seed=seed)
    level = _level(pool, seed=seed)
    assignment = _placed(groups, pool, _plan(pool, level, seed=seed) or [])
    assignment.constraints += told(
        assignment, groups, pool, _reached(pool, level, assignment, seed=seed)
    )
    require_all(TASK, assignment)
    return assignment


def _level(pool: Pool, *, seed: int) -> int:
    """Return the highest level of the quotas that all sources can fill, by bisection."""
    low, high = 0, pool.quotas.top(pool.size)
    while low < high:
        middle = (low + high + 1) // 2
        taken = _plan(pool, middle, seed=seed)
        if taken is None or middle > pool.quotas.top(_remaining(pool, taken)):
            high = middle - 1
        else:
            low = middle
    return low


def _plan(pool: Pool, level: int, *, seed: int) -> list[Taken] | None:
    """Return what is taken at a level of the quotas, or None where a source lacks sets."""
    found = []
    for source in pool.quotas.styles:
        taken = _filled(pool, source, level, seed=seed)
        if taken is None:
            return None
        found += taken
    return found


def _filled(pool: Pool, source: str, level: int, *, seed: int) -> list[Taken] | None:
    """Fill dev and test from a source: each offer goes where most is lacking, else by a draw."""
    stands, quota = pool.stands(source), pool.quotas.sets(source, level)
    lacks = {name: max(0, quota - stands[name]) for name in EVALUATION}
    taken = []
    for one in pool.offers.get(source, ()):
        if not any(lacks.values()):
            break
        first = draw(seed, f"{PURPOSE} dev", one.group.id) < 0.5
        order = EVALUATION if first else EVALUATION[::-1]
        split = max(order, key=lambda name: lacks[name])
        sets = one.sets[: lacks[split]]
        taken.append(Taken(one, split, sets))
        lacks[split] -= len(sets)
    return None if any(lacks.values()) else taken


def _reached(pool: Pool, level: int, assignment: Assignment, *, seed: int) -> Reached:
    top = pool.quotas.top(len(assignment.splits))
    sources = pool.quotas.styles
    short = [name for name in sources if _filled(pool, name, top, seed=seed) is None]
    binding = [name for name in short if _filled(pool, name, level + 1, seed=seed) is None]
    return Reached(level, top, short, binding)


def _remaining(pool: Pool, taken: Sequence[Taken]) -> int:
    """Return how many pairs have a split when these are taken."""
    broken = sum(len(one.members) for one, _ in pool.broken)
    return pool.size - broken - len(pool.beside) - sum(len(one.left) for one in taken)


def _placed(groups: Sequence[Group], pool: Pool, taken: Sequence[Taken]) -> Assignment:
    assignment = Assignment()
    used = {one.offer.group.id for one in taken}
    for group in groups:
        if group.kept not in EVALUATION and group.id not in used:
            assignment.put(group.members, "train")
    for one, split in pool.standing:
        assignment.put(one.members, split)
    for one, split in pool.broken:
        assignment.leave_out(
            one.members, INCOMPLETE, f"of a set of {split} that is no longer complete"
        )
    for member, split in pool.beside:
        assignment.leave_out([member], BESIDE, _beside(split))
    for each in taken:
        assignment.put([one for found in each.sets for one in found.members], each.split)
        assignment.leave_out(each.left, BESIDE, _beside(each.split))
    return assignment


def _beside(split: Split) -> str:
    return f"tied to a set of {split} by its premise or document, and no set for {split}"


Placed = Mapping[Split, Sequence[Member]]


@dataclass(frozen=True)
class Reached:
    """The level of the quotas reached, and the `top` one that the numbers of the spec ask for.

    `short` are the sources that lack sets for the top, `binding` those for the level above.
    """

    level: int
    top: int
    short: Sequence[str]
    binding: Sequence[str]


def told(
    assignment: Assignment, groups: Sequence[Group], pool: Pool, reached: Reached
) -> list[Constraint]:
    """Return the constraints of what was assignment."""
    members = [one for group in groups for one in group.members]
    placed: Placed = {
        name: [one for one in members if assignment.splits.get(one.id) == name] for name in SPLITS
    }
    return [
        *_sizes(placed, pool, reached),
        *_sources(placed, pool, reached),
        *_supply(pool, reached),
        *_shares(placed, pool),
        *_sets(placed, pool),
        _left_out(members, assignment, reached),
    ]


def _sizes(placed: Placed, pool: Pool, reached: Reached) -> Iterator[Constraint]:
    one = sum(_pairs(pool, source, reached.top) for source in pool.quotas.styles)
    wanted = {"dev": one, "test": one, "train": sum(map(len, placed.values())) - 2 * one}
    for split in SPLITS:
        found = len(placed[split])
        detail = f"whole sets of {pool.quotas.numbers.set_size}" if split in EVALUATION else ""
        yield Constraint("size", wanted[split], found, found >= wanted[split], split, detail=detail)
    for split in EVALUATION:
        kept = sum(bool(one.kept) for one in placed[split])
        if kept:
            over = kept > wanted[split]
            yield Constraint("kept", wanted[split], kept, not over, split, over)


def _pairs(pool: Pool, source: str, level: int) -> int:
    return pool.quotas.sets(source, level) * pool.quotas.numbers.set_size


def _sources(placed: Placed, pool: Pool, reached: Reached) -> Iterator[Constraint]:
    for split in EVALUATION:
        found = Counter(one.source for one in placed[split])
        for name in sorted({*pool.quotas.styles, *found}):
            wanted = _pairs(pool, name, reached.top) if name in pool.quotas.styles else 0
            met = found[name] >= wanted
            yield Constraint("source_pairs", wanted, found[name], met, split, detail=name)


def _supply(pool: Pool, reached: Reached) -> Iterator[Constraint]:
    for name in pool.quotas.styles:
        wanted = pool.quotas.sets(name, reached.top) * len(EVALUATION)
        new = sum(len(one.sets) for one in pool.offers.get(name, ()))
        found = pool.stands(name).total() + new
        detail = (
            f"{name}: sets; the lowest share of all {pool.premises[name]:,} is"
            f" {len(pool.lowest.get(name, ())):,} of {pool.complete[name]:,} complete ones"
        )
        met, binds = name not in reached.short, name in reached.binding
        yield Constraint("lowest_sets", wanted, found, met, None, binds, detail)


def _shares(placed: Placed, pool: Pool) -> Iterator[Constraint]:
    many = len(pool.quotas.styles)
    for split in EVALUATION:
        pairs = len(placed[split])
        styles = Counter(one.style for one in placed[split])
        for style in STYLES:
            wanted = pool.quotas.shares[style]
            found = round(styles[style] / pairs, 6) if pairs else 0.0
            slack = many * pool.quotas.numbers.set_size / pairs if pairs else 0.0
            met = abs(found - wanted) <= slack + 1e-9
            sources = len(pool.quotas.sources(style))
            detail = f"{style}: a share of the pairs; {sources} sources"
            yield Constraint("style_share", wanted, found, met, split, not met, detail)


def _sets(placed: Placed, pool: Pool) -> Iterator[Constraint]:
    low = {one.id for each in pool.lowest.values() for one in each}
    for split in EVALUATION:
        sets = premise_sets(placed[split], pool.quotas.numbers)
        whole = sum(one.complete for one in sets)
        yield Constraint(
            "complete_sets", len(sets), whole, whole == len(sets), split, detail="sets"
        )
        among = sum(one.id in low for one in sets)
        kept = sum(one.id not in low and bool(one.members[0].kept) for one in sets)
        share = f"{pool.quotas.numbers.lowest_share:g} of a source's sets, complete or not"
        detail = f"sets; {share}; {kept} of the others were placed by an earlier version"
        met = among + kept == len(sets)
        yield Constraint("lowest_share", len(sets), among, met, split, detail=detail)


def _left_out(members: Sequence[Member], assignment: Assignment, reached: Reached) -> Constraint:
    left = sum(one.id in assignment.left_out for one in members)
    limits = reached.level < reached.top and not reached.binding
    detail = f"of {len(members):,}; tied to a set of dev or test, and no such set themselves"
    return Constraint("left_out", 0, left, left == 0, None, limits, detail)
