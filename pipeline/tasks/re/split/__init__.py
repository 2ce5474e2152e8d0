"""RE: dev and test of uniformly drawn pairs, test entities absent from train (paper 3.5.1).

The search for a test set without the entities of train is this project's own, see
entity_disjoint.py. No new example is left out for the sake of a size: where entities are connected
too closely, test falls short and the constraint `unseen_entities` binds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.assignment import Assignment, Constraint, require_all, size_constraints
from pipeline.release.splits.member import Group, Member, entity_form
from pipeline.release.splits.sizes import apportion, keyed_order, take_fitting
from pipeline.tasks.re.spec import PairNumbers
from pipeline.tasks.re.split.entity_disjoint import Apart

TASK: Final = "re"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"evaluation_sampler", "other_samplers", "unseen_entities"})
ENTITY: Final = "split.entity@1"
SAMPLER: Final = "split.sampler@1"
_EVALUATION: Final[tuple[Split, ...]] = ("dev", "test")


def split(groups: Sequence[Group], numbers: PairNumbers, *, seed: int) -> Assignment:
    """Put pairs of `evaluation_sampler` into dev and test, all others into train.

    A pair without a sampler (official files) counts as one of it; a group with any other pair is
    for train. With `unseen_entities_in_test` no subject or object of a test example is one of a
    train example, as `entity_form` compares words, whatever their types; entities of dev are
    free. Kept test examples with an entity of kept train ones are left out, and so are new examples
    with an entity of kept test ones that neither test nor dev can have.

    Constraints: those of `size_constraints`; `evaluation_sampler`, the pairs that dev and test may
    have against their sizes; `other_samplers`; `unseen_entities`, the test examples with an entity
    of train. Raises InputError when a split gets no example.
    """
    assignment = Assignment()
    stay = assignment.leave_out_where(
        sorted(groups, key=lambda one: one.id),
        lambda one, each: one.kept in _EVALUATION and not _is_uniform(each, numbers),
        rule=SAMPLER,
        reason="dev and test have no pairs of its sampler",
    )
    if numbers.unseen_entities_in_test:
        stay = _keep_disjoint(stay, numbers, assignment)
    plan = _Plan(stay, numbers, assignment, seed)
    plan.place()
    assignment.constraints += size_constraints(assignment, stay, plan.wanted)
    assignment.constraints += plan.sampler_constraints()
    if numbers.unseen_entities_in_test:
        assignment.constraints.append(plan.entity_constraint())
    require_all(TASK, assignment)
    return assignment


def _keep_disjoint(
    groups: list[Group], numbers: PairNumbers, assignment: Assignment
) -> list[Group]:
    train = _forms(group for group in groups if group.kept == "train")
    stay = assignment.leave_out_where(
        groups,
        lambda one, each: one.kept == "test" and not train.isdisjoint(entity_forms(each)),
        rule=ENTITY,
        reason="is to be in test, and an earlier train example has an entity of it",
    )
    test = _forms(group for group in stay if group.kept == "test")
    bound = {one.id for one in stay if one.kept in (None, "train") and not _is_free(one, numbers)}
    return assignment.leave_out_where(
        stay,
        lambda one, each: one.id in bound and not test.isdisjoint(entity_forms(each)),
        rule=ENTITY,
        reason="is to be in train, and an earlier test example has an entity of it",
    )


def _is_uniform(pair: Member, numbers: PairNumbers) -> bool:
    return pair.sampler in (None, numbers.evaluation_sampler)


def _is_free(group: Group, numbers: PairNumbers) -> bool:
    return group.kept is None and all(_is_uniform(one, numbers) for one in group.members)


class _Plan:
    def __init__(
        self, groups: Sequence[Group], numbers: PairNumbers, assignment: Assignment, seed: int
    ) -> None:
        self.groups, self.numbers, self.assignment, self.seed = groups, numbers, assignment, seed
        self.wanted = apportion(numbers.sizes, sum(map(len, groups)))
        self.free = [one for one in groups if _is_free(one, numbers)]
        self.goal = 0

    def place(self) -> None:
        """Put every group somewhere: kept ones first, then test, dev and train."""
        for one in self.groups:
            if one.kept is not None:
                self.assignment.put(one.members, one.kept)
        lacks = {one: self._lack(one) for one in _EVALUATION}
        rooms = apportion(lacks, min(sum(lacks.values()), sum(map(len, self.free))))
        self.goal = self.assignment.count("test") + rooms["test"]
        if self.numbers.unseen_entities_in_test:
            self._set_apart(rooms)
        else:
            self._draw("test", self.free, rooms["test"])
        self._draw("dev", self.free, self._lack("dev"))
        for one in self._unplaced(self.groups):
            self.assignment.put(one.members, "train")

    def sampler_constraints(self) -> list[Constraint]:
        """Return how many pairs dev and test may have, and how many of other samplers they have."""
        wanted = sum(self.wanted[one] for one in _EVALUATION)
        kept = (one for one in self.groups if one.kept in _EVALUATION)
        there = sum(map(len, [*self.free, *kept]))
        unnamed = sum(each.sampler is None for one in self.groups for each in one.members)
        detail = f"pairs of {self.numbers.evaluation_sampler}; {unnamed:,} name no sampler"
        met = there >= wanted
        rows = [Constraint("evaluation_sampler", wanted, there, met, None, not met, detail)]
        for where in _EVALUATION:
            other = sum(not _is_uniform(one, self.numbers) for one in self._placed(where))
            rows.append(Constraint("other_samplers", 0, other, other == 0, where))
        return rows

    def entity_constraint(self) -> Constraint:
        """Return how many test examples share an entity with train, and whether that binds.

        It binds where a free group would fill what test lacks, or had to be left out.
        """
        train = {form for one in self._placed("train") for form in entity_forms(one)}
        shared = sum(not train.isdisjoint(entity_forms(one)) for one in self._placed("test"))
        lack, splits = self.goal - self.assignment.count("test"), self.assignment.splits
        free = [one for one in self.free if splits.get(one.id) != "test"]
        binds = any(len(one) <= lack or one.id not in splits for one in free)
        detail = "examples with an entity of train"
        return Constraint("unseen_entities", 0, shared, shared == 0, "test", binds, detail)

    def _set_apart(self, rooms: Mapping[Split, int]) -> None:
        """Put free groups into test, and into dev what train then cannot have."""
        new = {one.id for one in self.free}
        bound = (one for one in self.groups if one.kept in ("train", None) and one.id not in new)
        apart = Apart(
            self.free,
            {one.id: pair_forms(one) for one in self.free},
            taken=_forms(bound),
            room=rooms["test"],
            dev=rooms["dev"],
            seed=self.seed,
        )
        apart.open(sorted(_forms(one for one in self.groups if one.kept == "test")))
        apart.grow()
        for one in apart.test:
            self.assignment.put(one.members, "test")
        self._draw("dev", apart.touched(), rooms["dev"])
        for one in self._unplaced(apart.touched()):
            self.assignment.leave_out(
                one.members, ENTITY, "test has an entity of it, and dev is full"
            )

    def _draw(self, where: Split, groups: Iterable[Group], room: int) -> None:
        order = keyed_order(self._unplaced(groups), seed=self.seed, purpose=f"split.re.{where}")
        for one in take_fitting(order, room):
            self.assignment.put(one.members, where)

    def _unplaced(self, groups: Iterable[Group]) -> list[Group]:
        splits, left = self.assignment.splits, self.assignment.left_out
        return [one for one in groups if one.id not in splits and one.id not in left]

    def _placed(self, where: Split) -> Iterator[Member]:
        members = (each for group in self.groups for each in group.members)
        return (each for each in members if self.assignment.splits.get(each.id) == where)

    def _lack(self, where: Split) -> int:
        return max(0, self.wanted[where] - self.assignment.count(where))


def entity_forms(pair: Member) -> set[str]:
    """Return the forms of subject and object.

    Types are left out, so that a word is one entity whatever a tagger made of it: the stricter way.
    """
    return {entity_form(pair.fields[name]["word"]) for name in ("subject", "object")}


def pair_forms(group: Group) -> tuple[str, ...]:
    """Return the forms of all subjects and objects of a group, sorted, each once."""
    return tuple(sorted({form for pair in group.members for form in entity_forms(pair)}))


def _forms(groups: Iterable[Group]) -> set[str]:
    return {form for one in groups for form in pair_forms(one)}
