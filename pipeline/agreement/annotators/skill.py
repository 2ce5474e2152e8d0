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
_TIED: Final = 5.0


class Skill:
    """Agreement beyond chance of every annotator, arrays (raters,); NaN where it cannot be told.

    Numbers: `value` is Pearson's r with the mean of the others. Categories: (agreement - chance) /
    (1 - chance), chance from the annotator's own labels and those of the others on the same items,
    so that it is 0 for whoever pays no heed to the items, however they spread their labels.
    `error` is its standard error (delta method); `own` and `rest` hold the labels given by
    everybody, and the mean labels of the others, on the items shared (raters, labels).
    """

    def __init__(self, selection: Selection, found: Measures) -> None:
        """Measure the annotators of atomic votes."""
        self._ratings, self._found = selection.ratings, found
        self.numeric = selection.kind == "number"
        self.own, self.rest = _margins(selection.ratings, found)
        self.n = np.maximum(found.shared, 1).astype(np.float64)
        self.value, self.error = self._correlated() if self.numeric else self._agreeing()

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
        if self.numeric or not self.own.shape[1]:
            return None
        own, said = self._against(rater)
        heard = np.flatnonzero(said.sum(axis=0))
        given, place = np.unique(own, return_inverse=True)
        table = np.zeros((len(given), len(heard)))
        np.add.at(table, place, said[:, heard])
        expected = np.outer(table.sum(axis=1), said[:, heard].mean(axis=0))
        if not _tied(table, expected, said[:, heard]):
            return None
        above = np.where(given[:, None] == heard[None, :], -np.inf, table - expected)
        one, other = np.unravel_index(int(above.argmax()), above.shape)
        return self._ratings.values[given[one]], self._ratings.values[heard[other]]

    def _against(self, rater: int) -> tuple[Whole, Real]:
        """Return the labels of the annotator's shared votes, and the shares of the others' there.

        Arrays (votes,) and (votes, labels).
        """
        place = self._found.others.place[self._found.others.rater == rater]
        units, own = self._ratings.patterns, self._ratings.value[place].astype(np.int64)
        said = units.table[units.of_unit[self._ratings.unit[place]]].toarray()
        said[np.arange(len(own)), own] -= 1
        return own, said / said.sum(axis=1, keepdims=True)

    def _correlated(self) -> tuple[Real, Real]:
        r = self._found.fields["pearson_vs_rest"]
        spread = np.maximum(1 - np.nan_to_num(r) ** 2, 0.05)
        return r, spread / np.sqrt(np.maximum(self.n - 3, 1))

    def _agreeing(self) -> tuple[Real, Real]:
        n, agree, each = self.n, self._found.fields["agreement_vs_rest"], self._found.others
        if not self.own.shape[1]:
            return np.full(len(n), np.nan), np.full(len(n), np.nan)
        chance = (self.own * self.rest).sum(axis=1) / n**2
        able = chance < 1 - 1e-9
        room = np.where(able, 1 - chance, 1.0)
        value = np.where(able, (agree - chance) / room, np.nan)
        met = self._expected() - 2 * chance[each.rater]  # how far a vote moves chance
        moved = each.agree - agree[each.rater] - (1 - value[each.rater]) * met
        spread = np.bincount(each.rater, weights=moved**2, minlength=len(n)) / n
        smooth = (np.nan_to_num(agree) * n + 1) / (n + 2)
        return value, np.sqrt(np.maximum(spread, smooth * (1 - smooth) / 2) / n) / room

    def _expected(self) -> Real:
        """Return for every vote how often its label meets the others', and theirs the annotator's.

        Agreement by chance is the mean of either over an annotator's votes, (votes,).
        """
        each, ratings = self._found.others, self._ratings
        own, said = self.own / self.n[:, None], self.rest / self.n[:, None]
        label, pattern = (
            ratings.value[each.place],
            ratings.patterns.of_unit[ratings.unit[each.place]],
        )
        found = said[each.rater, label]
        company = ratings.patterns.votes[pattern] - 1
        order = np.argsort(each.rater, kind="stable")
        ends = np.searchsorted(each.rater[order], np.arange(len(self.n) + 1))
        for rater in range(len(self.n)):
            mine = order[ends[rater] : ends[rater + 1]]
            heard = (ratings.patterns.table @ own[rater])[pattern[mine]]
            found[mine] += (heard - own[rater, label[mine]]) / company[mine]
        return found


def _tied(table: Real, expected: Real, said: Real) -> bool:
    """Tell whether rows depend on columns, by Pearson's chi-square.

    Others who are several share one vote, so the mean of the statistic is not its degrees of
    freedom; it follows from the variance of the shares when items are permuted.
    """
    rows, columns = table.shape
    if rows < 2 or columns < 2:
        return False
    mean = (rows - 1) * float((said.var(axis=0, ddof=1) / said.mean(axis=0)).sum())
    chi = float(((table - expected) ** 2 / expected).sum())
    return bool((chi / mean - 1) * math.sqrt((rows - 1) * (columns - 1) / 2) > _TIED)


def _margins(ratings: Ratings, found: Measures) -> tuple[Real, Real]:
    from scipy.sparse import csr_array

    shape = len(ratings.raters), len(ratings.values)
    if not found.labels.shape[1]:
        return np.zeros((shape[0], 0)), np.zeros((shape[0], 0))
    place, rater, units = found.others.place, found.others.rater, ratings.patterns
    pattern = units.of_unit[ratings.unit[place]]
    share = 1 / (units.votes[pattern] - 1)
    into = csr_array((share, (rater, pattern)), shape=(shape[0], len(units)))
    cells = rater * shape[1] + ratings.value[place]
    size = shape[0] * shape[1]
    own, itself = (
        np.bincount(cells, weights, size).astype(np.float64).reshape(shape)
        for weights in (None, share)
    )
    return own, (into @ units.table).toarray() - itself
