"""Each vote against the other votes on its item, and alpha with and without each annotator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from pipeline.agreement.coefficients.distances import Distance, level_distance, square_distance
from pipeline.agreement.votes.ratings import Patterns, Ratings, Real, Whole, quotient
from pipeline.contracts.spec import Level

#: Above this many different values there is no alpha without an annotator, but on interval data.
MOST_VALUES: Final = 200


@dataclass(frozen=True)
class Others:
    """One entry a vote of a named annotator on an item with another vote; all arrays are parallel.

    `place` is the vote's place in the ratings and `rater` its annotator. `agree` is the share of
    the other votes equal to it, `among` the share of equal pairs among the others (NaN with one
    other); `majority` is 1 where it equals what most others said, 0 where not, NaN at a tie. For
    numbers `rest` is the mean of the others and `deviation` their standard deviation (NaN with one
    other); None for categories.
    """

    place: Whole
    rater: Whole
    agree: Real
    among: Real
    majority: Real
    rest: Real | None = None
    deviation: Real | None = None


def others(ratings: Ratings, *, numeric: bool) -> Others:
    """Compare every named vote with the other votes on its item."""
    groups, size = ratings.patterns, max(len(ratings.values), 1)
    pattern = groups.of_unit[ratings.unit]
    place = np.flatnonzero((groups.votes[pattern] > 1) & (ratings.rater >= 0)).astype(np.int64)
    pattern, m = pattern[place], groups.votes[pattern[place]].astype(np.float64)
    cell = np.searchsorted(
        groups.owner * size + groups.value, pattern * size + ratings.value[place]
    )
    same = groups.count[cell].astype(np.float64)
    squares = groups.sums(groups.count.astype(np.float64) ** 2)[pattern]
    left = squares - 2 * same + 1  # squares of the counts of the others
    first, second, third = _three_largest(groups)[:, pattern]
    # the two largest counts of other values than the vote's own
    most, next_most = np.where(same == first, second, first), np.where(same < second, second, third)
    is_clear = (most > same - 1) & (most > next_most)
    majority = np.where(same - 1 > most, 1.0, np.where(is_clear, 0.0, np.nan))
    rest = deviation = None
    if numeric:
        unit, numbers = ratings.unit, ratings.numbers
        total, power = (np.bincount(unit, weights=part) for part in (numbers, numbers**2))
        unit, number = unit[place], numbers[place]
        rest = np.round((total[unit] - number) / (m - 1), 12)
        spread = np.maximum((power[unit] - number**2) / (m - 1) - rest**2, 0.0)
        deviation = np.where(m > 2, np.sqrt(spread), np.nan)
    return Others(
        place,
        ratings.rater[place].astype(np.int64),
        (same - 1) / (m - 1),
        quotient(left - (m - 1), (m - 1) * (m - 2)),
        majority,
        rest,
        deviation,
    )


def _three_largest(groups: Patterns) -> Real:
    # the three largest counts of every pattern, 0 where it has fewer values; (3, patterns)
    order = np.lexsort((-groups.count, groups.owner))
    owner = groups.owner[order]
    rank = np.arange(len(order)) - np.searchsorted(owner, owner)
    top = np.zeros((3, len(groups)))
    high = rank < 3
    top[rank[high], owner[high]] = groups.count[order][high]
    return top


def annotator_alphas(ratings: Ratings, level: Level) -> dict[str, Real]:
    """Return alphas of every annotator by name, (raters,); NaN where there is none.

    `alpha_vs_rest` and, on the nominal level, `alpha_vs_rest_nominal` are those of
    `alphas_vs_rest`; `alpha_without` is the alpha of all votes but theirs. Only the items of an
    annotator are computed anew.
    """
    groups, distance = ratings.patterns, level_distance(level, ratings.values)
    whole = _coincidences(groups.table, groups.units)
    without = np.full(len(ratings.raters), np.nan)
    if level == "interval" or len(ratings.values) <= MOST_VALUES:
        for rater, votes, answers in _answers(ratings):
            every_vote = np.ones(votes.shape[0])
            without_rater = (
                whole
                - _coincidences(votes, every_vote)
                + _coincidences(votes - answers, every_vote)
            )
            without[rater] = alpha_of(without_rater, distance)
    alphas = alphas_vs_rest(ratings, level)
    return {
        "alpha_vs_rest": alphas,
        "alpha_vs_rest_nominal": alphas if level == "nominal" else alphas_vs_rest(ratings),
        "alpha_without": without,
    }


def alphas_vs_rest(ratings: Ratings, level: Level = "nominal") -> Real:
    """Return everybody's alpha over the pairs of their vote and another's, (raters,).

    Each pair counts once; NaN where there is none, or one value alone.
    """
    distance = level_distance(level, ratings.values)
    alphas = np.full(len(ratings.raters), np.nan)
    for rater, votes, answers in _answers(ratings):
        pairs = answers.T @ (votes - answers)
        alphas[rater] = alpha_of(pairs + pairs.T, distance)
    return alphas


def _answers(ratings: Ratings) -> Iterator[tuple[int, Any, Any]]:
    """Yield each rater with all votes on their units and with their own, sparse (units, values)."""
    from scipy.sparse import csr_array

    groups = ratings.patterns
    order = np.argsort(ratings.rater, kind="stable")
    ends = np.searchsorted(ratings.rater[order], np.arange(len(ratings.raters) + 1))
    for rater, (start, stop) in enumerate(pairwise(ends.tolist())):
        votes_of_rater = order[start:stop]
        votes = groups.table[groups.of_unit[ratings.unit[votes_of_rater]]]
        cells = np.arange(len(votes_of_rater)), ratings.value[votes_of_rater]
        yield rater, votes, csr_array((np.ones(len(votes_of_rater)), cells), shape=votes.shape)


def alpha_of(coincidences: Any, distance: Distance | None) -> float:
    """Return alpha of a sparse coincidence matrix; NaN where there is one value or no pair.

    Without a distance the level is ordinal: ranks come from the margin of the matrix.
    """
    margin = np.asarray(coincidences.sum(axis=0), np.float64)
    margin[margin < 1e-9] = 0.0  # what subtraction leaves
    if (margin > 0).sum() < 2:
        return float("nan")
    distance = distance or square_distance(margin.cumsum() - margin / 2)
    cells = coincidences.tocoo()
    observed = float(cells.data @ distance.between(*cells.coords))
    expected = float(margin @ distance.against(margin))
    return 1 - (margin.sum() - 1) * observed / expected if expected > 0 else float("nan")


def _coincidences(counts: Any, times: Any) -> Any:
    # Of units (units, values) that occur so many times, sparse: with counts n of m votes a unit
    # adds (n n' - diag(n)) / (m - 1).
    from scipy.sparse import diags_array

    votes = counts.sum(axis=1)
    weight = np.where(votes > 1, times / np.maximum(votes - 1, 1), 0.0)
    return (counts.T @ (counts * weight[:, None]) - diags_array(counts.T @ weight)).tocsr()
