"""Every coefficient of one table of votes, by name; most of them correct agreement for chance.

Those of `KAPPAS` are (p_a - p_e) / (1 - p_e), with p_a the mean over items of the weighted
agreement of their pairs of votes. They differ in p_e alone. Weights are 1 minus the distances of
`weights`; those of the weighted coefficients lie from 0 to 1.

Missing votes: p_a takes the items with at least two votes, p_e all items with one. Intervals are
analytic, by linearisation over items, and the published ones: they take the number of items with
two votes as given, which makes them a little wide where many items have one. n of the estimate is
the number of items with two votes. A coefficient whose chance agreement is 1, or that does not fit
the votes, has no value, but a reason.

Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapters 2 to 6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from pipeline.agreement.coefficients.alpha import LEVELS, alphas
from pipeline.agreement.coefficients.distances import (
    MOST_VALUES,
    Distance,
    Named,
    Weights,
    nominal,
    numbers,
    weights_distance,
)
from pipeline.agreement.coefficients.estimates import (
    NO_PAIR,
    NO_VOTE,
    ONE_CATEGORY,
    ONE_ITEM,
    ONE_VALUE,
    ZERO_DISTANCE,
    Estimate,
    analytic,
    no_estimate,
    trim,
)
from pipeline.agreement.votes.ratings import ANONYMOUS, MOST_CELLS, Patterns, Ratings, Real
from pipeline.contracts.spec import Level
from pipeline.core.wording import count, verb

# The models of chance. Each returns 1 - p_e, linearised: what every pattern adds, (patterns,), or
# every unit with a vote for _each_rater; the mean over units is 1 - p_e.


def _chance_from_pool(votes: Ratings, distance: Distance) -> Real:
    """Two draws from the mean of the items' shares of categories."""
    groups = votes.patterns
    return groups.total(distance.against(_shares(groups))) / groups.votes


def _uniform(votes: Ratings, distance: Distance) -> Real:
    """Two draws from all categories alike, unused ones too."""
    size = votes.patterns.categories
    return np.full(len(votes.patterns), distance.total(size) / size**2)


def _random(votes: Ratings, distance: Distance) -> Real:
    """The share of random ratings, as the mean shares show it, times their agreement."""
    groups = votes.patterns
    size = groups.categories
    agreeing = (size**2 - distance.total(size)) / (size * (size - 1))
    return 1 - agreeing * groups.total(1 - _shares(groups)) / groups.votes


def _each_rater(votes: Ratings, distance: Distance) -> Real:
    """A draw from the votes of one rater and of another, the mean over their pairs."""
    groups = votes.patterns
    names, rater = np.unique(votes.rater, return_inverse=True)
    number, size = len(names), groups.categories
    cells = votes.value.astype(np.int64) * number + rater
    counts = np.bincount(cells, minlength=size * number).reshape(size, number)
    shares = counts / counts.sum(axis=0)
    others = distance.against(shares.sum(axis=1))[:, None] - distance.against(shares)
    others /= number * (number - 1)
    by_rater = (shares * others).sum(axis=0)
    times = groups.units.sum() / counts.sum(axis=0)
    moved = times[rater] * (others[votes.value, rater] - by_rater[rater])
    chance_of_unit = by_rater.sum() + np.bincount(
        votes.unit, weights=moved, minlength=len(groups.of_unit)
    )
    return np.asarray(chance_of_unit[groups.of_unit >= 0], np.float64)


def _shares(groups: Patterns) -> Real:
    # the mean over items of their shares of each category, (categories,)
    weights = groups.count * (groups.units / groups.votes / groups.units.sum())[groups.owner]
    return np.asarray(np.bincount(groups.value, weights, groups.categories), np.float64)


@dataclass(frozen=True)
class Kappa:
    """A chance-corrected coefficient: its model of chance and its weights.

    `title` is set where it takes exactly two named annotators; `many` is then the coefficient to
    use for more.
    """

    chance: Callable[[Ratings, Distance], Real]
    weights: Weights = "identity"
    title: str = ""
    many: str = ""


