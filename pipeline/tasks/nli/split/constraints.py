"""The constraints of the split of NLI: what was wanted of each source and set, and what binds.

`size`, `source_pairs` and `lowest_sets` (those of a source for both splits) want what the spec
gives, scaled to the pairs that have a split; `style_share` wants the share of a style, to one set
of each source; `complete_sets` and `lowest_share` count the sets of dev and test: those of the
second are complete ones with the lowest distances, as many of a source as the share of all its
sets. `left_out` are pairs that could not go with a set of dev or test, `kept` those of an earlier
version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.contracts.splits import SPLITS, Split
from pipeline.release.splits.chosen import Chosen, Constraint
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.nli.split.premise_sets import premise_sets
from pipeline.tasks.nli.split.set_candidates import EVALUATION, Pool
from pipeline.tasks.nli.split.style_quotas import STYLES

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


def told(chosen: Chosen, groups: Sequence[Group], pool: Pool, reached: Reached) -> list[Constraint]:
    """Return the constraints of what was chosen."""
    members = [one for group in groups for one in group.members]
    placed: Placed = {
        name: [one for one in members if chosen.splits.get(one.id) == name] for name in SPLITS
    }
    return [
        *_sizes(placed, pool, reached),
        *_sources(placed, pool, reached),
        *_supply(pool, reached),
        *_shares(placed, pool),
        *_sets(placed, pool),
        _beside(members, chosen, reached),
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


def _beside(members: Sequence[Member], chosen: Chosen, reached: Reached) -> Constraint:
    left = sum(one.id in chosen.left for one in members)
    limits = reached.level < reached.top and not reached.binding
    detail = f"of {len(members):,}; tied to a set of dev or test, and no such set themselves"
    return Constraint("left_out", 0, left, left == 0, None, limits, detail)
