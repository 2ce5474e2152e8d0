"""Each annotator's judgements against what the usual annotator would have said of the units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.agreement.annotators.judgements import Judgements
from pipeline.agreement.annotators.truth_model import TruthModel
from pipeline.agreement.votes.ratings import Real, Whole


@dataclass(frozen=True)
class Portrait:
    """The judgements of one annotator; arrays (judgements,) and (judgements, labels).

    `item` is the item of each, `value` the label given. `truth` is the posterior of the right label
    by all other votes, `usual` how likely the usual annotator gives each label. `seen` is the
    posterior of the label given, `expected` what `seen` is for the usual annotator on average, and
    `variance` how it varies.
    """

    rater: int
    item: Whole
    place: Whole
    value: Whole
    truth: Real
    usual: Real

    def __len__(self) -> int:
        """Return the number of judgements."""
        return len(self.value)

    @cached_property
    def seen(self) -> Real:
        """Return the posterior of the label given."""
        return np.asarray(self.truth[np.arange(len(self)), self.value])

    @cached_property
    def expected(self) -> Real:
        """Return what `seen` would be on average."""
        return np.asarray((self.usual * self.truth).sum(axis=1))

    @cached_property
    def variance(self) -> Real:
        """Return how `seen` would vary."""
        return np.asarray((self.usual * self.truth**2).sum(axis=1) - self.expected**2)

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
        truth = model.truth_without(unit, rater, value)
        return Portrait(
            rater, judged.item[unit], judged.place[rows], value, truth, truth @ model.usual
        )


def item_sums(item: Whole, numbers: Real) -> tuple[Whole, Real]:
    """Return the distinct items in their order, and the sum of the numbers of each."""
    items, place = np.unique(item, return_inverse=True)
    return items, np.bincount(place, numbers, len(items)).astype(np.float64)
