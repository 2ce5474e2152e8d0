"""DP: sources keep their shares in every split (Section 3.6.1, Table 13)."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.release.splits.assignment import (
    Assignment,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group
from pipeline.release.splits.sizes import apportion, stratified
from pipeline.tasks.dp.spec import SourceNumbers


def split(groups: Sequence[Group], numbers: SourceNumbers, *, seed: int) -> Assignment:
    """Draw dev and test from each source in its share of the whole; the rest is train.

    Constraints: `size`, `whole_groups`, `kept`, and a `source_share` for each split and source
    unless `keep_source_shares` of the numbers is false.
    """
    shares = numbers.keep_source_shares
    wanted = apportion(numbers.sizes, sum(map(len, groups)))
    placed = stratified(
        groups, wanted, lambda one: one.source if shares else "", seed=seed, purpose="split.dp"
    )
    assignment = Assignment()
    for one in groups:
        assignment.put(one.members, placed[one.id])
    assignment.constraints += size_constraints(assignment, groups, wanted)
    if shares:
        members = [member for group in groups for member in group.members]
        assignment.constraints += share_constraints(
            assignment, members, "source_share", lambda member: member.source
        )
    return assignment
