"""All coefficients of one table of votes, under the names that the record gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.agreement.coefficients.alpha import LEVELS, Level, alphas
from pipeline.agreement.coefficients.chance import (
    bennett_s,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    randolph_kappa,
    scott_pi,
    weighted_kappa,
)
from pipeline.agreement.coefficients.distances import Named, nominal, numbers
from pipeline.agreement.coefficients.estimates import (
    NO_PAIR,
    NO_VOTE,
    Estimate,
    analytic,
    undefined,
)
from pipeline.agreement.votes.ratings import Patterns, Ratings, Real


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


#: Those that take the votes alone, in the order of the record.
_PLAIN: dict[str, Callable[[Ratings], Estimate]] = {
    "cohen_kappa": cohen_kappa,
    "fleiss_kappa": fleiss_kappa,
    "scott_pi": scott_pi,
    "gwet_ac1": gwet_ac1,
    "bennett_s": bennett_s,
    "brennan_prediger": brennan_prediger,
    "conger_kappa": conger_kappa,
    "randolph_kappa": randolph_kappa,
    "percent_agreement_units": percent_agreement_units,
    "percent_agreement_ratings": percent_agreement_ratings,
}
#: Those that count partial agreement, and what to look at where values have no order.
_WEIGHTED: dict[str, tuple[Callable[..., Estimate], str]] = {
    "gwet_ac2": (gwet_ac2, "gwet_ac1"),
    "weighted_kappa": (weighted_kappa, "cohen_kappa"),
}
#: The weights of each level; nominal values have none.
WEIGHTS: dict[Level, Named] = {
    "ordinal": "ordinal",
    "interval": "quadratic",
    "ratio": "quadratic",
}


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
    ordered = level != "nominal" and scale is not None
    found = _alphas(scaled, ordered, bootstrap, seed)
    found |= {name: make(scaled) for name, make in _PLAIN.items()}
    weights = WEIGHTS.get(level) if ordered or numbers(scaled.values) is not None else None
    for name, (make, instead) in _WEIGHTED.items():
        none = undefined(f"the values have no order to weigh by (see {instead})", found[instead].n)
        found[name] = make(scaled, weights=weights) if weights else none
    return found


def _alphas(votes: Ratings, ordered: bool, bootstrap: int, seed: int) -> dict[str, Estimate]:
    """Return alpha at all levels; texts have an order where they were given one."""
    made = alphas(votes, LEVELS, bootstrap=bootstrap, seed=seed)
    if not ordered and numbers(votes.values) is None:
        reason = "the values are texts without an order: the ordinal level needs one"
        made["ordinal"] = undefined(reason, made["nominal"].n)
    return {f"krippendorff_alpha_{level}": made[level] for level in LEVELS}


def _on_scale(votes: Ratings, scale: Sequence[Any]) -> Ratings:
    """Return the votes coded by the scale."""
    if tuple(scale) == votes.values:
        return votes
    place = {value: code for code, value in enumerate(scale)}
    used = set(np.unique(votes.value).tolist())
    outside = [code for code in used if votes.values[code] not in place]
    if outside:
        raise ValueError(f"{len(outside)} values of the votes are not on the scale of {len(place)}")
    codes = np.array([place.get(value, 0) for value in votes.values], np.int32)
    return replace(votes, value=codes[votes.value], values=tuple(scale))
