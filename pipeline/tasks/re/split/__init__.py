"""RE: dev and test of uniformly drawn pairs, test entities absent from train (Section 3.5.1).

In order:

1. Pairs that an earlier release had in dev or test and that are not of the sampler
   `evaluation_sampler` are left out.
2. Pairs that an earlier release had in test and that share an entity with one of its train pairs
   are left out; so are pairs that can only go to train and share an entity with its test pairs.
3. All other pairs of an earlier release keep their split.
4. New pairs fill test; none of its entities may be in train (entity_disjoint.py, a search of this
   project's own).
5. New pairs fill dev, first those that share an entity with test. What neither takes goes to train,
   or is left out if it shares an entity with test.

No new example is left out for the sake of a size: where too many pairs share their entities, test
falls short and the constraint `unseen_entities` binds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pipeline.contracts.splits import EVALUATION, Split, apportion
from pipeline.core.wording import verb
from pipeline.release.splits.assignment import Assignment, Constraint, size_constraints
from pipeline.release.splits.member import Group, Member, entity_form, order_by_key, take_fitting
from pipeline.tasks.re.spec import PairNumbers
from pipeline.tasks.re.split.entity_disjoint import DisjointTestSearch

#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"evaluation_sampler", "other_samplers", "unseen_entities"})
ENTITY: Final = "split.entity@1"
SAMPLER: Final = "split.sampler@1"


def split(groups: Sequence[Group], numbers: PairNumbers, *, seed: int) -> Assignment:
    """Put pairs of `evaluation_sampler` into dev and test, all others into train.

    A pair without a sampler (official files) counts as one of `evaluation_sampler`; a group with a
    pair of any other sampler is for train. With `unseen_entities_in_test` no subject or object of a
    test example is one of a train example: words are compared by `entity_form`, whatever their
    types. Dev may share entities with both.

    Constraints: those of `size_constraints`; `evaluation_sampler`, the pairs that dev and test may
    have against their sizes; `other_samplers`; `unseen_entities`, the test examples with an entity
    of train.
    """
    assignment = Assignment()
    remaining = assignment.leave_out_where(
        sorted(groups, key=lambda group: group.id),
        lambda group, pair: group.kept in EVALUATION and not _is_uniform(pair, numbers),
        rule=SAMPLER,
        reason="dev and test have no pairs of its sampler",
    )
    if numbers.unseen_entities_in_test:
        remaining = _keep_disjoint(remaining, numbers, assignment)
    plan = _Plan(remaining, numbers, assignment, seed)
    plan.place()
    assignment.constraints += size_constraints(assignment, remaining, plan.wanted)
    assignment.constraints += plan.sampler_constraints()
    if numbers.unseen_entities_in_test:
        assignment.constraints.append(plan.entity_constraint())
    return assignment


def _keep_disjoint(
    groups: list[Group], numbers: PairNumbers, assignment: Assignment
) -> list[Group]:
    """Leave out pairs of an earlier test that share an entity with its train, then the reverse.

    The second step concerns pairs that can only go to train: kept ones, and new ones of another
    sampler. The first goes first, so that a pair that leaves test bars nothing from train.
    """
    train = _forms(group for group in groups if group.kept == "train")
    remaining = assignment.leave_out_where(
        groups,
        lambda group, pair: group.kept == "test" and not train.isdisjoint(entity_forms(pair)),
        rule=ENTITY,
        reason="is to be in test, and an earlier train example has an entity of it",
    )
    test = _forms(group for group in remaining if group.kept == "test")
    train_only = {
        group.id
        for group in remaining
        if group.kept in (None, "train") and not _is_free(group, numbers)
    }
    return assignment.leave_out_where(
        remaining,
        lambda group, pair: group.id in train_only and not test.isdisjoint(entity_forms(pair)),
        rule=ENTITY,
        reason="is to be in train, and an earlier test example has an entity of it",
    )


def _is_uniform(pair: Member, numbers: PairNumbers) -> bool:
    return pair.sampler in (None, numbers.evaluation_sampler)


def _is_free(group: Group, numbers: PairNumbers) -> bool:
    """Tell whether a group is new and may go to any split."""
    return group.kept is None and all(_is_uniform(pair, numbers) for pair in group.members)


class _Plan:
    """The split of a release: `wanted` are its sizes, `test_goal` what test can have of new pairs.

    `free` are the groups that may go to any split.
    """

    def __init__(
        self, groups: Sequence[Group], numbers: PairNumbers, assignment: Assignment, seed: int
    ) -> None:
        self.groups, self.numbers, self.assignment, self.seed = groups, numbers, assignment, seed
        self.wanted = apportion(numbers.sizes, sum(map(len, groups)))
        self.free = [group for group in groups if _is_free(group, numbers)]
        self.test_goal = 0

    def place(self) -> None:
        """Put every group somewhere: kept ones first, then test, dev and train."""
        for group in self.groups:
            if group.kept is not None:
                self.assignment.put(group.members, group.kept)
        shortfalls = {split: self._shortfall(split) for split in EVALUATION}
        rooms = apportion(shortfalls, min(sum(shortfalls.values()), sum(map(len, self.free))))
        self.test_goal = self.assignment.count("test") + rooms["test"]
        if self.numbers.unseen_entities_in_test:
            self._fill_disjoint_test(rooms)
        else:
            self._draw("test", self.free, rooms["test"])
        self._draw("dev", self.free, self._shortfall("dev"))
        for group in self._unplaced_groups(self.groups):
            self.assignment.put(group.members, "train")

    def sampler_constraints(self) -> list[Constraint]:
        """Return how many pairs dev and test may have, and how many of other samplers they have."""
        wanted = sum(self.wanted[split] for split in EVALUATION)
        kept = (group for group in self.groups if group.kept in EVALUATION)
        available = sum(map(len, [*self.free, *kept]))
        unnamed = sum(pair.sampler is None for group in self.groups for pair in group.members)
        name = verb(unnamed, "names", "name")
        detail = f"pairs of {self.numbers.evaluation_sampler}; {unnamed:,} {name} no sampler"
        met = available >= wanted
        rows = [Constraint("evaluation_sampler", wanted, available, met, None, not met, detail)]
        for split in EVALUATION:
            other = sum(not _is_uniform(pair, self.numbers) for pair in self._members_in(split))
            rows.append(Constraint("other_samplers", 0, other, other == 0, split))
        return rows

    def entity_constraint(self) -> Constraint:
        """Return how many test examples share an entity with train, and whether that binds.

        It binds where a free group would fit into what test lacks, or had to be left out.
        """
        train = {form for pair in self._members_in("train") for form in entity_forms(pair)}
        shared = sum(not train.isdisjoint(entity_forms(pair)) for pair in self._members_in("test"))
        shortfall, splits = self.test_goal - self.assignment.count("test"), self.assignment.splits
        free = [group for group in self.free if splits.get(group.id) != "test"]
        binds = any(len(group) <= shortfall or group.id not in splits for group in free)
        detail = "examples with an entity of train"
        return Constraint("unseen_entities", 0, shared, shared == 0, "test", binds, detail)

    def _fill_disjoint_test(self, rooms: Mapping[Split, int]) -> None:
        """Put free groups into test, and into dev those that train may then not contain."""
        free = {group.id for group in self.free}
        train_only = (
            group for group in self.groups if group.kept in ("train", None) and group.id not in free
        )
        search = DisjointTestSearch(
            self.free,
            {group.id: pair_forms(group) for group in self.free},
            train_entities=_forms(train_only),
            test_room=rooms["test"],
            dev_room=rooms["dev"],
            seed=self.seed,
        )
        search.reserve(sorted(_forms(group for group in self.groups if group.kept == "test")))
        search.grow()
        for group in search.test:
            self.assignment.put(group.members, "test")
        self._draw("dev", search.barred_from_train(), rooms["dev"])
        for group in self._unplaced_groups(search.barred_from_train()):
            self.assignment.leave_out(
                group.members, ENTITY, "test has an entity of it, and dev is full"
            )

    def _draw(self, split: Split, groups: Iterable[Group], room: int) -> None:
        order = order_by_key(
            self._unplaced_groups(groups), seed=self.seed, purpose=f"split.re.{split}"
        )
        for group in take_fitting(order, room):
            self.assignment.put(group.members, split)

    def _unplaced_groups(self, groups: Iterable[Group]) -> list[Group]:
        splits, left_out = self.assignment.splits, self.assignment.left_out
        return [group for group in groups if group.id not in splits and group.id not in left_out]

    def _members_in(self, split: Split) -> Iterator[Member]:
        pairs = (pair for group in self.groups for pair in group.members)
        return (pair for pair in pairs if self.assignment.splits.get(pair.id) == split)

    def _shortfall(self, split: Split) -> int:
        return max(0, self.wanted[split] - self.assignment.count(split))


def entity_forms(pair: Member) -> set[str]:
    """Return the forms of subject and object.

    The types are ignored, so that a word is one entity whatever type a tagger gives it: the
    stricter way.
    """
    return {entity_form(pair.fields[name]["word"]) for name in ("subject", "object")}


def pair_forms(group: Group) -> tuple[str, ...]:
    """Return the forms of all subjects and objects of a group, sorted, each once."""
    return tuple(sorted({form for pair in group.members for form in entity_forms(pair)}))


def _forms(groups: Iterable[Group]) -> set[str]:
    return {form for group in groups for form in pair_forms(group)}
