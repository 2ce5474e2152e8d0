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
    parts = (part for word in morphemes(title) for part in word.parts)
    return frozenset(
        form.casefold() for form, tag in parts if tag in NOUNS and len(form) >= SHORTEST
    )


def terms_of(groups: Iterable[Group]) -> dict[str, frozenset[str]]:
    """Return the terms of all headlines of each group, by its id."""
    return {
        group.id: frozenset(term for each in group.members for term in terms(each.fields["title"]))
        for group in groups
    }


@dataclass(frozen=True)
class Early:
    """Groups of headlines before the day of evaluation.

    `free` may move, `train` stays in train, `moved` is in dev or test from an earlier version.
    """

    free: Sequence[Group]
    train: Sequence[Group]
    moved: Sequence[Group]


def unseen(early: Early, held: Terms, room: int, *, seed: int) -> set[str]:
    """Return the ids of free groups to move.

    `held` are the terms of every group by its id. A term is moved with all free groups that hold
    it, so that train no longer has it; terms of `early.train` are not moved. First, whatever the
    room, comes a term of each group that an earlier version moved, the one that fewest free groups
    hold, so that its move stays justified; then the rarest terms with at most `room` headlines in
    all. Ties are keyed.
    """
    fixed = frozenset(term for group in early.train for term in held[group.id])
    holders = defaultdict[str, list[Group]](list)
    for group in early.free:
        for term in held[group.id] - fixed:
            holders[term].append(group)
    cost = {term: sum(map(len, groups)) for term, groups in holders.items()}

    def rarity(term: str) -> tuple[int, float, str]:
        return cost.get(term, 0), draw(seed, "split.tc.term", term), term

    before = (held[group.id] - fixed for group in early.moved)
    first = {min(each, key=rarity) for each in before if each}
    taken = {group.id for term in first for group in holders.get(term, ())}
    room -= sum(len(group) for group in early.free if group.id in taken)
    for term in sorted(holders, key=rarity):
        more = [group for group in holders[term] if group.id not in taken]
        if sum(map(len, more)) <= room:
            taken.update(group.id for group in more)
            room -= sum(map(len, more))
    return taken
