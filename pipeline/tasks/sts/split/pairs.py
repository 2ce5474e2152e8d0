"""Pairs of sentences as their score, source and word overlap have them (paper 3.2.1)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.core.morphology import morphemes
from pipeline.release.splits.member import Group, Member
from pipeline.tasks.sts.spec import ScoreNumbers

#: The highest similarity; the lowest is 0.
HIGHEST: Final = 5.0


def bin_of(score: float, bins: int) -> int:
    """Return the bin, from 0, that is nearest to the score: with 51 bins, ten times the score."""
    return int(score / HIGHEST * (bins - 1) + 0.5)


def evenly(
    held: Mapping[int, int], there: Mapping[int, int], total: int, *, seed: int
) -> dict[int, int]:
    """Return how many pairs to have of each bin, `total` of them or as many as there are.

    `held` are those that a bin has already and keeps, `there` all that it can have, `held` with
    them. All bins have as many, or one more; but a bin with fewer has all that there are, and one
    with more what it held. Which bins have the one more is keyed.
    """
    base = _base(held, there, total)
    found = {place: _filled(held, there, place, base) for place in there}
    more = [place for place in there if _filled(held, there, place, base + 1) > found[place]]
    more.sort(key=lambda place: (draw(seed, "split.sts.bin", str(place)), place))
    for place in more[: max(0, total - sum(found.values()))]:
        found[place] += 1
    return found


def _filled(held: Mapping[int, int], there: Mapping[int, int], place: int, base: int) -> int:
    return max(held.get(place, 0), min(base, there[place]))


def _base(held: Mapping[int, int], there: Mapping[int, int], total: int) -> int:
    """Return the largest number of pairs a bin with which all bins have no more than `total`."""
    low, high = 0, max(there.values(), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        fits = sum(_filled(held, there, place, middle) for place in there) <= total
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


#: The bin of a pair and its source.
Cell = tuple[int, str]


@dataclass(frozen=True)
class Pair:
    """A pair, its bin, whether few common words make it welcome in dev and test or many.

    `kept` is the split that an earlier version gave its group.
    """

    member: Member
    place: int
    least: bool
    kept: Split | None = None

    @property
    def cell(self) -> Cell:
        """Return its bin and its source."""
        return self.place, self.member.source

    @cached_property
    def overlap(self) -> float:
        """Return the word overlap of its sentences."""
        return overlap(self.member.fields["sentence1"], self.member.fields["sentence2"])

    @property
    def cost(self) -> float:
        """Return how little welcome it is in dev and test, from 0 to 1."""
        return self.overlap if self.least else 1 - self.overlap

    def order(self, seed: int) -> tuple[float, float, str]:
        """Return its place among the pairs of its cell: the most welcome first, ties keyed."""
        return self.cost, draw(seed, "split.sts.pair", self.member.id), self.member.id


@dataclass(frozen=True)
class Pool:
    """Pairs free for dev and test, held there by an earlier version, and those for train alone."""

    free: list[Pair]
    held: list[Pair]
    tied: list[Pair]
    train: list[Pair]

    @property
    def every(self) -> list[Pair]:
        """Return all pairs."""
        return [*self.free, *self.held, *self.tied, *self.train]


def overlap(first: str, second: str) -> float:
    """Return the Jaccard index of the sets of morphemes of two sentences, from 0 to 1.

    Two sentences without any morpheme are the same.
    """
    one, other = ({each.form for each in morphemes(text)} for text in (first, second))
    both = one | other
    return len(one & other) / len(both) if both else 1.0


def pairs(group: Group, numbers: ScoreNumbers) -> list[Pair]:
    """Return the pairs of a group, in the bins of their scores."""
    found = []
    for one in group.members:
        place = bin_of(one.label["label"], numbers.bins)
        least = one.label["label"] >= numbers.least_overlap_from
        found.append(Pair(one, place, least, group.kept))
    return found


def by_cell(given: Iterable[Pair]) -> dict[Cell, list[Pair]]:
    """Return the pairs of each bin and source, cells in order."""
    found = defaultdict(list)
    for one in given:
        found[one.cell].append(one)
    return {cell: found[cell] for cell in sorted(found)}


def by_bin(given: Iterable[Pair]) -> Counter[int]:
    """Return how many pairs each bin has."""
    return Counter(one.place for one in given)


def by_source(given: Iterable[Pair]) -> Counter[str]:
    """Return how many pairs each source has."""
    return Counter(one.member.source for one in given)
