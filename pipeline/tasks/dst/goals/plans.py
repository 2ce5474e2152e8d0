"""Which goals are drawn: over which domains, for which pool, and which are counterfactual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.core.errors import SpecError
from pipeline.core.ids import draw
from pipeline.tasks.dst.ground.chance import Chance
from pipeline.tasks.dst.ground.names import VENUES
from pipeline.tasks.dst.knowledge.entry import Pool
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