KAPPAS: Final[dict[str, Kappa]] = {
    # J. Cohen, A Coefficient of Agreement for Nominal Scales, 1960
    "cohen_kappa": Kappa(_each_rater, title="Cohen's kappa", many="conger_kappa"),
    # J. L. Fleiss, Measuring Nominal Scale Agreement among Many Raters, 1971
    "fleiss_kappa": Kappa(_chance_from_pool),
    # W. A. Scott, Reliability of Content Analysis, 1955
    "scott_pi": Kappa(_chance_from_pool, title="Scott's pi", many="fleiss_kappa"),
    # K. L. Gwet, Computing Inter-Rater Reliability and Its Variance in the Presence of High
    # Agreement, 2008: chance only where a rating is random, which common labels make unlikely
    "gwet_ac1": Kappa(_random),
    # E. M. Bennett, R. Alpert, A. C. Goldstein, Communications through Limited-Response
    # Questioning, 1954
    "bennett_s": Kappa(_uniform, title="Bennett's S", many="randolph_kappa"),
    # R. L. Brennan, D. J. Prediger, Coefficient Kappa: Some Uses, Misuses, and Alternatives, 1981
    "brennan_prediger": Kappa(_uniform),
    # A. J. Conger, Integration and Generalization of Kappas for Multiple Raters, 1980: an
    # annotator's share of a category is taken over their own votes
    "conger_kappa": Kappa(_each_rater),
    # J. J. Randolph, Free-Marginal Multirater Kappa, 2005
    "randolph_kappa": Kappa(_uniform),
    "gwet_ac2": Kappa(_random, "quadratic"),
    # J. Cohen, Weighted Kappa, 1968
    "weighted_kappa": Kappa(_each_rater, "quadratic", "weighted kappa", "conger_kappa"),
}
#: The coefficients that count partial agreement, and what to look at where values have no order.
_WEIGHTED: Final = {"gwet_ac2": "gwet_ac1", "weighted_kappa": "cohen_kappa"}
#: The weights of each level; nominal values have none.
_LEVEL_WEIGHTS: Final[dict[Level, Named]] = {
    "ordinal": "ordinal",
    "interval": "quadratic",
    "ratio": "quadratic",
}


def kappa(name: str, votes: Ratings, *, weights: Weights | None = None) -> Estimate:
    """Return a coefficient of `KAPPAS`; `weights` replaces its own.

    Raises ValueError for unknown weights and for an impossible distance.
    """
    about, groups = KAPPAS[name], votes.patterns
    weights = weights or about.weights
    number = int(groups.pairable.units.sum())
    alone = _not_two(votes, about, number) if about.title else None
    reason = alone or _no_names(votes, about) or _no_value(groups, about, number)
    if callable(weights) and groups.categories > MOST_VALUES:
        reason = f"{groups.categories} values are too many for a distance function"
    if reason:
        return no_estimate(reason, number)
    distance = weights_distance(votes.values, weights)
    apart = groups.apart(distance.between) / np.maximum(groups.votes * (groups.votes - 1), 1)
    by_unit, units = about.chance(votes, distance), groups.units
    patterns = np.arange(len(groups))
    if about.chance is _each_rater:
        patterns = groups.of_unit[groups.of_unit >= 0]
        units = np.ones(len(patterns), np.int64)
    chance = float((by_unit * units).sum() / units.sum())
    if chance <= 0:
        return no_estimate(ZERO_DISTANCE, number)
    value = 1 - float((apart * groups.units).sum()) / number / chance
    if number < 2:
        return Estimate(trim(value), reason=ONE_ITEM, n=number)
    # a unit adds its own agreement, and moves chance
    paired = (groups.votes > 1) * (units.sum() / number)
    agreement = (paired * (1 - apart / chance))[patterns]
    influence = agreement - value - 2 * (1 - value) * (1 - by_unit / chance)
    return replace(analytic(value, influence, units, table=groups.twice), n=number)


def _not_two(votes: Ratings, about: Kappa, number: int) -> str | None:
    raters = np.unique(votes.rater)
    if not len(raters):
        return NO_VOTE
    if ANONYMOUS in raters:
        return f"{_anonymous(votes)}, and {about.title} compares two annotators by name"
    if len(raters) != 2:
        return (
            f"{about.title} compares exactly two annotators; here are {len(raters)}"
            f" (see {about.many})"
        )
    return None if number else "the two annotators share no item"


def _no_names(votes: Ratings, about: Kappa) -> str | None:
    if about.chance is not _each_rater:
        return None
    if (votes.rater == ANONYMOUS).any():
        return f"{_anonymous(votes)}, and Conger's kappa needs each annotator's labels"
    if len(votes) and len(np.unique(votes.rater)) < 2:
        return "Conger's kappa compares annotators; here is one alone"
    if len(votes.raters) * len(votes.values) > MOST_CELLS:
        return (
            f"{len(votes.raters)} annotators x {len(votes.values)} values are too many for"
            " Conger's kappa; see fleiss_kappa"
        )
    return None


