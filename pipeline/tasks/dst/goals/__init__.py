"""Goals are drawn by plan, counterfactual ones among them (Section 3.8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from pipeline.core.errors import SpecError
from pipeline.core.ids import draw
from pipeline.tasks.dst.goals.goal import Goal, Occasion, Pair, Part, Setting, SlotValue
from pipeline.tasks.dst.goals.parts import metro, taxi, venue
from pipeline.tasks.dst.knowledge import Pool
from pipeline.tasks.dst.schema import ANY, METRO, TAXI, VENUES, Chance, domain_of
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
        for number, plan in enumerate(_move_places(_draw_plans(sampling, seed), last))
    ]


def _move_places(plans: list[Domains], last: int) -> list[Domains]:
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
    moved = list(plans)
    for to, source in zip(lost, spare, strict=False):
        moved[to], moved[source] = plans[source], plans[to]
    return moved


def _has_place(plan: Domains) -> bool:
    return bool(set(plan) & set(VENUES))


def _draw_plans(sampling: DialogueSampling, seed: int) -> list[Domains]:
    """Return the domains of all goals, in a keyed order; so many of them are of one domain."""
    single = [plan for plan in sampling.plans if len(plan.domains) == 1]
    several = [plan for plan in sampling.plans if len(plan.domains) > 1]
    plans = [
        *share_out(single, sampling.single, Chance(seed, "plan", "single")),
        *share_out(several, sampling.goals - sampling.single, Chance(seed, "plan", "several")),
    ]
    order = sorted(range(len(plans)), key=lambda n: (draw(seed, "dst.plan", str(n)), n))
    return [plans[n] for n in order]


def share_out(plans: Sequence[Plan], size: int, chance: Chance) -> list[Domains]:
    """Return so many domains of plans by their weights.

    Each plan has the whole part of its share; what is left over goes by draw, as often as the
    remainders say, so that of a few goals heavy plans have most, whatever their order in the spec.
    """
    total = sum(Fraction(plan.weight) for plan in plans)
    shares = [Fraction(plan.weight) * size / total for plan in plans]
    counts = [int(share) for share in shares]
    remainders = {n: float(share % 1) for n, share in enumerate(shares) if share % 1}
    for n in chance.order("left", remainders)[: size - sum(counts)]:
        counts[n] += 1
    return [plan.domains for plan, count in zip(plans, counts, strict=True) for _ in range(count)]


class Rare:
    """Pairs of closed values (no `dontcare`), counted over goals, for counterfactual goals.

    Those are to cover the pairs that are rarest in the goals counted, each before any twice.
    """

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting, self.seed = setting, seed
        self.goals, self.pairs = 0, Counter[Pair]()
        self._covered = Counter[Pair]()
        self._lists: dict[tuple[str, ...], list[Pair]] = {}

    def add(self, goal: Goal) -> None:
        """Count a goal and its pairs."""
        values = sorted(
            (want.slot, want.value)
            for want in goal.wants
            if want.value not in ("", ANY) and self.setting.schema.values(want.slot)
        )
        self.goals += 1
        self.pairs.update(combinations(values, 2))

    def next(self, domains: Sequence[str]) -> Pair | None:
        """Return a pair that goals over these domains can have and that is not frequent, or None.

        A pair is frequent from the share `frequent` of the goals counted on. The rarest comes
        first, ties go by keyed draw; of pairs covered as often the rarest again.
        """
        key = tuple(sorted(set(domains) & set(VENUES)))
        if key not in self._lists:
            limit = max(self.setting.sampling.frequent * self.goals, 1)
            rare = [pair for pair in self._possible(key) if self.pairs[pair] < limit]
            draws = {pair: draw(self.seed, "dst.rare", str(pair)) for pair in rare}
            self._lists[key] = sorted(rare, key=lambda pair: (self.pairs[pair], draws[pair], pair))
        pair = min(self._lists[key], key=lambda pair: self._covered[pair], default=None)
        if pair is not None:
            self._covered[pair] += 1
        return pair

    def _possible(self, domains: tuple[str, ...]) -> Iterator[Pair]:
        """Yield the pairs that some place, or some two places, and a booking can have."""
        schema, venues = self.setting.schema, self.setting.knowledge.venues
        there = {item for name in domains for entry in venues[name] for item in entry.slots.items()}
        possible = sorted(
            (slot.id, value)
            for domain in domains
            for slot in schema.of_domain(domain)
            for value in schema.values(slot.id)
            if slot.booking or (slot.id, value) in there
        )
        for first, two in combinations(possible, 2):
            if first[0] != two[0] and self._fit_together(first, two):
                yield first, two

    def _fit_together(self, first: SlotValue, two: SlotValue) -> bool:
        domain, slots = domain_of(first[0]), self.setting.schema.slots
        if domain != domain_of(two[0]) or slots[first[0]].booking or slots[two[0]].booking:
            return True
        return bool(self.setting.matching("held_out", domain, dict((first, two))))


#: How often a goal that was drawn before, or that cannot be, is drawn anew.
TRIES: Final = 20


def goals(setting: Setting, seed: int) -> Iterator[Goal]:
    """Yield the goals of a section `sampling`, all different.

    A goal that cannot be drawn anew after `TRIES` repetitions is left out. Counterfactual goals
    come last, for their pairs are chosen by the counts of all train goals. Raises SpecError for
    plans that cannot give so many of these.
    """
    rare = Rare(setting, seed)
    seen: set[str] = set()
    for slot in sequence(setting.sampling, seed):
        pair = rare.next(slot.domains) if slot.counterfactual else None
        if slot.counterfactual and pair is None:
            continue
        for attempt in range(TRIES):
            goal = _draw_goal(setting, Chance(seed, "goal", f"{slot.number}/{attempt}"), slot, pair)
            if goal is not None and str(goal.structure) not in seen:
                seen.add(str(goal.structure))
                if goal.pool == "train":
                    rare.add(goal)
                yield goal
                break


def _draw_goal(setting: Setting, chance: Chance, slot: Slot, pair: Pair | None) -> Goal | None:
    """Draw the places of a goal in a drawn order, and then its journeys; None if one cannot be."""
    places = [domain for domain in slot.domains if domain in VENUES]
    rides = [domain for domain in slot.domains if domain not in VENUES]
    order = [*chance.some("order", places, len(places)), *chance.some("rides", rides, len(rides))]
    parts: list[Part] = []
    for domain in order:
        own = replace(chance, name=f"{chance.name}/{domain}")
        draw_part = {TAXI: taxi, METRO: metro}.get(domain, venue)
        part = draw_part(Occasion(setting, own, domain, slot.pool, dict(pair or ()), parts))
        if part is None:
            return None
        parts.append(part)
    return Goal(chance.name, slot.pool, tuple(parts), pair)
