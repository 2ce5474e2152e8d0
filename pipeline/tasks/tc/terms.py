"""Headlines that hold a term which no headline of train has (paper 3.1.1, Final Dataset)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.core.ids import draw
from pipeline.core.morphology import morphemes
from pipeline.release.splits.member import Group

#: Common and proper nouns, foreign words, Chinese characters.
NOUNS: Final = frozenset({"NNG", "NNP", "SL", "SH"})
#: Nouns of one syllable are mostly splinters of names that the dictionary lacks.
SHORTEST: Final = 2

Terms = Mapping[str, frozenset[str]]


def terms(title: str) -> frozenset[str]:
    """Return the nouns of a headline, in lower case, of two characters or more."""
    parts = (part for one in morphemes(title) for part in one.parts)
    return frozenset(
        form.casefold() for form, tag in parts if tag in NOUNS and len(form) >= SHORTEST
    )


def terms_of(groups: Iterable[Group]) -> dict[str, frozenset[str]]:
    """Return the terms of all headlines of each group, by its id."""
    return {
        one.id: frozenset[str]().union(*(terms(each.fields["title"]) for each in one.members))
        for one in groups
    }


@dataclass(frozen=True)
class Early:
    """Groups of headlines of before the day of evaluation.

    `free` may move, `train` is train for good, `moved` is in dev or test from an earlier version.
    """

    free: Sequence[Group]
    train: Sequence[Group]
    moved: Sequence[Group]


def unseen(early: Early, held: Terms, room: int, *, seed: int) -> set[str]:
    """Return the ids of free groups to move.

    `held` are the terms of every group by its id. A term is moved with all free groups that hold
    it, so that train has it no more; one that train has for good is not moved. First, whatever the
    room, comes a term of each group that an earlier version moved, the one that fewest free groups
    hold, so that its move stays justified; then the rarest terms with at most `room` headlines in
    all. Ties are keyed.
    """
    fixed = frozenset[str]().union(*(held[one.id] for one in early.train))
    holders = _holders(early.free, held, fixed)
    cost = {term: sum(map(len, groups)) for term, groups in holders.items()}

    def rarity(term: str) -> tuple[int, float, str]:
        return cost.get(term, 0), draw(seed, "split.tc.term", term), term

    before = (held[one.id] - fixed for one in early.moved)
    first = {min(each, key=rarity) for each in before if each}
    taken = {one.id for term in first for one in holders.get(term, ())}
    room -= sum(len(one) for one in early.free if one.id in taken)
    for term in sorted(holders, key=rarity):
        more = [one for one in holders[term] if one.id not in taken]
        if sum(map(len, more)) <= room:
            taken.update(one.id for one in more)
            room -= sum(map(len, more))
    return taken


def _holders(groups: Iterable[Group], held: Terms, fixed: frozenset[str]) -> dict[str, list[Group]]:
    """Return the groups that hold each term, but for terms of `fixed`."""
    found = defaultdict(list)
    for one in groups:
        for term in held[one.id] - fixed:
            found[term].append(one)
    return found
