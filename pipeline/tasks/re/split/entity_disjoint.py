"""Growing a test set whose entities the training set does not have (RE)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from pipeline.core.ids import draw
from pipeline.release.splits.member import Group
from pipeline.release.splits.sizes import keyed_order

_PURPOSE: Final = "split.re.test"


@dataclass(eq=False)
class _Bundle:
    """Groups with the same entities, of which `closed` are not yet given up by train.

    It is `possible` in test when train has none of them for certain; `touched` once train cannot
    have it. `place` is its place in the keyed order.
    """

    entities: tuple[str, ...]
    groups: list[Group]
    possible: bool
    weight: int
    place: float
    closed: int
    touched: bool = False


class Apart:
    """The groups that may go to dev or test, and how they hang together by their entities.

    An entity is opened when train gives it up. Then every group that holds it is touched: it goes
    to test once all its entities are open, and to dev otherwise. `room` is what test still takes,
    `need` what dev must take of touched groups, in examples. Choosing a cheapest test set is a
    problem of vertex separators, so this is a greedy search, in time n log n for n mentions.
    """

    def __init__(
        self,
        groups: Iterable[Group],
        forms: Mapping[str, Sequence[str]],
        *,
        taken: AbstractSet[str],
        room: int,
        dev: int,
        seed: int,
    ) -> None:
        """Take up groups; `forms` are their entities by id, those in `taken` stay with train.

        `room` and `dev` are how many examples test and dev take at most.
        """
        self.test: list[Group] = []
        self.room, self.dev, self.need = room, dev, 0
        self._seed = seed
        self._open: set[str] = set()
        self._cost: defaultdict[str, int] = defaultdict(int)
        self._gain: defaultdict[str, int] = defaultdict(int)
        self._holders: defaultdict[str, list[_Bundle]] = defaultdict(list)
        self._heap: list[tuple[int, float, str]] = []
        self._bundles = self._bundle(groups, forms, taken)
        fit = [one for bundle in self._bundles if bundle.possible for one in bundle.groups]
        self._largest = max(map(len, fit), default=1)

    def _bundle(
        self, groups: Iterable[Group], forms: Mapping[str, Sequence[str]], taken: AbstractSet[str]
    ) -> list[_Bundle]:
        bundles: dict[tuple[tuple[str, ...], bool], _Bundle] = {}
        for group in keyed_order(groups, seed=self._seed, purpose=_PURPOSE):
            entities = tuple(forms[group.id])
            possible = len(group) <= self.room and taken.isdisjoint(entities)
            place = draw(self._seed, _PURPOSE, group.id)
            fresh = _Bundle(entities, [], possible, 0, place, len(entities))
            bundle = bundles.setdefault((entities, possible), fresh)
            bundle.groups.append(group)
            bundle.weight += len(group)
        for bundle in bundles.values():
            for entity in bundle.entities:
                self._holders[entity].append(bundle)
                self._cost[entity] += bundle.weight
        for bundle in bundles.values():
            self._promise(bundle)
        return list(bundles.values())

    def open(self, entities: Iterable[str]) -> None:
        """Give up entities for train, whatever it costs."""
        for entity in entities:
            if entity not in self._open:
                self._open.add(entity)
                for bundle in self._holders.get(entity, ()):
                    self._touch(bundle)
                    bundle.closed -= 1
                    self._promise(bundle)
                    if bundle.possible and not bundle.closed:
                        self._cover(bundle)

    def touched(self) -> list[Group]:
        """Return the groups that train cannot have and test did not take."""
        taken = {one.id for one in self.test}
        groups = (one for bundle in self._bundles if bundle.touched for one in bundle.groups)
        return [one for one in groups if one.id not in taken]

    def grow(self) -> None:
        """Fill the room of test as far as dev can take what is touched.

        First in keyed order, whatever costs no more than the share of dev's room that is due to it,
        so that entities which several examples name are not shut out of test; then what costs
        least.
        """
        possible = [one for one in self._bundles if one.possible]
        self._pass(sorted(possible, key=lambda one: -one.place), fair=True)
        closed = [one for one in possible if one.closed]
        self._pass(sorted(closed, key=lambda one: (-self._price(one), -one.place)), fair=False)

    def _pass(self, stack: list[_Bundle], *, fair: bool) -> None:
        """Open what is on top of the stack, or before it what costs less."""
        while self.room > 0:
            while stack and not stack[-1].closed:
                stack.pop()
            entity = self._cheapest(0 if fair else self._price(stack[-1]) if stack else self.dev)
            if entity is not None:
                self.open([entity])
                continue
            if not stack:
                return
            bundle = stack.pop()
            price, weight = self._price(bundle), bundle.weight
            due = price * self.room <= weight * (self.dev - self.need)
            if (due or not fair) and self._affords(price + weight * (not bundle.touched), weight):
                self.open(bundle.entities)

    def _touch(self, bundle: _Bundle) -> None:
        if not bundle.touched:
            bundle.touched = True
            self.need += bundle.weight
            for entity in bundle.entities:
                self._cost[entity] -= bundle.weight
                self._push(entity)

    def _promise(self, bundle: _Bundle) -> None:
        """Note the one entity that keeps a bundle from test."""
        if bundle.possible and bundle.closed == 1:
            (last,) = (one for one in bundle.entities if one not in self._open)
            self._gain[last] += bundle.weight
            self._push(last)

    def _cover(self, bundle: _Bundle) -> None:
        for group in bundle.groups:
            if len(group) <= self.room:
                self.test.append(group)
                self.room -= len(group)
                self.need -= len(group)

    def _price(self, bundle: _Bundle) -> int:
        """Return how many other examples it would newly keep from train, at most."""
        closed = [one for one in bundle.entities if one not in self._open]
        own = 0 if bundle.touched else bundle.weight * len(closed)
        return sum(self._cost[one] for one in closed) - own

    def _affords(self, cost: int, gain: int) -> bool:
        """Return whether dev can take what remains, as not all of the gain may fit into test.

        Where entities opened from without ask too much of dev already, they must not ask for more.
        """
        sure = gain if gain <= self.room else max(0, self.room - self._largest + 1)
        return self.need + cost - sure <= max(self.dev, self.need)

    def _push(self, entity: str) -> None:
        """Note what it costs to open an entity, less what test gains, if it gains anything."""
        if self._gain[entity] and entity not in self._open:
            net = self._cost[entity] - self._gain[entity]
            heappush(self._heap, (net, draw(self._seed, _PURPOSE, entity), entity))

    def _cheapest(self, limit: int) -> str | None:
        while self._heap:
            net, _, entity = self._heap[0]
            cost, gain = self._cost[entity], self._gain[entity]
            if entity in self._open or net != cost - gain:
                heappop(self._heap)
            else:
                return entity if net <= limit and self._affords(cost, gain) else None
        return None
