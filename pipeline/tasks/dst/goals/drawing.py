"""Goals are drawn by plan, counterfactual ones among them (Section 3.8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

from pipeline.core.errors import SpecError
from pipeline.core.ids import draw
from pipeline.tasks.dst.goals.goal import Goal, Occasion, Pair, Part, Setting, SlotValue
from pipeline.tasks.dst.goals.offers import venue
from pipeline.tasks.dst.goals.transport import metro, taxi
from pipeline.tasks.dst.knowledge.base import Pool
from pipeline.tasks.dst.schema import ANY, METRO, TAXI, VENUES, Chance, Schema, domain_of
from pipeline.tasks.dst.spec import DialogueSampling, Plan

Domains = tuple[str, ...]


@dataclass(frozen=True)
class Slot:
    """The place of a goal in the sequence: its number, its domains, and what kind it is of."""

    number: int
    domains: Domains
    pool: Pool
    counterfactual: bool


def sequence(sampling: DialogueSampling, seed: int) -> list[Slot]:
    """Return the goals to be drawn: train, held out, counterfactual, each over some domains.

    Raises SpecError when more counterfactual goals are wanted than goals have a place.
    """
    train = sampling.goals - sampling.held_out
    last = sampling.goals - sampling.counterfactual
    return [
        Slot(number, plan, "train" if number < train else "held_out", number >= last)
        for number, plan in enumerate(_with_places_last(_keyed(sampling, seed), last))
    ]


def _with_places_last(plans: list[Domains], last: int) -> list[Domains]:
    """Return plans such that all from `last` on have a place, others unmoved.

    Journeys alone have no closed pairs to cover: counterfactual goals are of other plans.
    """
    lost = [n for n in range(last, len(plans)) if not _has_place(plans[n])]
    spare = [n for n in range(last) if _has_place(plans[n])]
    if len(lost) > len(spare):
        most = sum(map(_has_place, plans))
        raise SpecError(
            f"sampling.counterfactual: {len(plans) - last} goals are wanted, each with a place"
            f" ({', '.join(VENUES)}), but of {len(plans)} goals the plans give one to {most}; give"
            f" {most} or fewer, or give plans with a place more weight"
        )
    found = list(plans)
    for one, other in zip(lost, spare, strict=False):
        found[one], found[other] = plans[other], plans[one]
    return found


def _has_place(plan: Domains) -> bool:
    return bool(set(plan) & set(VENUES))


def _keyed(sampling: DialogueSampling, seed: int) -> list[Domains]:
    """Return the domains of all goals, in a keyed order; so many of them are of one domain."""
    single = [plan for plan in sampling.plans if len(plan.domains) == 1]
    several = [plan for plan in sampling.plans if len(plan.domains) > 1]
    found = [
        *shared(single, sampling.single, Chance(seed, "plan", "single")),
        *shared(several, sampling.goals - sampling.single, Chance(seed, "plan", "several")),
    ]
    keyed = [(draw(seed, "dst.plan", str(n)), n) for n in range(len(found))]
    return [found[n] for _, n in sorted(keyed)]


def shared(plans: Sequence[Plan], size: int, chance: Chance) -> list[Domains]:
    """Return so many domains of plans by their weights.

    Each plan has the whole part of its share; what is left over goes by draw, as often as the
    remainders say, so that of a few goals heavy plans have most, whatever their order in the spec.
    """
    whole = sum(Fraction(plan.weight) for plan in plans)
    shares = [Fraction(plan.weight) * size / whole for plan in plans]
    counts = [int(share) for share in shares]
    remainders = {n: float(share % 1) for n, share in enumerate(shares) if share % 1}
    for n in chance.order("left", remainders)[: size - sum(counts)]:
        counts[n] += 1
    return [plan.domains for plan, count in zip(plans, counts, strict=True) for _ in range(count)]


@dataclass
class Rare:
    """Pairs to be covered: those rarest in the goals of a monitor, each before any twice."""

    setting: Setting
    train: Monitor
    seed: int
    _covered: Counter[Pair] = field(default_factory=Counter)
    _lists: dict[tuple[str, ...], list[Pair]] = field(default_factory=dict)

    def next(self, domains: Sequence[str]) -> Pair | None:
        """Return a pair that goals over these domains can have and that is not frequent, or None.

        A pair is frequent from the share `frequent` of the goals counted on. The rarest comes
        first, ties go by keyed draw; of pairs covered as often the rarest again.
        """
        key = tuple(sorted(set(domains) & set(VENUES)))
        if key not in self._lists:
            self._lists[key] = self._rarest(key)
        found = min(self._lists[key], key=lambda pair: self._covered[pair], default=None)
        if found is not None:
            self._covered[found] += 1
        return found

    def _rarest(self, domains: tuple[str, ...]) -> list[Pair]:
        limit = self.setting.sampling.frequent * self.train.goals
        counted = [(self.train.pairs[pair], pair) for pair in self._possible(domains)]
        rare = [(count, pair) for count, pair in counted if count < max(limit, 1)]
        keyed = [(count, draw(self.seed, "dst.rare", str(pair)), pair) for count, pair in rare]
        return [pair for _, _, pair in sorted(keyed)]

    def _possible(self, domains: tuple[str, ...]) -> Iterator[Pair]:
        """Yield the pairs that some place, or some two places, and a booking can have."""
        single = sorted(one for domain in domains for one in self._possible_values(domain))
        for one, two in combinations(single, 2):
            if one[0] != two[0] and self._together(one, two):
                yield one, two

    def _possible_values(self, domain: str) -> Iterator[SlotValue]:
        there = {
            item for entry in self.setting.knowledge.venues[domain] for item in entry.slots.items()
        }
        booking = {slot.id for slot in self.setting.schema.booking(domain)}
        for slot in self.setting.schema.of_domain(domain):
            for value in self.setting.schema.values(slot.id):
                if slot.id in booking or (slot.id, value) in there:
                    yield slot.id, value

    def _together(self, one: SlotValue, two: SlotValue) -> bool:
        domain = domain_of(one[0])
        if domain != domain_of(two[0]):
            return True
        if {one[0], two[0]} & {slot.id for slot in self.setting.schema.booking(domain)}:
            return True
        return bool(self.setting.matching("held_out", domain, dict((one, two))))


@dataclass
class Monitor:
    """Counts over goals drawn so far; only closed slots are counted, and no `dontcare`."""

    schema: Schema
    goals: int = 0
    values: Counter[SlotValue] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)

    def add(self, goal: Goal) -> None:
        """Count a goal."""
        found = sorted(
            (want.slot, want.value)
            for want in goal.wants
            if want.value not in ("", ANY) and self.schema.values(want.slot)
        )
        self.goals += 1
        self.values.update(found)
        self.pairs.update(combinations(found, 2))


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