def _anonymous(votes: Ratings) -> str:
    number = int((votes.rater == ANONYMOUS).sum())
    some = f"{count(number, 'vote')} {verb(number, 'is', 'are')} anonymous"
    return "the votes are anonymous" if number == len(votes) else some


def _no_value(groups: Patterns, about: Kappa, number: int) -> str | None:
    if not number:
        return NO_PAIR if len(groups) else NO_VOTE
    if about.chance in (_uniform, _random):
        return ONE_CATEGORY if groups.categories < 2 else None
    return ONE_VALUE if (groups.totals > 0).sum() < 2 else None


def percent_agreement(votes: Ratings, *, by_votes: bool = False) -> Estimate:
    """Return the share of agreeing pairs of votes, from 0 to 1: a mean over items with two votes.

    Every item weighs the same, however many votes it has: p_a of the kappas and of AC1. With
    `by_votes` an item of five votes counts five times, so that every vote weighs the same: 1 minus
    the observed disagreement of nominal alpha. Both are equal where all items have equally many
    votes.

    Source: K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, chapter 2; by votes: K.
    Krippendorff, Content Analysis, 2nd ed., 2004, chapter 11.
    """
    pairable = votes.patterns.pairable
    if not len(pairable):
        return no_estimate(NO_PAIR if len(votes.patterns) else NO_VOTE)
    share = 1 - pairable.apart(nominal().between) / (pairable.votes * (pairable.votes - 1))
    weights = pairable.votes.astype(np.float64) if by_votes else np.ones(len(pairable))
    weights /= (weights * pairable.units).sum() / pairable.units.sum()
    value = float((weights * share * pairable.units).sum() / pairable.units.sum())
    influence = weights * (share - value)
    return analytic(value, influence, pairable.units, floor=0.0, table=votes.patterns.twice)


def all_coefficients(
    votes: Ratings,
    *,
    level: Level,
    scale: Sequence[Any] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Return every coefficient by name; one that does not fit the votes says why in its reason.

    The names are krippendorff_alpha_nominal, _ordinal, _interval and _ratio, cohen_kappa,
    fleiss_kappa, scott_pi, gwet_ac1, bennett_s, brennan_prediger, conger_kappa, randolph_kappa,
    percent_agreement_units, percent_agreement_ratings, gwet_ac2 and weighted_kappa. `scale` lists
    all values that could be chosen, in their order; without it those that were chosen count. Votes
    that are numbers get alpha at all four levels whatever their own; texts get the nominal one, and
    with a scale and a level above nominal the ordinal one. AC2 and weighted kappa weigh by the
    level: ordinal weights, quadratic ones for interval and ratio, none for nominal. Intervals of
    alpha come from `bootstrap` resamples of items, the others are analytic.

    Raises ValueError for an unknown level and for a vote outside the scale.
    """
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: allowed are {', '.join(LEVELS)}")
    scaled = votes if scale is None else _on_scale(votes, scale)
    by_level = alphas(scaled, LEVELS, bootstrap=bootstrap, seed=seed)
    ordered = level != "nominal" and scale is not None
    numeric = numbers(scaled.values) is not None
    if not ordered and not numeric:
        reason = "the values are texts without an order: the ordinal level needs one"
        by_level["ordinal"] = no_estimate(reason, by_level["nominal"].n)
    estimates = {f"krippendorff_alpha_{name}": by_level[name] for name in LEVELS}
    estimates |= {name: kappa(name, scaled) for name in KAPPAS if name not in _WEIGHTED}
    estimates["percent_agreement_units"] = percent_agreement(scaled)
    estimates["percent_agreement_ratings"] = percent_agreement(scaled, by_votes=True)
    weights = _LEVEL_WEIGHTS.get(level) if ordered or numeric else None
    for name, instead in _WEIGHTED.items():
        if weights:
            estimates[name] = kappa(name, scaled, weights=weights)
        else:
            reason = f"the values have no order to weigh by (see {instead})"
            estimates[name] = no_estimate(reason, estimates[instead].n)
    return estimates


def _on_scale(votes: Ratings, scale: Sequence[Any]) -> Ratings:
    if tuple(scale) == votes.values:
        return votes
    place = {value: code for code, value in enumerate(scale)}
    outside = [c for c in np.unique(votes.value).tolist() if votes.values[c] not in place]
    if outside:
        raise ValueError(f"{len(outside)} values of the votes are not on the scale of {len(place)}")
    codes = np.array([place.get(value, 0) for value in votes.values], np.int32)
    return replace(votes, value=codes[votes.value], values=tuple(scale))
