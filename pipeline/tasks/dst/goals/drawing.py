"""Goals, one after the other: train goals, goals of dev and test, counterfactual ones (3.8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.tasks.dst.goals.goal import Goal, Pair, Part
from pipeline.tasks.dst.goals.journeys import metro, taxi
from pipeline.tasks.dst.goals.monitor import Monitor
from pipeline.tasks.dst.goals.plans import Slot, sequence
from pipeline.tasks.dst.goals.rare import Rare
from pipeline.tasks.dst.goals.setting import Occasion, Setting
from pipeline.tasks.dst.goals.venues import venue
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import METRO, TAXI, VENUES

#: How often a goal that was drawn before, or that cannot be, is drawn anew.
TRIES: Final = 20


def goals(setting: Setting, seed: int) -> Iterator[Goal]:
    """Yield the goals of a section `sampling`, all different.

    A goal that cannot be drawn anew after `TRIES` repetitions is left out. Counterfactual goals
    come last, for their pairs are chosen by the counts of all train goals. Raises SpecError for
    plans that cannot give so many of these.
    """
    train = Monitor(setting.schema)
    rare = Rare(setting, train, seed)
    seen: set[str] = set()
    for slot in sequence(setting.sampling, seed):
        pair = rare.next(slot.domains) if slot.counterfactual else None
        goal = _new(setting, seed, slot, pair, seen)
        if goal is None:
            continue
        seen.add(str(goal.structure))
        if goal.pool == "train":
            train.add(goal)
        yield goal


def _new(setting: Setting, seed: int, slot: Slot, pair: Pair | None, seen: set[str]) -> Goal | None:
    if slot.counterfactual and pair is None:
        return None
    for attempt in range(TRIES):
        goal = _goal(setting, Chance(seed, "goal", f"{slot.number}/{attempt}"), slot, pair)
        if goal is not None and str(goal.structure) not in seen:
            return goal
    return None


def _goal(setting: Setting, chance: Chance, slot: Slot, pair: Pair | None) -> Goal | None:
    parts: list[Part] = []
    for domain in _ordered(chance, slot.domains):
        mine = Chance(chance.seed, chance.purpose, f"{chance.name}/{domain}")
        part = _part(Occasion(setting, mine, domain, slot.pool, dict(pair or ()), parts))
        if part is None:
            return None
        parts.append(part)
    return Goal(chance.name, slot.pool, tuple(parts), pair)


def _part(occasion: Occasion) -> Part | None:
    if occasion.domain == TAXI:
        return taxi(occasion)
    if occasion.domain == METRO:
        return metro(occasion)
    return venue(occasion)


def _ordered(chance: Chance, domains: Sequence[str]) -> list[str]:
    """Return the places in a drawn order, and then the journeys."""
    places = [domain for domain in domains if domain in VENUES]
    rides = [domain for domain in domains if domain not in VENUES]
    return [*chance.some("order", places, len(places)), *chance.some("rides", rides, len(rides))]
