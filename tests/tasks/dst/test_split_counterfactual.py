"""DST: counterfactual goals and unseen instances in dev and test (paper 3.8.1, Table 26)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.dst.spec import GoalNumbers

split = partial(assign, "dst")

PAPER = GoalNumbers(
    train=8_000,
    dev=1_000,
    test=1_000,
    counterfactual_dev=294,
    counterfactual_test=361,
    unseen_instances=True,
)
FILLED = PAPER.model_copy(update={"unseen_instances": False})
TRAIN = {"pool": "train", "counterfactual": False}
HELD = {"pool": "held_out", "counterfactual": False}
RARE = {"pool": "held_out", "counterfactual": True}


def dialogue(
    name: str,
    meta: dict[str, Any],
    *,
    domains: Iterable[str] = ("식당",),
    place: str = "달빛-식당",
    kept: Any = None,
) -> Member:
    turns = [
        {"role": "user", "text": "예약할게요.", "state": [f"식당-이름-{place}", "식당-종류-주점"]},
        {"role": "sys", "text": "네.", "state": []},
    ]
    fields = {"goal": None, "domains": list(domains)}
    return Member(name, "written", fields, {"turns": turns}, meta=meta, kept=kept)


def lone(name: str, meta: dict[str, Any], **more: Any) -> Group:
    return group([dialogue(name, meta, **more)])


def campaign(train: int, held: int, rare: int) -> list[Group]:
    """Return dialogues such that every fourth is on one domain."""
    kinds = [TRAIN] * train + [HELD] * held + [RARE] * rare
    return [
        lone(
            f"dst-{n:05}",
            meta,
            domains=("식당",) if n % 4 == 0 else ("식당", "택시"),
            place=f"식당 {n % 40 if meta is TRAIN else 40 + n % 9}",
        )
        for n, meta in enumerate(kinds)
    ]


def where(pool: list[Group], assignment: Assignment, name: str) -> list[Member]:
    return [one for each in pool for one in each.members if assignment.splits.get(one.id) == name]


def told(assignment: Assignment, name: str, place: str | None = None) -> Constraint:
    (found,) = (one for one in assignment.constraints if (one.name, one.split) == (name, place))
    return found


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    """Groups of one to three dialogues on goals of every kind, some of them kept."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    kinds = [TRAIN] * draw(st.integers(0, 9)) + [{}] * draw(st.integers(0, 2)) + [HELD, RARE]
    keeps = draw(st.booleans())
    found = []
    for number in range(draw(st.integers(30, 90))):
        kept: Any = chance.choice([None, None, *SPLITS]) if keeps else None
        members = [
            dialogue(
                f"dst-{number:02}{part}",
                chance.choice(kinds),
                domains=["식당", "택시", "숙소"][: chance.choice([1, 2, 3])],
                place=f"식당{chance.randrange(60)}",
                kept=kept if part == 0 or chance.random() < 0.5 else None,
            )
            for part in range(chance.choice([1, 1, 1, 2, 3]))
        ]
        found.append(group(members))
    return found


def attempt(pool: list[Group], numbers: GoalNumbers, seed: int) -> Assignment | None:
    """Return what is assignment, or nothing where a split would be empty."""
    try:
        return split(pool, numbers, seed=seed)
    except InputError as error:
        assert "dst: no example is left for" in str(error)
        return None


@given(pools(), st.sampled_from([PAPER, FILLED]), st.randoms(use_true_random=False))
def test_whatever_the_groups(
    pool: list[Group], numbers: GoalNumbers, shuffler: random.Random
) -> None:
    other = list(pool)
    shuffler.shuffle(other)
    assignment = attempt(pool, numbers, 2)
    assert attempt(other, numbers, 2) == assignment
    if assignment is None:
        return
    every = sorted(one.id for each in pool for one in each.members)
    assert sorted([*assignment.splits, *assignment.left_out]) == every
    for each in pool:
        assert (
            len({assignment.splits[one.id] for one in each.members if one.id in assignment.splits})
            <= 1
        )
        for one in each.members:
            assert one.kept is None or assignment.splits.get(one.id, one.kept) == one.kept
    train = where(pool, assignment, "train")
    assert not any(one.meta.get("counterfactual") for one in train)
    if numbers.unseen_instances:
        assert not any(one.meta.get("pool") == "held_out" for one in train)
    assert {rule for rule, _ in assignment.left_out.values()} <= {"split.goal@1"}
    assert all(
        each.kept for each in pool if any(one.id in assignment.left_out for one in each.members)
    )


