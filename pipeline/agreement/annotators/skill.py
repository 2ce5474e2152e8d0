"""How far every annotator agrees with the others beyond chance, and whether they heed the items."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from scipy.special import ndtr

from pipeline.agreement.annotators.measures import Measures
from pipeline.agreement.votes.ratings import Ratings, Real, Whole
from pipeline.agreement.votes.selection import Selection

#: Deviations of a chi-square beyond which labels go with those of the others.
_DEPENDENT: Final = 5.0


class Skill:
    """Agreement beyond chance of every annotator, arrays (raters,); NaN where it cannot be told.

    Numbers: `value` is Pearson's r with the mean of the others. Categories: (agreement - chance) /
    (1 - chance), chance from the annotator's own labels and those of the others on the same items,
    so that it is 0 for whoever pays no heed to the items, however they spread their labels.
    `error` is its standard error (delta method); `labels` and `rest` hold the labels given by
    everybody, and the mean labels of the others, on the items shared (raters, labels).
    """

    def __init__(self, selection: Selection, stats: Measures) -> None:
        """Measure the annotators of atomic votes."""
        self._ratings, self._stats = selection.ratings, stats
        self.numeric = selection.kind == "number"
        self.labels, self.rest = _margins(selection.ratings, stats)
        self.n = np.maximum(stats.shared, 1).astype(np.float64)
        self.value, self.error = self._correlation() if self.numeric else self._beyond_chance()

    def below(self, rater: int, limit: float) -> float:
        """Return how likely agreement as low as this is for somebody whose own is the limit.

        Correlations are compared on Fisher's scale, where their error does not depend on them.
        """
        value = float(self.value[rater])
        if not self.numeric:
            return float(ndtr((value - limit) / self.error[rater]))
        left, right = np.arctanh(np.clip((value, limit), -0.999999, 0.999999))
        return float(ndtr((left - right) * np.sqrt(max(self.n[rater] - 3, 1.0))))

    def heedless(self, rater: int) -> bool:
        """Tell whether agreement is not surely above chance (one-sided, 1 %)."""
        value = float(self.value[rater])
        return bool(np.isnan(value) or value - 2.33 * self.error[rater] <= 0)

    def habit(self, rater: int) -> tuple[Any, Any] | None:
        """Return a label that somebody gives, and what the others mostly say there instead.

        None unless the annotator's labels surely go with those of the others. Of all pairs of
        different labels it is the one most above independence.
        """
        if self.numeric or not self.labels.shape[1]:
            return None
        label, shares = self._against(rater)
        columns = np.flatnonzero(shares.sum(axis=0))
        answers, place = np.unique(label, return_inverse=True)
        table = np.zeros((len(answers), len(columns)))
        np.add.at(table, place, shares[:, columns])
        expected = np.outer(table.sum(axis=1), shares[:, columns].mean(axis=0))
        if not _is_dependent(table, expected, shares[:, columns]):
            return None
        above = np.where(answers[:, None] == columns[None, :], -np.inf, table - expected)
        row, other = np.unravel_index(int(above.argmax()), above.shape)
        return self._ratings.values[answers[row]], self._ratings.values[columns[other]]

    def _against(self, rater: int) -> tuple[Whole, Real]:
        """Return the labels of the annotator's shared votes, and the shares of the others' there.

        Arrays (votes,) and (votes, labels).
        """
        place = self._stats.others.place[self._stats.others.rater == rater]
        units, label = self._ratings.patterns, self._ratings.value[place].astype(np.int64)
        counts = units.table[units.of_unit[self._ratings.unit[place]]].toarray()
        counts[np.arange(len(label)), label] -= 1
        return label, counts / counts.sum(axis=1, keepdims=True)

    def _correlation(self) -> tuple[Real, Real]:
        r = self._stats.fields["pearson_vs_rest"]
        spread = np.maximum(1 - np.nan_to_num(r) ** 2, 0.05)
        return r, spread / np.sqrt(np.maximum(self.n - 3, 1))

    def _beyond_chance(self) -> tuple[Real, Real]:
        n, agree, pairs = (
            self.n,
            self._stats.fields["agreement_vs_rest"],
            self._stats.others,
        )
        if not self.labels.shape[1]:
            return np.full(len(n), np.nan), np.full(len(n), np.nan)
        chance = (self.labels * self.rest).sum(axis=1) / n**2
        able = chance < 1 - 1e-9
        room = np.where(able, 1 - chance, 1.0)
        value = np.where(able, (agree - chance) / room, np.nan)
        met = self._chance_agreement() - 2 * chance[pairs.rater]  # how far a vote moves chance
        moved = pairs.agree - agree[pairs.rater] - (1 - value[pairs.rater]) * met
        spread = np.bincount(pairs.rater, weights=moved**2, minlength=len(n)) / n
        smooth = (np.nan_to_num(agree) * n + 1) / (n + 2)
        return value, np.sqrt(np.maximum(spread, smooth * (1 - smooth) / 2) / n) / room

    def _chance_agreement(self) -> Real:
        """Return for every vote how often its label meets the others', and theirs the annotator's.

        Agreement by chance is the mean of either over an annotator's votes, (votes,).
        """
        pairs, ratings = self._stats.others, self._ratings
        given_share, others_share = self.labels / self.n[:, None], self.rest / self.n[:, None]
        label, pattern = (
            ratings.value[pairs.place],
            ratings.patterns.of_unit[ratings.unit[pairs.place]],
        )
        agreement = others_share[pairs.rater, label]
        company = ratings.patterns.votes[pattern] - 1
        order = np.argsort(pairs.rater, kind="stable")
        ends = np.searchsorted(pairs.rater[order], np.arange(len(self.n) + 1))
        for rater in range(len(self.n)):
            of_rater = order[ends[rater] : ends[rater + 1]]
            met = (ratings.patterns.table @ given_share[rater])[pattern[of_rater]]
            agreement[of_rater] += (met - given_share[rater, label[of_rater]]) / company[of_rater]
        return agreement


def _is_dependent(table: Real, expected: Real, shares: Real) -> bool:
    """Tell whether rows depend on columns, by Pearson's chi-square.

    Others who are several share one vote, so the mean of the statistic is not its degrees of
    freedom; it follows from the variance of the shares when items are permuted.
    """
    rows, columns = table.shape
    if rows < 2 or columns < 2:
        return False
    mean = (rows - 1) * float((shares.var(axis=0, ddof=1) / shares.mean(axis=0)).sum())
    chi = float(((table - expected) ** 2 / expected).sum())
    return bool((chi / mean - 1) * math.sqrt((rows - 1) * (columns - 1) / 2) > _DEPENDENT)


def _margins(ratings: Ratings, stats: Measures) -> tuple[Real, Real]:
    from scipy.sparse import csr_array

    shape = len(ratings.raters), len(ratings.values)
    if not stats.labels.shape[1]:
        return np.zeros((shape[0], 0)), np.zeros((shape[0], 0))
    place, rater, units = stats.others.place, stats.others.rater, ratings.patterns
    pattern = units.of_unit[ratings.unit[place]]
    share = 1 / (units.votes[pattern] - 1)
    into = csr_array((share, (rater, pattern)), shape=(shape[0], len(units)))
    cells = rater * shape[1] + ratings.value[place]
    size = shape[0] * shape[1]
    others, itself = (
        np.bincount(cells, weights, size).astype(np.float64).reshape(shape)
        for weights in (None, share)
    )
    return others, (into @ units.table).toarray() - itself
