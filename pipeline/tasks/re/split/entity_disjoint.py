"""A greedy search for a test set none of whose entities is in train (RE).

An entity is *reserved for test* once train may no longer contain it. Every unplaced group with such
an entity leaves train: to test if all its entities are reserved, otherwise to dev. Groups for which
neither has room are left out by the caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from pipeline.core.ids import draw
from pipeline.release.splits.member import Group, order_by_key, take_fitting

_PURPOSE: Final = "split.re.test"


@dataclass(eq=False)
class _Bundle:
    """Groups with the same entities; `size` counts their examples.

    `can_go_to_test` is False where train has one of the entities for certain, or where the groups
    are too large. `unreserved_count` counts the entities that are not reserved, and
    `barred_from_train` is True once one is. `order_key` is the keyed draw of the first group.
    """

    entities: tuple[str, ...]
    groups: list[Group]
    can_go_to_test: bool
    size: int
    order_key: float
    unreserved_count: int
    barred_from_train: bool = False


class DisjointTestSearch:
    """Unplaced groups that may go to dev or test, and the entities that are reserved for test.

    All numbers are examples: `test_room` is what test still takes, `dev_room` what dev takes at
    most, `dev_demand` what it has to take of the groups that are barred from train. To choose the
    test set that bars fewest groups is a problem of vertex separators. So the search is greedy; it
    takes time n log n for n mentions of entities.
    """

    def __init__(
        self,
        groups: Iterable[Group],
        forms: Mapping[str, Sequence[str]],
        *,
        train_entities: AbstractSet[str],
        test_room: int,
        dev_room: int,
        seed: int,
    ) -> None:
        """Take up groups; `forms` are their entities by id, `train_entities` stay in train."""
        self.test: list[Group] = []
        self.test_room, self.dev_room, self.dev_demand = test_room, dev_room, 0
        self._seed = seed
        self._reserved: set[str] = set()
        #: By entity: the examples that leave train, and those that go to test, when it is reserved.
        self._cost: defaultdict[str, int] = defaultdict(int)
        self._gain: defaultdict[str, int] = defaultdict(int)
        self._holders: defaultdict[str, list[_Bundle]] = defaultdict(list)
        self._heap: list[tuple[int, float, str]] = []
        self._bundles = self._bundle(groups, forms, train_entities)
        fit = [
            group for bundle in self._bundles if bundle.can_go_to_test for group in bundle.groups
        ]
        self._largest = max(map(len, fit), default=1)

    def _bundle(
        self,
        groups: Iterable[Group],
        forms: Mapping[str, Sequence[str]],
        train_entities: AbstractSet[str],
    ) -> list[_Bundle]:
        bundles: dict[tuple[tuple[str, ...], bool], _Bundle] = {}
        for group in order_by_key(groups, seed=self._seed, purpose=_PURPOSE):
            entities = tuple(forms[group.id])
            can_go = len(group) <= self.test_room and train_entities.isdisjoint(entities)
            order_key = draw(self._seed, _PURPOSE, group.id)
            fresh = _Bundle(entities, [], can_go, 0, order_key, len(entities))
            bundle = bundles.setdefault((entities, can_go), fresh)
            bundle.groups.append(group)
            bundle.size += len(group)
        for bundle in bundles.values():
            for entity in bundle.entities:
                self._holders[entity].append(bundle)
                self._cost[entity] += bundle.size
        for bundle in bundles.values():
            self._add_gain(bundle)
        return list(bundles.values())

    def reserve(self, entities: Iterable[str]) -> None:
        """Reserve entities for test, whatever it costs."""
        for entity in entities:
            if entity not in self._reserved:
                self._reserved.add(entity)
                for bundle in self._holders.get(entity, ()):
                    self._bar_from_train(bundle)
                    bundle.unreserved_count -= 1
                    self._add_gain(bundle)
                    if bundle.can_go_to_test and not bundle.unreserved_count:
                        self._move_to_test(bundle)

    def barred_from_train(self) -> list[Group]:
        """Return the groups that train may not contain and that test did not take."""
        in_test = {group.id for group in self.test}
        bundles = (bundle for bundle in self._bundles if bundle.barred_from_train)
        groups = (group for bundle in bundles for group in bundle.groups)
        return [group for group in groups if group.id not in in_test]

    def grow(self) -> None:
        """Fill test as far as dev can take the groups that this bars from train.

        The first pass goes through the bundles in keyed order and takes those whose price is at
        most their share of the room in dev, so that entities of several examples get into test,
        too. The second pass begins with the lowest price and takes what dev has room for.

        An example with room for 10 examples in test and for 20 in dev, 2 for each one in test. One
        pair joins A and B, and one other pair names A. To take the first pair into test bars the
        other from train: its price is 1, so the first pass reserves A and B. Another pair joins C
        and D, and three other pairs name C. Its price is 3, so only the second pass may take it.

        Before each bundle goes an entity that is the last unreserved one of some groups, if it
        costs no more: in the first pass if it bars from train no more than test gains.
        """
        possible = [bundle for bundle in self._bundles if bundle.can_go_to_test]
        self._pass(sorted(possible, key=lambda bundle: -bundle.order_key), proportional=True)
        rest = [bundle for bundle in possible if bundle.unreserved_count]
        rest.sort(key=lambda bundle: (-self._price(bundle), -bundle.order_key))
        self._pass(rest, proportional=False)

    def _pass(self, stack: list[_Bundle], *, proportional: bool) -> None:
        """Reserve the entities of the bundle on top of the stack, or before it one that costs less.

        With `proportional` a bundle may use only its share of the room in dev.
        """
        while self.test_room > 0:
            while stack and not stack[-1].unreserved_count:
                stack.pop()
            if proportional:
                limit = 0
            elif stack:
                limit = self._price(stack[-1])
            else:
                limit = self.dev_room
            entity = self._cheapest(limit)
            if entity is not None:
                self.reserve([entity])
                continue
            if not stack:
                return
            bundle = stack.pop()
            price, size = self._price(bundle), bundle.size
            is_due = price * self.test_room <= size * (self.dev_room - self.dev_demand)
            cost = price + size * (not bundle.barred_from_train)
            if (is_due or not proportional) and self._affords(cost, size):
                self.reserve(bundle.entities)

    def _bar_from_train(self, bundle: _Bundle) -> None:
        if not bundle.barred_from_train:
            bundle.barred_from_train = True
            self.dev_demand += bundle.size
            for entity in bundle.entities:
                self._cost[entity] -= bundle.size
                self._push(entity)

    def _add_gain(self, bundle: _Bundle) -> None:
        """Add a bundle to the gain of the one entity that keeps it from test."""
        if bundle.can_go_to_test and bundle.unreserved_count == 1:
            (last,) = (entity for entity in bundle.entities if entity not in self._reserved)
            self._gain[last] += bundle.size
            self._push(last)

    def _move_to_test(self, bundle: _Bundle) -> None:
        for group in take_fitting(bundle.groups, self.test_room):
            self.test.append(group)
            self.test_room -= len(group)
            self.dev_demand -= len(group)

    def _price(self, bundle: _Bundle) -> int:
        """Return how many other examples it would newly bar from train, at most."""
        unreserved = [entity for entity in bundle.entities if entity not in self._reserved]
        own = 0 if bundle.barred_from_train else bundle.size * len(unreserved)
        return sum(self._cost[entity] for entity in unreserved) - own

    def _affords(self, cost: int, gain: int) -> bool:
        """Tell whether dev can take what test does not, even if not all of the gain fits into test.

        Where the entities of earlier test examples already ask too much of dev, a further one must
        not ask for more.
        """
        fits = gain if gain <= self.test_room else max(0, self.test_room - self._largest + 1)
        return self.dev_demand + cost - fits <= max(self.dev_room, self.dev_demand)

    def _push(self, entity: str) -> None:
        """Queue an entity by its net price, cost less gain, if it has a gain."""
        if self._gain[entity] and entity not in self._reserved:
            net = self._cost[entity] - self._gain[entity]
            heappush(self._heap, (net, draw(self._seed, _PURPOSE, entity), entity))

    def _cheapest(self, limit: int) -> str | None:
        """Return the entity with the lowest net price, if that is within the limit and affordable.

        Entries of the queue with an old price are dropped.
        """
        while self._heap:
            net, _, entity = self._heap[0]
            cost, gain = self._cost[entity], self._gain[entity]
            if entity in self._reserved or net != cost - gain:
                heappop(self._heap)
            else:
                return entity if net <= limit and self._affords(cost, gain) else None
        return None
