"""Which pairs of slot-values train goals hardly have, for counterfactual goals (Section 3.8.1).

After CoCo (Li et al., 2021): combinations that train goals hardly have make dev and test harder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pipeline.core.ids import draw
from pipeline.tasks.dst.goals.goal import Pair, SlotValue
from pipeline.tasks.dst.goals.monitor import Monitor
from pipeline.tasks.dst.goals.setting import Setting
from pipeline.tasks.dst.ground.names import VENUES, domain_of


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
        booking = {slot.id for slot in self.setting.schema.booking(domain)}
        if {one[0], two[0]} & booking:
            return True
        return bool(self.setting.matching("held_out", domain, dict((one, two))))
