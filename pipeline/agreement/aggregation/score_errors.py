"""How sure the mean of the scores of an item is, and what one more score adds.

The variance of the scores on an item is known from few of them. It is drawn towards the mean of all
items as far as the differences between items can be chance (credibility weighting, Bühlmann 1967):
the sample variance of n normal scores of variance v has the variance 2 v² / (n - 1), and only what
the spread over items has beyond that is theirs. The standard error of a mean is s / √n, and a
further score lowers the squared error by s² / (n (n + 1)).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]


def shrunk_variances(votes: Real, variances: Real) -> Real:
    """Return the variance of the scores of every item, drawn towards that of all, (items,).

    `variances` are the sample variances, read where an item has at least two `votes`; other items
    have the variance of all. It is NaN everywhere if no item has two votes.
    """
    several = votes >= 2
    if not several.any():
        return np.full(len(votes), np.nan)
    freedom, known = votes[several] - 1, variances[several]
    pooled = float((freedom * known).sum() / freedom.sum())
    share = 2 / freedom
    excess = (known - pooled) ** 2 - share * pooled**2
    between = max(0.0, float((excess / (1 + share)).mean()))
    result = np.full(len(votes), pooled)
    if between:
        weight = between / (between + share * (pooled**2 + between))
        result[several] = weight * known + (1 - weight) * pooled
    return result


def standard_errors(votes: Real, variances: Real) -> Real:
    """Return the standard error of the mean of every item, (items,); NaN without votes."""
    return np.sqrt(variances / np.where(votes > 0, votes, np.nan))


def variance_falls(votes: Real, variances: Real) -> Real:
    """Return by how much one more score lowers the squared error of each mean, (items,).

    An item without votes has no mean yet: its first score is taken to be worth twice the second.
    """
    return variances / np.where(votes > 0, votes * (votes + 1), 1.0)
