"""What is told of sizes and of whole groups, also where parts of a group were left out."""

from __future__ import annotations

from pipeline.contracts.splits import Split
from pipeline.release.splits.assignment import Assignment, Constraint, size_constraints
from pipeline.release.splits.member import Group, Member, group

WANTED: dict[Split, int] = {"train": 3, "dev": 1, "test": 1}


def _group(*names: str) -> Group:
    return group([Member(name, "yna", {}, None) for name in names])


def _whole(assignment: Assignment, groups: list[Group]) -> Constraint:
    (found,) = (
        one for one in size_constraints(assignment, groups, WANTED) if one.name == "whole_groups"
    )
    return found


def test_members_left_out_of_a_group_part_nothing() -> None:
    groups = [_group("a", "b", "c"), _group("d", "e"), _group("f"), _group("g", "h")]
    # The first of a group, the last of another, and all of a third have no split.
    assignment = Assignment({"b": "train", "c": "train", "d": "dev", "f": "test"})
    assignment.left_out = dict.fromkeys("aegh", ("split.made@1", "invented"))
    row = _whole(assignment, groups)
    assert (row.wanted, row.found, row.met) == (3, 3, True)
    # One example is missing in train, and the largest group has two that are placed.
    assert row.binds
    assert row.detail == "groups; the largest has 2 examples"


def test_what_a_largest_group_has_is_told_in_the_right_number() -> None:
    row = _whole(Assignment({"a": "train"}), [_group("a")])
    assert row.detail == "groups; the largest has 1 example"


def test_a_group_in_two_splits_is_told_whichever_of_it_is_left_out() -> None:
    for out in "abc":
        stay = [name for name in "abc" if name != out]
        assignment = Assignment(
            {stay[0]: "train", stay[1]: "test"}, {out: ("split.made@1", "invented")}
        )
        row = _whole(assignment, [_group("a", "b", "c")])
        assert (row.wanted, row.found, row.met) == (1, 0, False)
