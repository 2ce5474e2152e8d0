"""Coefficients that correct agreement for chance: one framework, and what each calls chance.

All are (p_a - p_e) / (1 - p_e), with p_a the mean over items of the weighted agreement of their
pairs of votes. They differ in p_e alone, and so do the functions below. Weights are 1 minus the
distances of `weights`; those of the weighted coefficients lie from 0 to 1.

Missing votes: p_a takes the items with at least two votes, p_e all items with one. Intervals are
analytic, by linearisation over items, and the published ones: they take the number of items with
two votes as given, which makes them a little wide where many items have one. n of the estimate is
the number of items with two votes. A coefficient whose chance agreement is 1, or that does not fit
the votes, has no value, but a reason.

Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapters 2 to 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pipeline.agreement.coefficients.distances import MOST_VALUES, Distance, Real, Weights, weighted
from pipeline.agreement.coefficients.estimates import (
    NO_PAIR,
    NO_VOTE,
    ONE_CATEGORY,
    ONE_VALUE,
    ZERO_DISTANCE,
    Estimate,
    analytic,
    undefined,
)
from pipeline.agreement.votes.pairs import MOST_CELLS
from pipeline.agreement.votes.ratings import ANONYMOUS, Patterns, Ratings


def cohen_kappa(votes: Ratings) -> Estimate:
    """Return Cohen's kappa of exactly two named annotators: chance by each one's own labels.

    Source: J. Cohen, A Coefficient of Agreement for Nominal Scales, 1960.
    """
    return weighted_kappa(votes, weights="identity", name="Cohen's kappa")


def weighted_kappa(
    votes: Ratings, *, weights: Weights = "quadratic", name: str = "weighted kappa"
) -> Estimate:
    """Return Cohen's weighted kappa of exactly two named annotators; `name` is used in reasons.

    Source: J. Cohen, Weighted Kappa, 1968.
    """
    return _pair(votes, name, "conger_kappa") or conger_kappa(votes, weights=weights)


def scott_pi(votes: Ratings, *, weights: Weights = "identity") -> Estimate:
    """Return Scott's pi of exactly two named annotators: chance by the labels of both together.

    Source: W. A. Scott, Reliability of Content Analysis, 1955.
    """
    return _pair(votes, "Scott's pi", "fleiss_kappa") or fleiss_kappa(votes, weights=weights)


def bennett_s(votes: Ratings) -> Estimate:
    """Return Bennett's S of exactly two named annotators: all categories equally likely.

    Source: E. M. Bennett, R. Alpert, A. C. Goldstein, Communications through Limited-Response
    Questioning, 1954.
    """
    return _pair(votes, "Bennett's S", "randolph_kappa") or brennan_prediger(votes)


def fleiss_kappa(votes: Ratings, *, weights: Weights = "identity") -> Estimate:
    """Return Fleiss' kappa: chance by the labels of all together, a mean over items.

    Source: J. L. Fleiss, Measuring Nominal Scale Agreement among Many Raters, 1971.
    """
    return _grouped(votes, weights, _pooled)


def brennan_prediger(votes: Ratings, *, weights: Weights = "identity") -> Estimate:
    """Return the Brennan-Prediger coefficient: all categories equally likely, unused ones too.

    Source: R. L. Brennan, D. J. Prediger, Coefficient Kappa: Some Uses, Misuses, and Alternatives,
    1981.
    """
    return _grouped(votes, weights, _uniform)


def randolph_kappa(votes: Ratings) -> Estimate:
    """Return Randolph's free-marginal kappa: the unweighted Brennan-Prediger coefficient.

    Source: J. J. Randolph, Free-Marginal Multirater Kappa, 2005.
    """
    return brennan_prediger(votes)


def gwet_ac1(votes: Ratings) -> Estimate:
    """Return Gwet's AC1: chance only where a rating is random, which common labels make unlikely.

    Source: K. L. Gwet, Computing Inter-Rater Reliability and Its Variance in the Presence of High
    Agreement, 2008.
    """
    return gwet_ac2(votes, weights="identity")


def gwet_ac2(votes: Ratings, *, weights: Weights = "quadratic") -> Estimate:
    """Return Gwet's AC2: AC1 with weights."""
    return _grouped(votes, weights, _random)


def conger_kappa(votes: Ratings, *, weights: Weights = "identity") -> Estimate:
    """Return Conger's kappa of named annotators: chance by the mean over pairs of annotators.

    It is Cohen's kappa for two; an annotator's share of a category is taken over their own votes.

    Source: A. J. Conger, Integration and Generalization of Kappas for Multiple Raters, 1980.
    """
    if (votes.rater == ANONYMOUS).any():
        reason = f"{_anonymous(votes)}, and Conger's kappa needs each annotator's labels"
        return undefined(reason, int(votes.patterns.pairable.units.sum()))
    if len(votes) and len(np.unique(votes.rater)) < 2:
        return undefined("Conger's kappa compares annotators; here is one alone")
    if len(votes.raters) * len(votes.values) > MOST_CELLS:
        reason = f"{len(votes.raters)} annotators x {len(votes.values)} values are too many"
        number = int(votes.patterns.pairable.units.sum())
        return undefined(f"{reason} for Conger's kappa; see fleiss_kappa", number)
    return _grouped(votes, weights, _each_rater)


