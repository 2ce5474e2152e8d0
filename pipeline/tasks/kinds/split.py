"""Stratified splits: whole groups by keyed draws, labels or sources in the shares of the whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from pipeline.contracts.splits import Sizes, Split, apportion
from pipeline.core.jsontext import canonical
from pipeline.release.splits.assignment import (
    Assignment,
    share_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group, Member, stratify
from pipeline.tasks.kinds.spec import StratifiedNumbers


def split(groups: Sequence[Group], numbers: StratifiedNumbers, *, seed: int) -> Assignment:
    """Draw dev and test so that they have the labels, or the sources, in their shares."""
    stratum = attrgetter("source") if numbers.by == "source" else _label
    share = f"{numbers.by}_share"
    return draw_stratified(groups, numbers, stratum, share=share, seed=seed, purpose="split.own")


def draw_stratified(
    groups: Sequence[Group],
    numbers: Sizes,
    stratum: Callable[[Member], str],
    *,
    share: str | None,
    seed: int,
    purpose: str,
    lots: Mapping[Split, Callable[[Group], int]] | None = None,
) -> Assignment:
    """Draw dev and test from each stratum in its share of the whole; the rest is train.

    A group has the stratum of most of its members. `lots` are those of `stratify`.

    Constraints: `size`, `whole_groups`, `kept`, and under the name `share`, if there is one, the
    share of each stratum in each split.
    """
    wanted = apportion(numbers.sizes, sum(map(len, groups)))
    strata = {}
    for group in groups:
        counts = Counter(map(stratum, group.members))
        strata[group.id] = min(counts, key=lambda name: (-counts[name], name))
    placed = stratify(
        groups, wanted, lambda group: strata[group.id], seed=seed, purpose=purpose, lots=lots
    )
    assignment = Assignment()
    for group in groups:
        assignment.put(group.members, placed[group.id])
    assignment.constraints += size_constraints(assignment, groups, wanted)
    if share:
        members = [member for group in groups for member in group.members]
        assignment.constraints += share_constraints(assignment, members, share, stratum)
    return assignment


def _label(member: Member) -> str:
    """Return what stratifies an example: its label or labels, a whole score, labels of spans."""
    label = member.label
    if isinstance(label, dict) and "real-label" in label:
        label = label["real-label"]
    if isinstance(label, int | float):
        return str(math.floor(label + 0.5))
    if isinstance(label, list) and label and isinstance(label[0], dict):
        return ",".join(sorted({span["label"] for span in label}))
    return label if isinstance(label, str) else canonical(label)