@given(pools(), st.sampled_from([PAPER, FILLED]))
def test_a_version_after_stays_as_it_is(pool: list[Group], numbers: GoalNumbers) -> None:
    first = attempt(pool, numbers, 1)
    if first is not None:
        kept = [
            group(
                [
                    replace(one, kept=first.splits[one.id])
                    for one in each.members
                    if one.id in first.splits
                ]
            )
            for each in pool
            if any(one.id in first.splits for one in each.members)
        ]
        second = split(kept, numbers, seed=9)
        assert (second.splits, second.left_out) == (first.splits, {})


def test_it_gives_the_numbers_of_table_26() -> None:
    assert load_spec("dst").split.numbers == PAPER
    pool = campaign(8000, 1345, 655)
    assignment = split(pool, PAPER, seed=1)
    assert [assignment.count(name) for name in SPLITS] == [8000, 1000, 1000]
    found = {
        name: sum(one.meta["counterfactual"] for one in where(pool, assignment, name))
        for name in SPLITS
    }
    assert found == {"train": 0, "dev": 294, "test": 361}
    for name in ("dev", "test"):
        members = where(pool, assignment, name)
        assert all(one.meta["pool"] == "held_out" for one in members)
        assert 245 <= sum(len(one.fields["domains"]) == 1 for one in members) <= 255
        # Every place of theirs is unseen in train.
        assert told(assignment, "unseen_instances", name).found == 1000
    assert all(one.met and not one.binds for one in assignment.constraints)


def test_too_few_such_goals_bind_where_others_may_not_stand_in() -> None:
    pool = campaign(900, 60, 40)
    assignment = split(pool, PAPER, seed=1)
    assert [assignment.count(name) for name in SPLITS] == [900, 50, 50]
    assert (told(assignment, "size", "dev").wanted, told(assignment, "size", "dev").met) == (
        100,
        False,
    )
    row = told(assignment, "evaluation_goals")
    assert (row.wanted, row.found, row.binds) == (200, 100, True)

    filled = split(pool, FILLED, seed=1)
    assert [filled.count(name) for name in SPLITS] == [800, 100, 100]
    assert not told(filled, "evaluation_goals").binds
    # 40 counterfactual goals by 294 to 361.
    assert told(filled, "counterfactual", "dev").found == 18
    assert not any(one.meta["pool"] == "held_out" for one in where(pool, filled, "train"))


def test_too_many_such_goals_are_all_kept_from_train() -> None:
    for numbers in (PAPER, FILLED):
        assignment = split(campaign(60, 30, 10), numbers, seed=1)
        assert [assignment.count(name) for name in SPLITS] == [60, 20, 20]
        assert told(assignment, "evaluation_goals").binds
    with pytest.raises(InputError, match=r"dst: no example is left for train .*evaluation_goals"):
        split(campaign(0, 30, 10), PAPER, seed=1)


def test_without_numbers_counterfactual_goals_go_by_the_sizes() -> None:
    numbers = FILLED.model_copy(
        update={"counterfactual_dev": 0, "counterfactual_test": 0, "dev": 500}
    )
    pool = campaign(900, 0, 30)
    assignment = split(pool, numbers, seed=1)
    found = Counter(assignment.splits[one.id] for each in pool[900:] for one in each.members)
    assert found == {"dev": 10, "test": 20}


