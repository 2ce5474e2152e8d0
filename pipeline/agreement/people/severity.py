"""How high everybody scores once items and co-annotators are accounted for."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pipeline.agreement.votes.pairs import Floats
from pipeline.agreement.votes.ratings import Ratings

#: Steps of the solver times votes: beyond it a pool is too loosely connected to be solved.
MOST_WORK: Final = 60_000_000
_TOLERANCE: Final = 1e-13


def severity(ratings: Ratings) -> Floats:
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
    found = _solved(rater, unit, ratings.numbers[use])
    if found is not None:
        out[seen] = np.round(found, 9) + 0.0
    return out


def _solved(rater: Any, unit: Any, score: Floats) -> Floats | None:
    """Return the effects of the raters (raters,), or None where the steps did not suffice."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import LinearOperator, cg

    scale = float(np.ptp(score)) or 1.0
    many, n = np.bincount(rater), np.bincount(unit).astype(np.float64)
    given = csr_array((np.ones(len(rater)), (rater, unit)), shape=(len(many), len(n)))
    back = given.T.tocsr()
    places = (score - score.mean()) / scale
    away = places - (np.bincount(unit, weights=places) / n)[unit]
    excess = np.bincount(rater, weights=away)
    own = np.bincount(rater, weights=1 - 1 / n[unit])
    size = len(many), len(many)
    normal = LinearOperator(size, matvec=lambda x: many * x - given @ ((back @ x) / n))
    by_own = LinearOperator(size, matvec=lambda x: x / own)
    steps = min(100 + 10 * len(many), max(100, MOST_WORK // len(rater)))
    atol = _TOLERANCE * float(np.linalg.norm(many))  # scores lie within 1 of each other here
    found, left = cg(normal, excess, rtol=0.0, atol=atol, maxiter=steps, M=by_own)
    return None if left else _centred(found, given, back) * scale


def _centred(effect: Floats, given: Any, back: Any) -> Floats:
    """Return the effects less their mean among all people connected by shared items."""
    from scipy.sparse import block_array
    from scipy.sparse.csgraph import connected_components

    graph = block_array([[None, given], [back, None]])
    _, group = connected_components(graph, directed=False)
    group = group[: len(effect)]
    mean = np.bincount(group, weights=effect) / np.maximum(np.bincount(group), 1)
    return np.asarray(effect - mean[group], np.float64)
