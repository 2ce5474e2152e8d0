"""Goals, one after the other: train goals, goals of dev and test, counterfactual ones (3.8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.core.ids import draw
from pipeline.sampling.dialogue.chance import Chance
from pipeline.sampling.dialogue.entry import METRO, TAXI, VENUES, Pool
from pipeline.sampling.dialogue.goal import Goal, Pair, Part
from pipeline.sampling.dialogue.journeys import metro, taxi
from pipeline.sampling.dialogue.monitor import Monitor, Rare
from pipeline.sampling.dialogue.venues import Setting, venue
from pipeline.tasks.sampling.base import proportional
from pipeline.tasks.sampling.dialogue import DialogueSampling, Plan

#: How often a goal that was drawn before, or that cannot be, is drawn anew.
TRIES = 20


@dataclass(frozen=True)
class _Slot:
    """The place of a goal in the sequence: its number, its domains, and what kind it is of."""

    number: int
    domains: tuple[str, ...]
    pool: Pool
    counterfactual: bool


def goals(setting: Setting, seed: int) -> Iterator[Goal]:
    """Yield the goals of a section `sampling`, all different.

    A goal that cannot be drawn anew after `TRIES` repetitions is left out. Counterfactual goals
    come last, for their pairs are chosen by the counts of all train goals.
    """
    train = Monitor(setting.schema)
    rare = Rare(setting, train, seed)
    seen: set[str] = set()
    for slot in _sequence(setting.sampling, seed):
        pair = rare.next(slot.domains) if slot.counterfactual else None
        goal = _new(setting, seed, slot, pair, seen)
        if goal is None:
            continue
        seen.add(str(goal.structure))
        if goal.pool == "train":
            train.add(goal)
        yield goal


def _new(
    setting: Setting, seed: int, slot: _Slot, pair: Pair | None, seen: set[str]
) -> Goal | None:
    if slot.counterfactual and pair is None:
        return None
    for attempt in range(TRIES):
        goal = _goal(setting, Chance(seed, "goal", f"{slot.number}/{attempt}"), slot, pair)
        if goal is not None and str(goal.structure) not in seen:
            return goal
    return None


def _goal(setting: Setting, chance: Chance, slot: _Slot, pair: Pair | None) -> Goal | None:
    parts: list[Part] = []
    for domain in _ordered(chance, slot.domains):
        part = _part(setting, chance, domain, slot.pool, pair, parts)
        if part is None:
            return None
        parts.append(part)
    return Goal(chance.name, slot.pool, tuple(parts), pair)


def _part(
    setting: Setting,
    chance: Chance,
    domain: str,
    pool: Pool,
    pair: Pair | None,
    before: Sequence[Part],
) -> Part | None:
    mine = Chance(chance.seed, chance.purpose, f"{chance.name}/{domain}")
    if domain == TAXI:
        return taxi(setting, mine, before)
    if domain == METRO:
        return metro(setting, mine, before)
    return venue(setting, mine, domain, pool=pool, fixed=dict(pair or ()), before=before)


def _ordered(chance: Chance, domains: tuple[str, ...]) -> list[str]:
    """Return the places in a drawn order, and then the journeys."""
    places = [domain for domain in domains if domain in VENUES]
    rides = [domain for domain in domains if domain not in VENUES]
    return [*chance.some("order", places, len(places)), *chance.some("rides", rides, len(rides))]


def _sequence(sampling: DialogueSampling, seed: int) -> list[_Slot]:
    """Return the goals to be drawn: train, held out, counterfactual, each over some domains.

    Plans without a place have no closed pairs to cover: counterfactual goals are of other plans.
    """
    train = sampling.goals - sampling.held_out
    plans = _plans(sampling, seed)
    last = sampling.goals - sampling.counterfactual
    for place in range(last, len(plans)):
        if not set(plans[place]) & set(VENUES):
            other = next(n for n, plan in enumerate(plans[:last]) if set(plan) & set(VENUES))
            plans[place], plans[other] = plans[other], plans[place]
    return [
        _Slot(number, plan, "train" if number < train else "held_out", number >= last)
        for number, plan in enumerate(plans)
    ]


def _plans(sampling: DialogueSampling, seed: int) -> list[tuple[str, ...]]:
    """Return the domains of all goals, in a keyed order; quotas are met to the goal."""
    found: list[tuple[str, ...]] = []
    several = sampling.goals - sampling.single
    for size, single in ((sampling.single, True), (several, False)):
        if size:
            found += _quota([p for p in sampling.plans if (len(p.domains) == 1) == single], size)
    keyed = [(draw(seed, "dst.plan", str(n)), n) for n in range(len(found))]
    return [found[n] for _, n in sorted(keyed)]


def _quota(plans: Sequence[Plan], size: int) -> list[tuple[str, ...]]:
    by_name = {" ".join(plan.domains): plan for plan in plans}
    weights = {name: round(plan.weight * 1_000) for name, plan in by_name.items()}
    quotas = proportional(weights, size)
    found = [by_name[name].domains for name, quota in quotas.items() for _ in range(quota)]
    return found[:size]  # a small size has fewer goals than plans
