"""DST: counterfactual goals and unseen instances in dev and test only (paper 3.8.1, Table 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.alike import told_alike
from pipeline.release.splits.broken import without
from pipeline.release.splits.chosen import Chosen, require_all, told_sizes
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.sizes import apportioned, parted
from pipeline.tasks.dst.spec import GoalNumbers
from pipeline.tasks.dst.split.constraints import counterfactual_sizes, told_goals
from pipeline.tasks.dst.split.kinds import EVALUATION, domains, group_kind, kind_of

TASK: Final = "dst"
GOAL: Final = "split.goal@1"
_DRAW: Final = "split.dst"


def split(groups: Sequence[Group], numbers: GoalNumbers, *, seed: int) -> Chosen:
    """Put all dialogues on counterfactual and on held-out goals into dev and test.

    A group with one such dialogue goes there as a whole. Counterfactual ones are parted as
    `counterfactual_dev` to `counterfactual_test`, so that dev and test have the rest in their
    sizes. With `unseen_instances` these two have no other dialogues: they fall short where such
    goals are few and exceed their sizes where they are many. Otherwise they are filled up by keyed
    draw. So is all of it where no dialogue tells of its goal (official files). Every draw keeps the
    shares of dialogues on one domain and on several.

    Kept dialogues whose goals are not for their split are left out.

    Constraints: those of `told_sizes` and of `told`, and `domains` for each split (see
    `told_alike`). Raises InputError when a split gets no example.
    """
    chosen = Chosen()
    stay = without(
        sorted(groups, key=lambda one: one.id),
        chosen,
        lambda one, each: _is_misplaced(one, each, numbers),
        rule=GOAL,
        reason="its goal is not for the split that an earlier version gave it",
    )
    wanted = apportioned(numbers.sizes, sum(map(len, stay)))
    placed = _placed(stay, wanted, numbers, seed)
    for one in stay:
        chosen.put(one.members, placed[one.id])
    members = [each for one in stay for each in one.members]
    chosen.constraints += told_sizes(chosen, stay, wanted)
    chosen.constraints += told_goals(chosen, stay, wanted, numbers)
    chosen.constraints += told_alike("domains", chosen, members, domains)
    require_all(TASK, chosen)
    return chosen


def _is_misplaced(group: Group, dialogue: Member, numbers: GoalNumbers) -> bool:
    kind = kind_of(dialogue)
    if group.kept == "train":
        return kind == "counterfactual" or (kind == "held_out" and numbers.unseen_instances)
    return group.kept is not None and group_kind(group) == "train" and numbers.unseen_instances


def _placed(
    groups: Sequence[Group], wanted: Mapping[Split, int], numbers: GoalNumbers, seed: int
) -> dict[str, Split]:
    """Return the split of every group by id: counterfactual goals, held-out ones, then others."""
    kinds = {one.id: group_kind(one) for one in groups}
    ours = [one for one in groups if kinds[one.id] in EVALUATION and one.kept != "train"]
    rare = [one for one in ours if kinds[one.id] == "counterfactual"]
    held = [one for one in ours if kinds[one.id] != "counterfactual"]
    draw = partial(parted, stratum=_domains, seed=seed)

    found = draw(
        rare, counterfactual_sizes(numbers, _size(rare)), purpose=f"{_DRAW}.counterfactual"
    )
    shares: dict[Split, float] = {"dev": numbers.dev, "test": numbers.test}
    both = apportioned(shares, _size(ours))
    found |= draw(held, _less(both, rare, found), purpose=f"{_DRAW}.held_out")
    others = [one for one in groups if one.id not in found]
    known = any(kind != "unknown" for kind in kinds.values())
    rest: Mapping[Split, int] = _less(wanted, ours, found)
    if numbers.unseen_instances and known:
        rest = {"train": rest["train"]}
    return found | draw(others, rest, purpose=_DRAW)


def _less(
    wanted: Mapping[Split, int], groups: Sequence[Group], placed: Mapping[str, Split]
) -> dict[Split, int]:
    """Return what is wanted beside what groups give already."""
    there: Counter[Split] = Counter()
    for one in groups:
        there[placed[one.id]] += len(one)
    return {where: max(0, size - there[where]) for where, size in wanted.items()}


def _size(groups: Sequence[Group]) -> int:
    return sum(map(len, groups))


def _domains(group: Group) -> str:
    return domains(group.members[0])[0]
