"""DST: counterfactual goals and unseen instances in dev and test only (paper 3.8.1, Table 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Literal

from pipeline.contracts.splits import SPLITS, Split
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    require_all,
    similarity_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.sizes import apportion, stratified
from pipeline.tasks.dst.spec import GoalNumbers

#: The last part of the slots that name an instance of the knowledge base.
_NAME: Final = "이름"

#: `counterfactual`: a combination that train goals hardly have; `held_out`: about instances that no
#: train goal names; `train`: any other; `unknown`: nothing is told of the goal (official files).
Kind = Literal["counterfactual", "held_out", "train", "unknown"]
EVALUATION: Final[tuple[Kind, ...]] = ("counterfactual", "held_out")


def kind_of(dialogue: Member) -> Kind:
    """Return the kind of the goal of a dialogue: what `counterfactual` and `pool` of `meta` say."""
    if dialogue.meta.get("counterfactual"):
        return "counterfactual"
    if "pool" not in dialogue.meta:
        return "unknown"
    return "held_out" if dialogue.meta["pool"] == "held_out" else "train"


def group_kind(group: Group) -> Kind:
    """Return the kind of a group: the first, in the order of `Kind`, that a member has."""
    kinds = {kind_of(one) for one in group.members}
    order: tuple[Kind, ...] = (*EVALUATION, "train", "unknown")
    return next(one for one in order if one in kinds)


def instances(dialogues: Iterable[Member]) -> set[str]:
    """Return the instances that states of these dialogues name, such as `식당-이름-달빛식당`."""
    return {
        state
        for one in dialogues
        for turn in one.label["turns"]
        for state in turn["state"] or ()
        if state.split("-", 2)[1] == _NAME
    }


def domains(dialogue: Member) -> list[str]:
    """Return whether a dialogue is on a single domain or on multiple ones."""
    return ["single" if len(set(dialogue.fields["domains"])) == 1 else "multi"]


TASK: Final = "dst"
#: The constraints of this rule that are not counted by label.
PLAIN_CONSTRAINTS: Final = frozenset({"goals_known", "held_out"})
GOAL: Final = "split.goal@1"
_DRAW: Final = "split.dst"


def split(groups: Sequence[Group], numbers: GoalNumbers, *, seed: int) -> Assignment:
    """Put all dialogues on counterfactual and on held-out goals into dev and test.

    A group with one such dialogue goes there as a whole. Counterfactual ones are parted as
    `counterfactual_dev` to `counterfactual_test`, so that dev and test have the rest in their
    sizes. With `unseen_instances` these two have no other dialogues: they fall short where such
    goals are few and exceed their sizes where they are many. Otherwise they are filled up by keyed
    draw. So is all of it where no dialogue tells of its goal (official files). Every draw keeps the
    shares of dialogues on one domain and on several.

    Kept dialogues whose goals are not for their split are left out.

    Constraints: those of `size_constraints` and of `told`, and `domains` for each split (see
    `similarity_constraints`). Raises InputError when a split gets no example.
    """
    assignment = Assignment()
    stay = assignment.leave_out_where(
        sorted(groups, key=lambda one: one.id),
        lambda one, each: _is_misplaced(one, each, numbers),
        rule=GOAL,
        reason="its goal is not for the split that an earlier version gave it",
    )
    wanted = apportion(numbers.sizes, sum(map(len, stay)))
    placed = _placed(stay, wanted, numbers, seed)
    for one in stay:
        assignment.put(one.members, placed[one.id])
    members = [each for one in stay for each in one.members]
    assignment.constraints += size_constraints(assignment, stay, wanted)
    assignment.constraints += told_goals(assignment, stay, wanted, numbers)
    assignment.constraints += similarity_constraints("domains", assignment, members, domains)
    require_all(TASK, assignment)
    return assignment


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
    draw = partial(stratified, stratum=_domains, seed=seed)

    found = draw(
        rare, counterfactual_sizes(numbers, _size(rare)), purpose=f"{_DRAW}.counterfactual"
    )
    shares: dict[Split, float] = {"dev": numbers.dev, "test": numbers.test}
    both = apportion(shares, _size(ours))
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


def told_goals(
    assignment: Assignment,
    groups: Sequence[Group],
    wanted: Mapping[Split, int],
    numbers: GoalNumbers,
) -> list[Constraint]:
    """Return the constraints of goals, counted anew from placed groups.

    `goals_known`: dialogues that tell of their goal; where none does, the next four cannot be
    checked and are not told. `evaluation_goals`: those that only dev and test may have, against
    their sizes. `counterfactual` by split. With `unseen_instances` also `held_out` goals in train,
    `train_goals` in groups of dev and test without another goal, and `unseen_instances`: dialogues
    of dev and test that name an instance which no train dialogue names. That every such dialogue
    names one cannot be promised: goals may be about a journey, or an instance that train may name.
    """
    members = {where: _members(assignment, groups, where) for where in SPLITS}
    every = [one for where in SPLITS for one in members[where]]
    known = sum(kind_of(one) != "unknown" for one in every)
    detail = "dialogues that tell of their goal; of no other a goal can be checked"
    rows = [Constraint("goals_known", len(every), known, known == len(every), detail=detail)]
    if known:
        rows += [
            _evaluation(assignment, groups, wanted, numbers),
            *_counterfactual(members, numbers),
            *(_held_out(assignment, groups, members) if numbers.unseen_instances else ()),
        ]
    return [*rows, *(_instances(members) if numbers.unseen_instances else ())]


def counterfactual_sizes(numbers: GoalNumbers, total: int) -> dict[Split, int]:
    """Return how many counterfactual dialogues dev and test have, by the sizes if by no numbers."""
    shares: dict[Split, int] = {
        "dev": numbers.counterfactual_dev,
        "test": numbers.counterfactual_test,
    }
    if not any(shares.values()):
        shares = {"dev": numbers.dev, "test": numbers.test}
    return apportion(shares, total)


def _members(assignment: Assignment, groups: Sequence[Group], where: Split) -> list[Member]:
    members = (each for one in groups for each in one.members)
    return [one for one in members if assignment.splits.get(one.id) == where]


def _evaluation(
    assignment: Assignment,
    groups: Sequence[Group],
    wanted: Mapping[Split, int],
    numbers: GoalNumbers,
) -> Constraint:
    room = wanted["dev"] + wanted["test"]
    found = sum(
        len(one)
        for one in groups
        if group_kind(one) in EVALUATION and assignment.splits.get(one.id) != "train"
    )
    met = found == room if numbers.unseen_instances else found <= room
    detail = "dialogues that dev and test have all of"
    detail += ", and no others" if numbers.unseen_instances else "; others fill them up"
    return Constraint("evaluation_goals", room, found, met, None, not met, detail)


def _counterfactual(
    members: Mapping[Split, Sequence[Member]], numbers: GoalNumbers
) -> list[Constraint]:
    found = {
        where: sum(kind_of(one) == "counterfactual" for one in members[where]) for where in SPLITS
    }
    wanted = {"train": 0, **counterfactual_sizes(numbers, sum(found.values()))}
    return [
        Constraint(
            "counterfactual", wanted[where], found[where], found[where] == wanted[where], where
        )
        for where in SPLITS
    ]


def _held_out(
    assignment: Assignment, groups: Sequence[Group], members: Mapping[Split, Sequence[Member]]
) -> list[Constraint]:
    held = sum(kind_of(one) == "held_out" for one in members["train"])
    rows = [Constraint("held_out", 0, held, held == 0, "train")]
    plain = [one for one in groups if group_kind(one) == "train"]
    for where in ("dev", "test"):
        found = sum(len(one) for one in plain if assignment.splits.get(one.id) == where)
        rows.append(Constraint("train_goals", 0, found, found == 0, where))
    return rows


def _instances(members: Mapping[Split, Sequence[Member]]) -> list[Constraint]:
    train = instances(members["train"])
    rows = []
    for where in ("dev", "test"):
        named = [found for one in members[where] if (found := instances([one]))]
        unseen = sum(not found <= train for found in named)
        detail = f"dialogues with an instance that train never names; {len(named):,} name any"
        rows.append(Constraint("unseen_instances", 1, unseen, unseen >= 1, where, detail=detail))
    return rows
