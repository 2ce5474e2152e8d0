"""Each annotator's judgements against what the usual annotator would have said of the units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from pipeline.agreement.annotators.judgements import Judgements
from pipeline.agreement.annotators.truth_model import TruthModel
from pipeline.agreement.votes.ratings import Real, Whole

#: Cells of judgements x labels that are looked at together.
_BLOCK: Final = 100_000


class Block(NamedTuple):
    """Some judgements of a portrait; arrays (judgements,) and (judgements, labels).

    `value` is the label given. `truth` is the posterior of the right label by all other votes,
    `usual` how likely the usual annotator gives each label.
    """

    value: Whole
    truth: Real
    usual: Real

    def numbers(self) -> Numbers:
        """Return what single judgements come to."""
        seen = self.truth[np.arange(len(self.value)), self.value]
        expected = (self.usual * self.truth).sum(axis=1)
        variance = (self.usual * self.truth**2).sum(axis=1) - expected**2
        return Numbers(seen, expected, variance)


class Numbers(NamedTuple):
    """What judgements come to, (judgements,).

    `seen` is the posterior of the label given, `expected` what `seen` is for the usual annotator on
    average, and `variance` how it varies.
    """

    seen: Real
    expected: Real
    variance: Real

    @classmethod
    def join(cls, parts: Iterable[Numbers]) -> Numbers:
        """Return those of all parts, one after another."""
        columns = zip(*parts, strict=True)
        return cls(*(np.concatenate(column) for column in columns))


@dataclass(frozen=True)
class Portrait:
    """The judgements of one annotator; arrays (judgements,).

    `item` is the item of each, `place` the vote, `value` the label given.
    """

    rater: int
    item: Whole
    place: Whole
    value: Whole
    unit: Whole
    model: TruthModel

    def __len__(self) -> int:
        """Return the number of judgements."""
        return len(self.value)

    def blocks(self) -> Iterator[Block]:
        """Yield the judgements, some at a time: there are many labels; none are one block."""
        step = max(_BLOCK // len(self.model.usual), 1)
        for first in range(0, max(len(self), 1), step):
            part = slice(first, first + step)
            value = self.value[part]
            truth = self.model.truth_without(self.unit[part], self.rater, value)
            yield Block(value, truth, truth @ self.model.usual)

    @cached_property
    def numbers(self) -> Numbers:
        """Return what each judgement comes to."""
        return Numbers.join(block.numbers() for block in self.blocks())

    def likely(self, label: int) -> Real:
        """Return for each judgement the posterior of a label by all other votes."""
        return np.concatenate([block.truth[:, label] for block in self.blocks()])

    def items_by(self, weight: Real, most: int) -> tuple[int, ...]:
        """Return the items whose judgements weigh most, without those of no weight."""
        order = np.lexsort((self.item, -weight))
        order = order[weight[order] > 1e-9]
        _, first = np.unique(self.item[order], return_index=True)
        return tuple(self.item[order][np.sort(first)][:most].tolist())


class Gallery:
    """Portraits of all named annotators, drawn when they are asked for."""

    def __init__(self, judged: Judgements, model: TruthModel, raters: int) -> None:
        """Sort the judgements by annotator."""
        self._judged, self._model = judged, model
        self._order = np.argsort(judged.rater, kind="stable")
        self._ends = np.searchsorted(judged.rater[self._order], np.arange(raters + 1))

    def __iter__(self) -> Iterator[Portrait]:
        """Yield the portraits in the order of the raters."""
        for rater in range(len(self._ends) - 1):
            yield self[rater]

    def __getitem__(self, rater: int) -> Portrait:
        """Return the portrait of one annotator."""
        judged, model = self._judged, self._model
        rows = self._order[self._ends[rater] : self._ends[rater + 1]]
        unit, value = judged.unit[rows], judged.value[rows]
        return Portrait(rater, judged.item[unit], judged.place[rows], value, unit, model)


def item_sums(item: Whole, numbers: Real) -> tuple[Whole, Real]:
    """Return the distinct items in their order, and the sum of the numbers of each."""
    items, place = np.unique(item, return_inverse=True)
    return items, np.bincount(place, numbers, len(items)).astype(np.float64)
