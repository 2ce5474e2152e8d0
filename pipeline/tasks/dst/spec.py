"""Spec sections `sampling` and `split` of dst: goals (Section 3.8.1)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from pipeline.contracts.sampling import Quota, SamplingSection, Share
from pipeline.contracts.splits import Sizes, split_section
from pipeline.core.specs import Many, Spec, Text

Count = Annotated[int, Field(ge=0, le=1_000_000)]
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]
#: Quotas that shrink with the number of goals.
_PARTS: Final = ("held_out", "counterfactual", "single")


class Plan(Spec):
    """Domains that goals go through, and how often such goals come beside others."""

    domains: Annotated[Many[Text], Field(min_length=1, max_length=3)]
    weight: Weight


class Rates(Spec):
    """How often a goal has what it may have, as shares of the places or journeys of it.

    `features` are the weights of 0, 1, 2 ... features asked for, `no` and `any` those of a feature
    that must be absent or does not matter, beside 1 for one that must be there. `ends` are the
    weights of journeys between two places of the goal, from one, to one, and of neither.
    """

    named: Share
    booked: Share
    features: Annotated[list[Weight], Field(min_length=1, max_length=4)]
    no: Weight
    any: Weight
    near: Share
    same_day: Share
    same_people: Share
    otherwise: Share
    large: Share
    metro_leave: Share
    arrive: Share
    arrive_booked: Share
    ends: dict[Literal["both", "from", "to", "none"], Weight]
    dontcare: dict[str, Share]


class DialogueSampling(SamplingSection):
    """Goals wanted, of them for dev and test, counterfactual, and over one domain.

    `instances` are the sizes of the tables of the knowledge base (journeys of the metro follow from
    its stations, and may be more), `unseen` how many of each table train goals never use, and
    `unseen_targets` the share of other goals' places that are drawn among those. A pair of values
    is frequent in train goals from the share `frequent` of them on. At most `asked` slots a domain
    are asked for; `shown` places a domain are shown to the wizard, at most `fitting` of them places
    that fit the goal.
    """

    rule: Literal["goals"]
    goals: Quota
    held_out: Count
    counterfactual: Count
    single: Count
    plans: Annotated[list[Plan], Field(min_length=1)]
    instances: Annotated[dict[str, Quota], Field(min_length=1)]
    unseen: dict[str, Count]
    unseen_targets: Share
    frequent: Share
    asked: Quota
    shown: Quota
    fitting: Quota
    rates: Rates

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if not self.counterfactual <= self.held_out <= self.goals:
            raise ValueError("counterfactual goals are held out ones, and those are goals")
        if self.fitting > self.shown:
            raise ValueError("more fitting places than shown ones")
        if self.single > self.goals:
            raise ValueError("more goals over a single domain than goals")
        named = [frozenset(plan.domains) for plan in self.plans]
        twice = next((plan for plan in named if named.count(plan) > 1), None)
        if twice:
            raise ValueError(f"two plans are over {', '.join(sorted(twice))}; make one of them")
        for wanted, alone in ((self.single, True), (self.goals - self.single, False)):
            if wanted and not any((len(p.domains) == 1) == alone for p in self.plans):
                kind = "one domain" if alone else "several domains"
                raise ValueError(f"{wanted} goals over {kind} are wanted, but no plan has that")
        for domain, size in self.unseen.items():
            there = self.instances.get(domain, 0)
            if size >= there:
                raise ValueError(
                    f"unseen.{domain}: {size} of {there} instances; leave some for train goals"
                )
        return self

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return self.goals

    def scale(self, total: int) -> Self:
        """Return the same section with `total` goals, parts of them in proportion."""
        parts = {name: round(getattr(self, name) * total / self.goals) for name in _PARTS}
        return self.model_copy(update={"goals": total, **parts})


class GoalNumbers(Sizes):
    """DST: dialogues on counterfactual goals and on instances that train never names."""

    counterfactual_dev: Count
    counterfactual_test: Count
    unseen_instances: bool


SAMPLING: Final = DialogueSampling
SPLIT: Final = split_section("counterfactual", GoalNumbers)
