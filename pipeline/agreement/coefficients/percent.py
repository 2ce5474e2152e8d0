"""Agreement without correction for chance, averaged in both usual ways."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pipeline.agreement.coefficients.estimate import NO_PAIR, NO_VOTE, Estimate, analytic, undefined
from pipeline.agreement.coefficients.weights import nominal
from pipeline.agreement.votes.patterns import Patterns, Real
from pipeline.agreement.votes.ratings import Ratings


def percent_agreement_units(votes: Ratings) -> Estimate:
    """Return the share of agreeing pairs of votes: a plain mean over items with two votes.

    Every item weighs the same, however many votes it has. This is p_a of the kappas and of AC1.
    Values lie from 0 to 1.

    Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapter 2.
    """
    return _mean(votes.patterns, lambda groups: np.ones(len(groups)))


def percent_agreement_ratings(votes: Ratings) -> Estimate:
    """Return the share of agreeing pairs of votes: items weigh by their number of votes.

    An item of five votes counts five times, so that every vote weighs the same. This is 1 minus
    the observed disagreement of nominal alpha, and equals `percent_agreement_units` where all
    items have equally many votes. Values lie from 0 to 1.

    Source: K. Krippendorff, Content Analysis, 2nd ed., 2004, chapter 11.
    """
    return _mean(votes.patterns, lambda groups: groups.votes.astype(np.float64))


def _mean(groups: Patterns, weigh: Callable[[Patterns], Real]) -> Estimate:
    """Return the weighted mean over units of the share of their agreeing pairs."""
    pairable = groups.pairable
    if not len(pairable):
        return undefined(NO_PAIR if len(groups) else NO_VOTE)
    agreeing = 1 - pairable.apart(nominal().between) / (pairable.votes * (pairable.votes - 1))
    weights = weigh(pairable)
    weights /= (weights * pairable.units).sum() / pairable.units.sum()
    value = float((weights * agreeing * pairable.units).sum() / pairable.units.sum())
    each = weights * (agreeing - value)
    return analytic(value, each, pairable.units, floor=0.0, table=groups.twice)