def _anonymous(votes: Ratings) -> str:
    number = int((votes.rater == ANONYMOUS).sum())
    return "the votes are anonymous" if number == len(votes) else f"{number} votes are anonymous"


def _pair(votes: Ratings, name: str, instead: str) -> Estimate | None:
    """Return why the votes are not those of two named annotators, or None."""
    there = np.unique(votes.rater)
    if not len(there):
        return undefined(NO_VOTE)
    number = int(votes.patterns.pairable.units.sum())
    if ANONYMOUS in there:
        reason = f"{_anonymous(votes)}, and {name} compares two annotators by name"
        return undefined(reason, number)
    if len(there) != 2:
        reason = f"{name} compares exactly two annotators; here are {len(there)} (see {instead})"
        return undefined(reason, number)
    return None if number else undefined("the two annotators share no item")


@dataclass(frozen=True, eq=False)
class _Chance:
    """1 - p_e, and its linearised part of each row (rows,), whose mean over units is the same.

    Rows are patterns, or units where `by_unit`.
    """

    apart: float
    each: Real
    by_unit: bool = False


_Model = Callable[[Ratings, Distance], _Chance]


def _grouped(votes: Ratings, weights: Weights, model: _Model) -> Estimate:
    """Return the coefficient that `model` makes of the votes, with its interval."""
    groups = votes.patterns
    number = int(groups.pairable.units.sum())
    if callable(weights) and groups.categories > MOST_VALUES:
        return undefined(f"{groups.categories} values are too many for a distance function", number)
    refused = _refused(groups, model, number)
    if refused:
        return undefined(refused, number)
    distance = weighted(votes.values, weights)
    chance = model(votes, distance)
    if chance.apart <= 0:
        return undefined(ZERO_DISTANCE, number)
    return _estimate(groups, distance, chance, number)


def _refused(groups: Patterns, model: _Model, number: int) -> str | None:
    if not number:
        return NO_PAIR if len(groups) else NO_VOTE
    if groups.categories < 2 and model in (_uniform, _random):
        return ONE_CATEGORY
    if (groups.totals > 0).sum() < 2 and model in (_pooled, _each_rater):
        return ONE_VALUE
    return None


def _estimate(groups: Patterns, distance: Distance, chance: _Chance, number: int) -> Estimate:
    """Return the value and its interval: a unit adds its own agreement, and moves chance."""
    pairs = np.maximum(groups.votes * (groups.votes - 1), 1)
    apart = groups.apart(distance.between) / pairs
    value = 1 - float((apart * groups.units).sum()) / number / chance.apart
    paired = (groups.votes > 1) * (groups.units.sum() / number)
    own: Real = paired * (1 - apart / chance.apart)
    units = groups.units
    if chance.by_unit:
        there = groups.of_unit[groups.of_unit >= 0]
        own, units = own[there], np.ones(len(there), np.int64)
    influence = own - value - 2 * (1 - value) * (1 - chance.each / chance.apart)
    return replace(analytic(value, influence, units, table=groups.twice), n=number)


def _pooled(votes: Ratings, distance: Distance) -> _Chance:
    """Chance is two draws from the mean of the items' shares of categories."""
    groups = votes.patterns
    against = distance.against(_shares(groups))
    each = groups.total(against) / groups.votes
    return _Chance(float((each * groups.units).sum() / groups.units.sum()), each)


def _uniform(votes: Ratings, distance: Distance) -> _Chance:
    """Chance is two draws from all categories alike."""
    groups = votes.patterns
    apart = distance.total(groups.categories) / groups.categories**2
    return _Chance(apart, np.full(len(groups), apart))


def _random(votes: Ratings, distance: Distance) -> _Chance:
    """Chance is the share of random ratings, as the mean shares show it, times their agreement."""
    groups = votes.patterns
    size = groups.categories
    agreeing = (size**2 - distance.total(size)) / (size * (size - 1))
    each = 1 - agreeing * groups.total(1 - _shares(groups)) / groups.votes
    return _Chance(float((each * groups.units).sum() / groups.units.sum()), each)


def _shares(groups: Patterns) -> Real:
    """Return the mean over items of their shares of each category, (categories,)."""
    weights = groups.count * (groups.units / groups.votes / groups.units.sum())[groups.owner]
    return np.asarray(np.bincount(groups.value, weights, groups.categories), np.float64)


def _each_rater(votes: Ratings, distance: Distance) -> _Chance:
    """Chance is a draw from the votes of one rater and of another, the mean over their pairs."""
    groups = votes.patterns
    names, rater = np.unique(votes.rater, return_inverse=True)
    number, size = len(names), groups.categories
    cells = votes.value.astype(np.int64) * number + rater
    given = np.bincount(cells, minlength=size * number).reshape(size, number)
    shares = given / given.sum(axis=0)
    others = distance.against(shares.sum(axis=1))[:, None] - distance.against(shares)
    others /= number * (number - 1)
    own = (shares * others).sum(axis=0)
    times = groups.units.sum() / given.sum(axis=0)
    moved = times[rater] * (others[votes.value, rater] - own[rater])
    each = own.sum() + np.bincount(votes.unit, weights=moved, minlength=len(groups.of_unit))
    return _Chance(float(own.sum()), each[groups.of_unit >= 0], by_unit=True)
