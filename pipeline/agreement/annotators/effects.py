"""Effects of annotators: how high everybody scores, and whether that changes over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from scipy.special import erfc

from pipeline.agreement.annotators.others import Others
from pipeline.agreement.votes.ratings import Ratings, Real, Whole
from pipeline.agreement.votes.selection import Selection

#: Steps of the solver times votes: beyond it a pool is too loosely connected to be solved.
MOST_WORK: Final = 60_000_000
_TOLERANCE: Final = 1e-13


def severity(ratings: Ratings) -> Real:
    """Return each annotator's effect in the model score = item + annotator, by least squares.

    Array (raters,), in points. Effects have mean 0 within people connected by shared items; NaN
    without company. NaN for all where `MOST_WORK` does not settle them, as in a chain of tens of
    thousands of people each of whom shares items with the next alone. Memory is in proportion to
    the votes: items are eliminated, and the normal equations of the annotators are solved by
    conjugate gradients that only multiply by them.

    Source: the additive two-way model, e.g. H. Scheffe, The Analysis of Variance, 1959, chapter 4.
    """
    out = np.full(len(ratings.raters), np.nan)
    named = np.flatnonzero(ratings.rater >= 0)
    votes = np.bincount(ratings.unit[named], minlength=len(ratings.units))
    use = named[votes[ratings.unit[named]] > 1]
    if not len(use):
        return out
    seen, rater = np.unique(ratings.rater[use], return_inverse=True)
    _, unit = np.unique(ratings.unit[use], return_inverse=True)
    effects = _solve(rater, unit, ratings.numbers[use])
    if effects is not None:
        out[seen] = np.round(effects, 9) + 0.0
    return out


def _solve(rater: Any, unit: Any, score: Real) -> Real | None:
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import LinearOperator, cg

    scale = float(np.ptp(score)) or 1.0
    votes, n = np.bincount(rater), np.bincount(unit).astype(np.float64)
    incidence = csr_array((np.ones(len(rater)), (rater, unit)), shape=(len(votes), len(n)))
    back = incidence.T.tocsr()
    places = (score - score.mean()) / scale
    away = places - (np.bincount(unit, weights=places) / n)[unit]
    excess = np.bincount(rater, weights=away)
    diagonal = np.bincount(rater, weights=1 - 1 / n[unit])
    size = len(votes), len(votes)
    normal = LinearOperator(size, matvec=lambda x: votes * x - incidence @ ((back @ x) / n))
    by_own = LinearOperator(size, matvec=lambda x: x / diagonal)
    steps = min(100 + 10 * len(votes), max(100, MOST_WORK // len(rater)))
    atol = _TOLERANCE * float(np.linalg.norm(votes))  # scores lie within 1 of each other here
    effects, failure = cg(normal, excess, rtol=0.0, atol=atol, maxiter=steps, M=by_own)
    return None if failure else _centre(effects, incidence, back) * scale


def _centre(effect: Real, incidence: Any, back: Any) -> Real:
    """Return the effects less their mean among all people connected by shared items."""
    from scipy.sparse import block_array
    from scipy.sparse.csgraph import connected_components

    graph = block_array([[None, incidence], [back, None]])
    _, group = connected_components(graph, directed=False)
    group = group[: len(effect)]
    mean = np.bincount(group, weights=effect) / np.maximum(np.bincount(group), 1)
    return np.asarray(effect - mean[group], np.float64)


#: With fewer votes on items that others answered too, no change is reported.
ENOUGH: Final = 30
#: With so many annotators the change common to all is estimated (the last items may be hardest).
POOL: Final = 5


class Trend(NamedTuple):
    """The course of one measure over each annotator's votes, (raters,), NaN with too few of them.

    `slope` is that of the least-squares line of the measure over the places of the annotator's own
    votes, 0 the first and 1 the last: what the line gains from end to end. Agreement is adjusted
    before for how hard the items were (see `drift`; bias is not), and in a pool of at least `POOL`
    annotators with `ENOUGH` votes their median slope is taken off. `p` is the two-sided probability
    of such a slope by chance (normal approximation of the permutation test of a correlation).
    `early` and `late` are the plain means of the first and last third, adjusted for nothing, so
    that their difference may be another than the slope, even in sign.
    """

    slope: Real
    p: Real
    early: Real
    late: Real

    def record(self, rater: int) -> dict[str, float]:
        """Return the trend of one annotator as plain data."""
        p = float(f"{self.p[rater]:.3g}")
        parts = {name: float(part[rater]) for name, part in self._asdict().items()}
        return {name: round(value, 6) + 0.0 for name, value in parts.items()} | {"p": p}


@dataclass(frozen=True)
class Drift:
    """Trends of agreement and, for numbers, of bias; `order` says what put the votes in order."""

    votes: Whole
    order: tuple[Literal["time", "rows"], ...]
    agreement: Trend
    bias: Trend | None

    def record(self, rater: int) -> dict[str, Any] | None:
        """Return the drift of one annotator as plain data; None with too few votes."""
        if np.isnan(self.agreement.slope[rater]):
            return None
        record: dict[str, Any] = {
            "measure": "agreement",
            "order": self.order[rater],
            "votes": int(self.votes[rater]),
            **self.agreement.record(rater),
        }
        return record if self.bias is None else {**record, "bias": self.bias.record(rater)}


def drift(selection: Selection, comparisons: Others) -> Drift:
    """Follow every annotator over their votes: by `at` where all of theirs have it, else by rows.

    Agreement is the share of the others who gave the same label, on a scale 1 - |difference to
    their mean| / range. How far the others agree with each other tells how hard an item is; its
    effect, estimated over all votes, is taken out before the slope.
    """
    ratings = selection.ratings
    raters = len(ratings.raters)
    moment, timed = moments(selection)
    order = np.lexsort((comparisons.place, moment[comparisons.place], comparisons.rater))
    rater = comparisons.rater[order]
    votes = np.bincount(rater, minlength=raters).astype(np.int64)
    start = np.cumsum(votes) - votes
    with np.errstate(invalid="ignore", divide="ignore"):
        when = (np.arange(len(rater)) - start[rater]) / (votes[rater] - 1)
    if comparisons.rest is None or comparisons.deviation is None:
        agree, ease, bias = comparisons.agree, comparisons.among, None
    else:
        away = ratings.numbers[comparisons.place] - comparisons.rest
        numbers = np.asarray(ratings.values, np.float64)
        span = float(np.ptp(numbers)) or 1.0 if len(numbers) else 1.0
        agree, ease = 1 - np.abs(away) / span, 1 - comparisons.deviation / span
        bias = _trend(rater, when, votes, away[order], away[order])
    return Drift(
        votes,
        tuple("time" if known else "rows" for known in timed),
        _trend(rater, when, votes, agree[order], _adjust(agree, ease)[order]),
        bias,
    )


def moments(selection: Selection) -> tuple[Whole, list[bool]]:
    """Return when each vote was given, (votes,), and whose votes are in order of time, (raters,).

    Where all votes of an annotator have `at`, and not mostly the same ones as days have, it is the
    time, otherwise the row of the vote.
    """
    ratings = selection.ratings
    at = selection.votes.column("at").take(selection.rows)
    known = at.is_valid().to_numpy(zero_copy_only=False)
    time = at.cast("int64").fill_null(0).to_numpy()
    named = ratings.rater >= 0
    missing = np.bincount(ratings.rater[named], ~known[named], len(ratings.raters))
    timed = (missing == 0) & (
        2 * _moments_of_each(ratings, time)
        > np.bincount(ratings.rater[named], minlength=len(ratings.raters))
    )
    timed = np.append(timed, False)  # the last is anonymous
    return np.where(timed[ratings.rater], time, selection.rows), timed[:-1].tolist()


def _moments_of_each(ratings: Ratings, time: Whole) -> Whole:
    # how many different times each annotator's votes have, (raters,)
    order = np.lexsort((time, ratings.rater))
    rater, time = ratings.rater[order], time[order]
    first = (np.diff(rater, prepend=-1) != 0) | (np.diff(time, prepend=0) != 0)
    first &= rater >= 0
    return np.bincount(rater[first], minlength=len(ratings.raters))


def _adjust(agree: Real, ease: Real) -> Real:
    out = agree - (agree.mean() if len(agree) else 0.0)
    known = ~np.isnan(ease)
    if known.sum() > 2 and np.ptp(ease[known]) > 0:
        x, y = ease[known] - ease[known].mean(), agree[known] - agree[known].mean()
        out[known] = y - (x @ y) / (x @ x) * x
    return out


def _trend(rater: Whole, when: Real, votes: Whole, plain: Real, adjusted: Real) -> Trend:
    # votes of all annotators, each in their order; `when` runs from 0 to 1
    n = votes.astype(np.float64)

    def total(numbers: Real) -> Real:
        return np.bincount(rater, numbers, len(votes)).astype(np.float64)

    with np.errstate(invalid="ignore", divide="ignore"):
        t = when - 0.5
        y = adjusted - (total(adjusted) / n)[rater]
        time = total(t**2)
        slopes = (total(t * y) / time)[votes >= ENOUGH]
        common = float(np.median(slopes)) if len(slopes) >= POOL else 0.0
        y = y - t * common
        spread, both = total(y**2), total(t * y)
        flat = spread <= 1e-12 * n
        z = np.where(flat, 0.0, both / np.sqrt(time * spread)) * np.sqrt(n - 1)
        early, late = (
            total(plain * third) / total(third.astype(np.float64))
            for third in (when < 1 / 3, when > 2 / 3)
        )
        trend = both / time, erfc(np.abs(z) / np.sqrt(2)), early, late
    return Trend(*(np.where(votes < ENOUGH, np.nan, part) for part in trend))