def test_one_such_goal_holds_its_group_in_dev_or_test() -> None:
    pool = campaign(80, 18, 0)
    pool += [group([dialogue(f"dst-m{n}a", TRAIN), dialogue(f"dst-m{n}b", RARE)]) for n in (1, 2)]
    assignment = split(pool, PAPER, seed=1)
    assert {assignment.splits[f"dst-m{n}{part}"] for n in (1, 2) for part in "ab"} <= {
        "dev",
        "test",
    }


def test_earlier_dialogues_that_break_a_promise_leave() -> None:
    pool = campaign(78, 18, 0)
    pool += [
        lone("dst-k1", RARE, kept="train"),
        lone("dst-k2", HELD, kept="train"),
        lone("dst-k3", TRAIN, kept="test"),
        lone("dst-k4", {}, kept="dev"),
        group([dialogue("dst-k5", TRAIN, kept="train"), dialogue("dst-k6", HELD)]),
    ]
    assignment = split(pool, PAPER, seed=1)
    assert {name: rule for name, (rule, _) in assignment.left_out.items()} == dict.fromkeys(
        ["dst-k1", "dst-k2", "dst-k3", "dst-k6"], "split.goal@1"
    )
    assert (assignment.splits["dst-k4"], assignment.splits["dst-k5"]) == ("dev", "train")
    assignment = split(pool, FILLED, seed=1)
    assert list(assignment.left_out) == ["dst-k1"]
    assert (assignment.splits["dst-k2"], assignment.splits["dst-k3"]) == ("train", "test")


def test_held_out_goals_that_stay_in_train_do_not_count_for_dev_and_test() -> None:
    pool = campaign(60, 10, 0)
    pool += [lone(f"dst-k{n}", HELD, kept="train") for n in range(30)]
    numbers = FILLED.model_copy(update={"dev": 500, "test": 500})
    assignment = split(pool, numbers, seed=1)
    new = Counter(assignment.splits[one.id] for each in pool[60:70] for one in each.members)
    assert new == {"dev": 5, "test": 5}


def test_instances_are_counted_where_train_never_names_them() -> None:
    pool = [lone(f"dst-{n:02}", TRAIN, place=f"식당-{n}") for n in range(80)]
    pool += [lone(f"dst-h{n:02}", HELD, place=f"식당-{n}") for n in range(76, 96)]
    assignment = split(pool, PAPER, seed=1)
    train = {one.label["turns"][0]["state"][0] for one in where(pool, assignment, "train")}
    for name in ("dev", "test"):
        states = [one.label["turns"][0]["state"][0] for one in where(pool, assignment, name)]
        assert told(assignment, "unseen_instances", name).found == sum(
            s not in train for s in states
        )
    assert sum(told(assignment, "unseen_instances", name).found for name in ("dev", "test")) == 16


def test_official_dialogues_tell_no_goal_and_are_drawn_by_size(data_dir: Path) -> None:
    items = read_official("dst", data_dir / "klue" / "wos-v1.1_dev_first700.json").items
    pool = [
        group([Member(one["item"], "wos", parsed(one["fields"]), parsed(one["gold"]))])
        for one in items.to_pylist()
    ]
    assignment = split(pool, PAPER, seed=1)
    assert [assignment.count(name) for name in SPLITS] == [560, 70, 70]
    row = told(assignment, "goals_known")
    assert (row.wanted, row.found, row.met) == (700, 0, False)
    checkable = {"evaluation_goals", "counterfactual", "held_out", "train_goals"}
    assert not checkable & {one.name for one in assignment.constraints}
    single = {
        name: sum(len(one.fields["domains"]) == 1 for one in where(pool, assignment, name))
        for name in SPLITS
    }
    assert abs(single["dev"] - single["test"]) <= 1
    assert abs(single["train"] - 8 * single["dev"]) <= 8
    fewer = split([one for n, one in enumerate(pool) if n % 100], PAPER, seed=1)
    assert sum(place != assignment.splits[name] for name, place in fewer.splits.items()) < 20
