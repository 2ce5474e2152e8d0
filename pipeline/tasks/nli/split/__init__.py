"""NLI: dev and test are whole sets that give least away, styles in balance (paper 3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.release.splits.chosen import Chosen, require_all
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.spec import SetNumbers
from pipeline.tasks.nli.split.constraints import Reached, told
from pipeline.tasks.nli.split.premise_sets import PremiseSet
from pipeline.tasks.nli.split.set_candidates import EVALUATION, PURPOSE, Offer, Pool, pooled

TASK: Final = "nli"
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


def split(groups: Sequence[Group], numbers: SetNumbers, *, seed: int) -> Chosen:
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
    chosen = _placed(groups, pool, _plan(pool, level, seed=seed) or [])
    chosen.constraints += told(chosen, groups, pool, _reached(pool, level, chosen, seed=seed))
    require_all(TASK, chosen)
    return chosen


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


def _reached(pool: Pool, level: int, chosen: Chosen, *, seed: int) -> Reached:
    top = pool.quotas.top(len(chosen.splits))
    sources = pool.quotas.styles
    short = [name for name in sources if _filled(pool, name, top, seed=seed) is None]
    binding = [name for name in short if _filled(pool, name, level + 1, seed=seed) is None]
    return Reached(level, top, short, binding)


def _remaining(pool: Pool, taken: Sequence[Taken]) -> int:
    """Return how many pairs have a split when these are taken."""
    broken = sum(len(one.members) for one, _ in pool.broken)
    return pool.size - broken - len(pool.beside) - sum(len(one.left) for one in taken)


def _placed(groups: Sequence[Group], pool: Pool, taken: Sequence[Taken]) -> Chosen:
    chosen = Chosen()
    used = {one.offer.group.id for one in taken}
    for group in groups:
        if group.kept not in EVALUATION and group.id not in used:
            chosen.put(group.members, "train")
    for one, split in pool.standing:
        chosen.put(one.members, split)
    for one, split in pool.broken:
        chosen.leave(one.members, INCOMPLETE, f"of a set of {split} that is no longer complete")
    for member, split in pool.beside:
        chosen.leave([member], BESIDE, _beside(split))
    for each in taken:
        chosen.put([one for found in each.sets for one in found.members], each.split)
        chosen.leave(each.left, BESIDE, _beside(each.split))
    return chosen


def _beside(split: Split) -> str:
    return f"tied to a set of {split} by its premise or document, and no set for {split}"
