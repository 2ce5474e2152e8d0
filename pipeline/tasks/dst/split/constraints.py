"""What a split of dialogues holds of counterfactual goals and of unseen instances (DST)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.contracts.splits import SPLITS, Split
from pipeline.release.splits.chosen import Chosen, Constraint
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.sizes import apportioned
from pipeline.tasks.dst.spec import GoalNumbers
from pipeline.tasks.dst.split.kinds import EVALUATION, group_kind, instances, kind_of


def told_goals(
    chosen: Chosen, groups: Sequence[Group], wanted: Mapping[Split, int], numbers: GoalNumbers
) -> list[Constraint]:
    """Return the constraints of goals, counted anew from placed groups.

    `goals_known`: dialogues that tell of their goal; where none does, the next four cannot be
    checked and are not told. `evaluation_goals`: those that only dev and test may have, against
    their sizes. `counterfactual` by split. With `unseen_instances` also `held_out` goals in train,
    `train_goals` in groups of dev and test without another goal, and `unseen_instances`: dialogues
    of dev and test that name an instance which no train dialogue names. That every such dialogue
    names one cannot be promised: goals may be about a journey, or an instance that train may name.
    """
    members = {where: _members(chosen, groups, where) for where in SPLITS}
    every = [one for where in SPLITS for one in members[where]]
    known = sum(kind_of(one) != "unknown" for one in every)
    detail = "dialogues that tell of their goal; of no other a goal can be checked"
    rows = [Constraint("goals_known", len(every), known, known == len(every), detail=detail)]
    if known:
        rows += [
            _evaluation(chosen, groups, wanted, numbers),
            *_counterfactual(members, numbers),
            *(_held_out(chosen, groups, members) if numbers.unseen_instances else ()),
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
    return apportioned(shares, total)


def _members(chosen: Chosen, groups: Sequence[Group], where: Split) -> list[Member]:
    members = (each for one in groups for each in one.members)
    return [one for one in members if chosen.splits.get(one.id) == where]


def _evaluation(
    chosen: Chosen, groups: Sequence[Group], wanted: Mapping[Split, int], numbers: GoalNumbers
) -> Constraint:
    room = wanted["dev"] + wanted["test"]
    found = sum(
        len(one)
        for one in groups
        if group_kind(one) in EVALUATION and chosen.splits.get(one.id) != "train"
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
    chosen: Chosen, groups: Sequence[Group], members: Mapping[Split, Sequence[Member]]
) -> list[Constraint]:
    held = sum(kind_of(one) == "held_out" for one in members["train"])
    rows = [Constraint("held_out", 0, held, held == 0, "train")]
    plain = [one for one in groups if group_kind(one) == "train"]
    for where in ("dev", "test"):
        found = sum(len(one) for one in plain if chosen.splits.get(one.id) == where)
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
