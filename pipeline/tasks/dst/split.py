"""DST: counterfactual goals and unseen instances in dev and test only (paper 3.8.1, Table 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, get_args

from pipeline.contracts.splits import SPLITS, Split, apportion
from pipeline.core.wording import verb
from pipeline.release.splits.assignment import (
    Assignment,
    Constraint,
    similarity_constraints,
    size_constraints,
)
from pipeline.release.splits.member import Group, Member, stratify
from pipeline.tasks.dst.schema import NAME
from pipeline.tasks.dst.spec import GoalNumbers

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
    return min(map(kind_of, group.members), key=get_args(Kind).index)


def instances(dialogues: Iterable[Member]) -> set[str]:
    """Return the instances that states of these dialogues name, such as `식당-이름-달빛식당`."""
    return {
        state
        for dialogue in dialogues
        for turn in dialogue.label["turns"]
        for state in turn["state"] or ()
        if state.split("-", 2)[1] == NAME
    }


def domains(dialogue: Member) -> list[str]:
    """Return whether a dialogue is on a single domain or on multiple ones."""
    return ["single" if len(set(dialogue.fields["domains"])) == 1 else "multi"]


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

    Constraints: those of `size_constraints` and of `goal_constraints`, and `domains` for each split
    (see `similarity_constraints`).
    """
    assignment = Assignment()
    stay = assignment.leave_out_where(
        sorted(groups, key=lambda group: group.id),
        lambda group, split: _is_misplaced(group, split, numbers),
        rule=GOAL,
        reason="its goal is not for the split that an earlier version gave it",
    )
    wanted = apportion(numbers.sizes, sum(map(len, stay)))
    placed = _place_groups(stay, wanted, numbers, seed)
    for group in stay:
        assignment.put(group.members, placed[group.id])
    members = [member for group in stay for member in group.members]
    assignment.constraints += size_constraints(assignment, stay, wanted)
    assignment.constraints += goal_constraints(assignment, stay, wanted, numbers)
    assignment.constraints += similarity_constraints("domains", assignment, members, domains)
    return assignment


def _is_misplaced(group: Group, dialogue: Member, numbers: GoalNumbers) -> bool:
    kind = kind_of(dialogue)
    if group.kept == "train":
        return kind == "counterfactual" or (kind == "held_out" and numbers.unseen_instances)
    return group.kept is not None and group_kind(group) == "train" and numbers.unseen_instances


def _place_groups(
    groups: Sequence[Group], wanted: Mapping[Split, int], numbers: GoalNumbers, seed: int
) -> dict[str, Split]:
    """Return the split of every group by id: counterfactual goals, held-out ones, then others."""
    kinds = {group.id: group_kind(group) for group in groups}
    ours = [group for group in groups if kinds[group.id] in EVALUATION and group.kept != "train"]
    rare = [group for group in ours if kinds[group.id] == "counterfactual"]
    held = [group for group in ours if kinds[group.id] != "counterfactual"]
    draw = partial(stratify, stratum=lambda group: domains(group.members[0])[0], seed=seed)

    sizes = counterfactual_sizes(numbers, sum(map(len, rare)))
    placed = draw(rare, sizes, purpose=f"{_DRAW}.counterfactual")
    shares: dict[Split, float] = {"dev": numbers.dev, "test": numbers.test}
    both = apportion(shares, sum(map(len, ours)))
    placed |= draw(held, _subtract(both, rare, placed), purpose=f"{_DRAW}.held_out")
    others = [group for group in groups if group.id not in placed]
    rest = _subtract(wanted, ours, placed)
    if numbers.unseen_instances and set(kinds.values()) != {"unknown"}:
        rest = {"train": rest["train"]}
    return placed | draw(others, rest, purpose=_DRAW)


def _subtract(
    wanted: Mapping[Split, int], groups: Sequence[Group], placed: Mapping[str, Split]
) -> dict[Split, int]:
    """Return what is wanted beside what groups give already."""
    there = Counter(placed[group.id] for group in groups for _ in group.members)
    return {where: max(0, size - there[where]) for where, size in wanted.items()}


def goal_constraints(
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
    members: dict[Split, list[Member]] = {where: [] for where in SPLITS}
    for dialogue in (member for group in groups for member in group.members):
        members[assignment.splits[dialogue.id]].append(dialogue)
    kinds = Counter(
        (where, kind_of(member)) for where, dialogues in members.items() for member in dialogues
    )
    total = kinds.total()
    known = total - sum(kinds[where, "unknown"] for where in SPLITS)
    detail = "dialogues that tell of their goal; of no other a goal can be checked"
    rows = [Constraint("goals_known", total, known, known == total, detail=detail)]
    if known:
        rows.append(_evaluation(assignment, groups, wanted, numbers))
        rare = {where: kinds[where, "counterfactual"] for where in SPLITS}
        sizes = {"train": 0, **counterfactual_sizes(numbers, sum(rare.values()))}
        rows += [
            Constraint("counterfactual", sizes[k], n, n == sizes[k], k) for k, n in rare.items()
        ]
    if known and numbers.unseen_instances:
        held = kinds["train", "held_out"]
        rows.append(Constraint("held_out", 0, held, held == 0, "train"))
        rows += _train_goals(assignment, groups)
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


def _evaluation(
    assignment: Assignment,
    groups: Sequence[Group],
    wanted: Mapping[Split, int],
    numbers: GoalNumbers,
) -> Constraint:
    room = wanted["dev"] + wanted["test"]
    there = sum(
        len(group)
        for group in groups
        if group_kind(group) in EVALUATION and assignment.splits.get(group.id) != "train"
    )
    met = there == room if numbers.unseen_instances else there <= room
    more = ", and no others" if numbers.unseen_instances else "; others fill them up"
    detail = f"dialogues that dev and test have all of{more}"
    return Constraint("evaluation_goals", room, there, met, None, not met, detail)


def _train_goals(assignment: Assignment, groups: Sequence[Group]) -> Iterator[Constraint]:
    plain = [group for group in groups if group_kind(group) == "train"]
    for where in ("dev", "test"):
        count = sum(len(group) for group in plain if assignment.splits.get(group.id) == where)
        yield Constraint("train_goals", 0, count, count == 0, where)


def _instances(members: Mapping[Split, Sequence[Member]]) -> Iterator[Constraint]:
    train = instances(members["train"])
    for where in ("dev", "test"):
        named = [names for names in (instances([member]) for member in members[where]) if names]
        unseen = sum(not names <= train for names in named)
        name = verb(len(named), "names", "name")
        detail = f"dialogues with an instance that train never names; {len(named):,} {name} any"
        yield Constraint("unseen_instances", 1, unseen, unseen >= 1, where, detail=detail)
