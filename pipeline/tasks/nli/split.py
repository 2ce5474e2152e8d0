"""NLI: dev and test are whole sets with low distance, styles in balance (Section 3.3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pipeline.contracts.splits import EVALUATION, SPLITS, Split
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.premise_sets import (
    STYLES,
    GroupSets,
    Pool,
    pool_of,
    premise_sets,
)
from pipeline.tasks.nli.spec import SetNumbers

#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"source_pairs", "style_share", "left_out"})
#: A set of dev or test in an earlier version that is no longer complete.
INCOMPLETE: Final = "split.incomplete@1"
#: A pair that shares a group (document, near-duplicates) with a set of dev or test and is in none.
BESIDE: Final = "split.beside@1"


def split(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Assignment:
    """Put least revealing sets of each source into dev and test, the rest into train.

    Eligible are the complete sets with the lowest distances, as many as the `lowest_share` of all
    sets of the source. Dev and test each get the same number of sets from every source of a style:
    what the spec says, scaled to the pool and rounded down to whole sets. If one source has fewer,
    all sources give fewer, so that the styles keep their shares.

    Groups that are one set are taken first. If a set is taken from a larger group, the pairs of the
    group that are in no set taken are left out (`split.beside@1`).

    Sets that an earlier version put into dev or test stay there. If such a set is no longer
    complete, its pairs are left out (`split.incomplete@1`).

    Constraints: `size`, `kept`, `source_pairs`, `lowest_sets`, `style_share`, `complete_sets`,
    `lowest_share`, `left_out`. Raises InputError for a pair without a distance.
    """
    pool = pool_of(sorted(groups, key=lambda group: group.id), numbers, seed=seed)
    level = _level(pool)
    assignment = _assign(groups, pool, _plan(pool, level) or [])
    target = pool.quotas.highest_level(len(assignment.splits))
    short = [source for source in pool.quotas.styles if _fill(pool, source, target) is None]
    binding = [source for source in short if _fill(pool, source, level + 1) is None]
    members = [member for group in groups for member in group.members]
    placed: _Placed = {
        name: [member for member in members if assignment.splits.get(member.id) == name]
        for name in SPLITS
    }
    assignment.constraints += [
        *_size_constraints(placed, pool, target),
        *_source_constraints(placed, pool, target),
        *_supply_constraints(pool, target, short, binding),
        *_style_constraints(placed, pool),
        *_set_constraints(placed, pool),
        Constraint(
            name="left_out",
            wanted=0,
            found=len(assignment.left_out),
            met=not assignment.left_out,
            binds=level < target and not binding,
            detail=f"of {len(members):,}; tied to a set of dev or test, and no such set themselves",
        ),
    ]
    return assignment


def _level(pool: Pool) -> int:
    """Return the highest level of the quotas that all sources can fill, by bisection."""
    left_out_anyway = len(pool.new_beside_kept)
    left_out_anyway += sum(len(premise_set.members) for premise_set, _ in pool.kept_incomplete)
    low, high = 0, pool.quotas.highest_level(pool.size)
    while low < high:
        middle = (low + high + 1) // 2
        taken = _plan(pool, middle)
        left_out = left_out_anyway + sum(len(group_sets.untaken) for group_sets in taken or ())
        if taken is None or middle > pool.quotas.highest_level(pool.size - left_out):
            high = middle - 1
        else:
            low = middle
    return low


def _plan(pool: Pool, level: int) -> list[GroupSets] | None:
    """Return what is taken at a level of the quotas, or None where a source has too few sets."""
    fills = [_fill(pool, source, level) for source in pool.quotas.styles]
    return None if None in fills else [taken for fill in fills for taken in fill or ()]


def _fill(pool: Pool, source: str, level: int) -> list[GroupSets] | None:
    """Return what dev and test take of a source at a level, or None where it has too few sets.

    Each eligible group goes to the split that still needs more sets, or else stays in its own.
    """
    kept, quota = pool.kept_counts(source), pool.quotas.sets(pool.quotas.styles[source], level)
    needed = {name: max(0, quota - kept[name]) for name in EVALUATION}
    taken = []
    for eligible in pool.eligible.get(source, ()):
        if not any(needed.values()):
            break
        split = max(EVALUATION, key=lambda name: (needed[name], name == eligible.split))
        taken.append(eligible._replace(split=split, sets=eligible.sets[: needed[split]]))
        needed[split] -= len(taken[-1].sets)
    return None if any(needed.values()) else taken


def _assign(groups: Sequence[Group], pool: Pool, taken: Sequence[GroupSets]) -> Assignment:
    assignment = Assignment()
    used = {group_sets.group.id for group_sets in taken}
    for group in groups:
        if group.kept not in EVALUATION and group.id not in used:
            assignment.put(group.members, "train")
    for complete, split in pool.kept_complete:
        assignment.put(complete.members, split)
    for incomplete, split in pool.kept_incomplete:
        reason = f"of a set of {split} that is no longer complete"
        assignment.leave_out(incomplete.members, INCOMPLETE, reason)
    for group_sets in taken:
        assignment.put(
            [member for premise_set in group_sets.sets for member in premise_set.members],
            group_sets.split,
        )
    untaken = [(member, group_sets.split) for group_sets in taken for member in group_sets.untaken]
    for member, split in [*pool.new_beside_kept, *untaken]:
        reason = f"tied to a set of {split} by its premise or document, and no set for {split}"
        assignment.leave_out([member], BESIDE, reason)
    return assignment


_Placed = Mapping[Split, Sequence[Member]]


def _size_constraints(placed: _Placed, pool: Pool, target: int) -> Iterator[Constraint]:
    evaluation = sum(_quota_in_pairs(pool, source, target) for source in pool.quotas.styles)
    train = sum(map(len, placed.values())) - 2 * evaluation
    wanted = {"dev": evaluation, "test": evaluation, "train": train}
    for split in SPLITS:
        size = len(placed[split])
        yield Constraint(
            name="size",
            wanted=wanted[split],
            found=size,
            met=size >= wanted[split],
            split=split,
            detail=f"whole sets of {pool.quotas.numbers.set_size}" if split in EVALUATION else "",
        )
    for split in EVALUATION:
        if kept := sum(bool(member.kept) for member in placed[split]):
            too_many = kept > wanted[split]
            yield Constraint(
                name="kept",
                wanted=wanted[split],
                found=kept,
                met=not too_many,
                split=split,
                binds=too_many,
            )


def _quota_in_pairs(pool: Pool, source: str, level: int) -> int:
    style = pool.quotas.styles.get(source)
    return pool.quotas.sets(style, level) * pool.quotas.numbers.set_size if style else 0


def _source_constraints(placed: _Placed, pool: Pool, target: int) -> Iterator[Constraint]:
    for split in EVALUATION:
        sizes = Counter(member.source for member in placed[split])
        for source in sorted({*pool.quotas.styles, *sizes}):
            wanted = _quota_in_pairs(pool, source, target)
            yield Constraint(
                name="source_pairs",
                wanted=wanted,
                found=sizes[source],
                met=sizes[source] >= wanted,
                split=split,
                detail=source,
            )


def _supply_constraints(
    pool: Pool, target: int, short: Sequence[str], binding: Sequence[str]
) -> Iterator[Constraint]:
    for source, style in pool.quotas.styles.items():
        eligible = sum(len(group_sets.sets) for group_sets in pool.eligible.get(source, ()))
        yield Constraint(
            name="lowest_sets",
            wanted=pool.quotas.sets(style, target) * len(EVALUATION),
            found=pool.kept_counts(source).total() + eligible,
            met=source not in short,
            binds=source in binding,
            detail=f"{source}: sets; the lowest share of all {pool.premise_counts[source]:,} is"
            f" {len(pool.least_revealing.get(source, ())):,} of"
            f" {pool.complete_counts[source]:,} complete ones",
        )


def _style_constraints(placed: _Placed, pool: Pool) -> Iterator[Constraint]:
    quotas = pool.quotas
    for split in EVALUATION:
        pairs = len(placed[split])
        styles = Counter(member.style for member in placed[split])
        slack = len(quotas.styles) * quotas.numbers.set_size / max(1, pairs)
        for style in STYLES:
            wanted, share = quotas.shares[style], round(styles[style] / max(1, pairs), 6)
            met = abs(share - wanted) <= (slack if pairs else 0) + 1e-9
            yield Constraint(
                name="style_share",
                wanted=wanted,
                found=share,
                met=met,
                split=split,
                binds=not met,
                detail=f"{style}: a share of the pairs; {quotas.source_counts[style]} sources",
            )


def _set_constraints(placed: _Placed, pool: Pool) -> Iterator[Constraint]:
    least_revealing = {
        premise_set.id for sets in pool.least_revealing.values() for premise_set in sets
    }
    share = f"{pool.quotas.numbers.lowest_share:g} of a source's sets, complete or not"
    for split in EVALUATION:
        sets = premise_sets(placed[split], pool.quotas.numbers)
        complete = sum(premise_set.complete for premise_set in sets)
        yield Constraint(
            name="complete_sets",
            wanted=len(sets),
            found=complete,
            met=complete == len(sets),
            split=split,
            detail="sets",
        )
        others = [premise_set for premise_set in sets if premise_set.id not in least_revealing]
        kept = sum(bool(premise_set.members[0].kept) for premise_set in others)
        yield Constraint(
            name="lowest_share",
            wanted=len(sets),
            found=len(sets) - len(others),
            met=len(others) == kept,
            split=split,
            detail=f"sets; {share}; {kept} of the others were placed by an earlier version",
        )
