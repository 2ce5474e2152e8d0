"""Whether an annotator changes over time: agreement, and on a scale bias, over their own votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import erfc

from pipeline.agreement.people.others import Others
from pipeline.agreement.votes.pairs import Floats, Ints
from pipeline.agreement.votes.views import Selection

#: Fewer votes with company than this say nothing about change.
ENOUGH: Final = 30
#: So many annotators tell what change is common to all, as when the last items are the hardest.
POOL: Final = 5
Order = Literal["time", "rows"]


@dataclass(frozen=True)
class Trend:
    """The course of one measure over each annotator's votes, (raters,), NaN with too few of them.

    `slope` is that of the least-squares line of the measure over the places of the annotator's own
    votes, 0 the first and 1 the last: what the line gains from end to end. Agreement is adjusted
    before for how hard the items were (see `drift`; bias is not), and in a pool of at least `POOL`
    annotators with `ENOUGH` votes their median slope is taken off. `p` is the two-sided probability
    of such a slope by chance (normal approximation of the permutation test of a correlation).
    `early` and `late` are the plain means of the first and last third, adjusted for nothing, so
    that their difference may be another than the slope, even in sign.
    """

    slope: Floats
    p: Floats
    early: Floats
    late: Floats


@dataclass(frozen=True)
class Drift:
    """Trends of agreement and, for numbers, of bias; `order` says what put the votes in order."""

    votes: Ints
    order: tuple[Order, ...]
    agreement: Trend
    bias: Trend | None


def drift(selection: Selection, found: Others) -> Drift:
    """Follow every annotator over their votes: by `at` where all of theirs have it, else by rows.

    Agreement is the share of the others who gave the same label, on a scale 1 - |difference to
    their mean| / range. How far the others agree with each other tells how hard an item is; its
    effect, estimated over all votes, is taken out before the slope.
    """
    ratings = selection.ratings
    raters = len(ratings.raters)
    moment, timed = _moments(selection, found, raters)
    order = np.lexsort((found.place, moment, found.rater))
    rater = found.rater[order]
    votes = np.bincount(rater, minlength=raters).astype(np.int64)
    start = np.cumsum(votes) - votes
    with np.errstate(invalid="ignore", divide="ignore"):
        when = (np.arange(len(rater)) - start[rater]) / (votes[rater] - 1)
    course = _Course(rater, when, votes)
    if found.rest is None or found.deviation is None:
        agree, ease, bias = found.agree, found.among, None
    else:
        away = ratings.numbers[found.place] - found.rest
        span = _range(selection)
        agree, ease = 1 - np.abs(away) / span, 1 - found.deviation / span
        bias = course.trend(away[order], away[order])
    return Drift(
        votes,
        tuple("time" if known else "rows" for known in timed),
        course.trend(agree[order], _adjusted(agree, ease)[order]),
        bias,
    )


def _moments(selection: Selection, found: Others, raters: int) -> tuple[Ints, list[bool]]:
    at = selection.votes.column("at").take(selection.rows[found.place])
    known = at.is_valid().to_numpy(zero_copy_only=False)
    missing = np.bincount(found.rater, weights=~known, minlength=raters)
    time = at.cast("int64").fill_null(0).to_numpy()
    timed = missing == 0
    return np.where(timed[found.rater], time, selection.rows[found.place]), timed.tolist()


def _range(selection: Selection) -> float:
    numbers = np.asarray(selection.ratings.values, np.float64)
    return float(np.ptp(numbers)) or 1.0 if len(numbers) else 1.0


def _adjusted(agree: Floats, ease: Floats) -> Floats:
    """Return what is left of agreement once the ease of the item is accounted for."""
    out = agree - (agree.mean() if len(agree) else 0.0)
    known = ~np.isnan(ease)
    if known.sum() > 2 and np.ptp(ease[known]) > 0:
        x, y = ease[known] - ease[known].mean(), agree[known] - agree[known].mean()
        out[known] = y - (x @ y) / (x @ x) * x
    return out


class _Course:
    """The votes of all annotators, each in their order; `when` runs from 0 to 1."""

    def __init__(self, rater: Ints, when: Floats, votes: Ints) -> None:
        self.rater, self.when, self.votes = rater, when, votes

    def trend(self, plain: Floats, adjusted: Floats) -> Trend:
        n = self.votes.astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = self.when - 0.5
            y = adjusted - (self._sum(adjusted) / n)[self.rater]
            time = self._sum(t**2)
            y = y - t * self._common(self._sum(t * y) / time)
            spread, both = self._sum(y**2), self._sum(t * y)
            slope = both / time
            flat = spread <= 1e-12 * n
            z = np.where(flat, 0.0, both / np.sqrt(time * spread)) * np.sqrt(n - 1)
            early, late = self._mean(plain, self.when < 1 / 3), self._mean(plain, self.when > 2 / 3)
        few = self.votes < ENOUGH
        trend = slope, erfc(np.abs(z) / np.sqrt(2)), early, late
        return Trend(*(np.where(few, np.nan, part) for part in trend))

    def _common(self, slopes: Floats) -> float:
        known = slopes[self.votes >= ENOUGH]
        return float(np.median(known)) if len(known) >= POOL else 0.0

    def _sum(self, what: Floats) -> Floats:
        return np.bincount(self.rater, weights=what, minlength=len(self.votes)).astype(np.float64)

    def _mean(self, what: Floats, part: npt.NDArray[np.bool_]) -> Floats:
        return self._sum(what * part) / self._sum(part.astype(np.float64))
