"""RE: test entities absent from train, uniform pairs alone in dev and test (paper 3.5.1)."""

from __future__ import annotations

import random
import unicodedata
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
from pipeline.release.splits.member import Group, Member, entity_form, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.re.spec import PairNumbers
from pipeline.tasks.re.split import pair_forms
from pipeline.tasks.re.split.entity_disjoint import DisjointTestSearch

split = partial(assign, "re")

PAPER = PairNumbers(
    train=32_470,
    dev=7_765,
    test=7_766,
    evaluation_sampler="uniform",
    unseen_entities_in_test=True,
)
FREE = PAPER.model_copy(update={"unseen_entities_in_test": False})


def pair(name: str, subject: str, object_: str, **more: Any) -> Member:
    fields = {"subject": {"word": subject}, "object": {"word": object_}}
    return Member(name, "wikipedia", fields, "no_relation", **{"sampler": "uniform", **more})


def lone(name: str, subject: str, object_: str, **more: Any) -> Group:
    return group([pair(name, subject, object_, **more)])


def words(members: Iterable[Member]) -> set[str]:
    """Return all words of pairs; width, case and blanks do not count."""
    raw = (one.fields[name]["word"] for one in members for name in ("subject", "object"))
    return {unicodedata.normalize("NFKC", one).casefold().replace(" ", "") for one in raw}


def where(pool: list[Group], assignment: Assignment, name: str) -> list[Member]:
    return [one for each in pool for one in each.members if assignment.splits.get(one.id) == name]


def told(assignment: Assignment, name: str, place: str | None = None) -> Constraint:
    (found,) = (one for one in assignment.constraints if (one.name, one.split) == (name, place))
    return found


def holds(pool: list[Group], assignment: Assignment) -> None:
    """Check what holds for any input, by counts of its own."""
    every = sorted(one.id for each in pool for one in each.members)
    assert sorted([*assignment.splits, *assignment.left_out]) == every
    for each in pool:
        assert (
            len({assignment.splits[one.id] for one in each.members if one.id in assignment.splits})
            <= 1
        )
        for one in each.members:
            assert one.kept is None or assignment.splits.get(one.id, one.kept) == one.kept
    for name in ("dev", "test"):
        assert all(one.sampler != "kb" for one in where(pool, assignment, name))
    assert not words(where(pool, assignment, "test")) & words(where(pool, assignment, "train"))


@st.composite
def pools(draw: st.DrawFn, *, kept: bool = False) -> list[Group]:
    """Groups of pairs over a few entities, some frequent, some drawn from a knowledge base."""
    size = draw(st.integers(40, 120))
    chance = random.Random(draw(st.integers(0, 10**6)))
    entities = draw(st.integers(size // 2, 3 * size))
    kb = draw(st.sampled_from([0, 0.1, 0.3]))
    found = []
    for number in range(size):
        place = chance.choice([None, None, *SPLITS]) if kept else None
        members = [
            pair(
                f"re-{number:03}{part}",
                f"E{int(entities * chance.random() ** 2)}",
                f"e{int(entities * chance.random() ** 2)}",
                sampler="kb" if chance.random() < kb else chance.choice(["uniform", None]),
                kept=place if part == 0 or chance.random() < 0.5 else None,
            )
            for part in range(chance.choice([1, 1, 1, 2, 3]))
        ]
        found.append(group(members))
    return found


def attempt(pool: list[Group], numbers: PairNumbers, seed: int) -> Assignment | None:
    """Return what is assignment, or nothing where a split would be empty."""
    try:
        return split(pool, numbers, seed=seed)
    except InputError as error:
        assert "re: no example is left for" in str(error)
        return None


@given(pools(), st.integers(0, 99))
def test_any_new_pool_meets_the_promises(pool: list[Group], seed: int) -> None:
    assignment = attempt(pool, PAPER, seed)
    if assignment is None:
        return
    holds(pool, assignment)
    assert not assignment.left_out
    assert all(
        assignment.count(name) <= told(assignment, "size", name).wanted for name in ("dev", "test")
    )
    if not told(assignment, "size", "test").met:
        assert any(one.binds for one in assignment.constraints)


@given(pools(kept=True), st.integers(0, 99))
def test_any_later_version_meets_the_promises(pool: list[Group], seed: int) -> None:
    assignment = attempt(pool, PAPER, seed)
    if assignment is not None:
        holds(pool, assignment)
        assert {rule for rule, _ in assignment.left_out.values()} <= {
            "split.entity@1",
            "split.sampler@1",
        }


@given(pools(kept=True), st.randoms(use_true_random=False))
def test_the_order_of_groups_does_not_matter(pool: list[Group], shuffler: random.Random) -> None:
    other = list(pool)
    shuffler.shuffle(other)
    assert attempt(other, PAPER, 1) == attempt(pool, PAPER, 1)


@given(pools(), st.integers(0, 99))
def test_a_version_after_stays_as_it_is(pool: list[Group], seed: int) -> None:
    first = attempt(pool, PAPER, seed)
    if first is not None:
        kept = [
            group([replace(one, kept=first.splits[one.id]) for one in each.members])
            for each in pool
        ]
        second = split(kept, PAPER, seed=seed + 1)
        assert (second.splits, second.left_out) == (first.splits, {})


@given(st.text(max_size=12))
def test_words_that_differ_in_width_case_and_blanks_are_one_entity(word: str) -> None:
    assert entity_form(f" {word.swapcase().casefold()}\u3000") == entity_form(word.swapcase())
    assert entity_form(entity_form(word)) == entity_form(word)
    assert entity_form("ＦＣ 서울") == entity_form("fc서울") != entity_form("서울")


def test_the_official_pairs_are_split_at_full_size(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv"
    pool = [
        group([Member(one["item"], one["source"], parsed(one["fields"]), parsed(one["gold"]))])
        for one in read_official("re", path).items.to_pylist()
    ]
    assert load_spec("re").split.numbers == PAPER
    assignment = split(pool, PAPER, seed=1)
    holds(pool, assignment)
    # 3,247 pairs in the proportions 32,470 : 7,765 : 7,766.
    assert [assignment.count(name) for name in SPLITS] == [2197, 525, 525]
    assert all(one.met and not one.binds for one in assignment.constraints)
    # Test is not only of pairs whose two entities are named nowhere else.
    uses = Counter(word for each in pool for word in words(each.members))
    alone = [max(uses[w] for w in words([one])) == 1 for one in where(pool, assignment, "test")]
    assert sum(alone) < len(alone) / 2
    fewer = split([one for n, one in enumerate(pool) if n % 100], PAPER, seed=1)
    moved = sum(place != assignment.splits[name] for name, place in fewer.splits.items())
    assert moved < 0.05 * len(pool)


def test_what_hangs_together_goes_to_test_as_a_whole() -> None:
    clubs = [
        lone(f"re-{club:02}{n}", f"구단{club}", f"선수{club}-{n}")
        for club in range(20)
        for n in range(5)
    ]
    assignment = split(clubs, PAPER, seed=5)
    assert [assignment.count(name) for name in SPLITS] == [68, 16, 16]
    # 16 are three clubs and one of five players, whose four others cannot be in train.
    players = Counter(one.id[3:5] for one in where(clubs, assignment, "test"))
    assert sorted(players.values()) == [1, 5, 5, 5]
    holds(clubs, assignment)


def test_an_entity_that_all_pairs_have_binds() -> None:
    pool = [lone(f"re-{n:03}", "대한민국", f"사람{n}") for n in range(95)]
    pool += [lone(f"re-x{n}", f"마을{n}", f"산{n}") for n in range(5)]
    assignment = split(pool, PAPER, seed=1)
    assert {one.id for one in where(pool, assignment, "test")} == {f"re-x{n}" for n in range(5)}
    assert told(assignment, "unseen_entities", "test").binds
    assert told(assignment, "unseen_entities", "test").met
    assert not told(assignment, "evaluation_sampler").binds
    with pytest.raises(InputError, match=r"for test of 95; .*unseen_entities in test"):
        split(pool[:95], PAPER, seed=1)
    assert split(pool[:95], FREE, seed=1).count("test") == 16


def test_too_few_uniform_pairs_bind_and_are_shared_out() -> None:
    pool = [lone(f"re-{n:03}", f"가{n}", f"나{n}", sampler="kb") for n in range(90)]
    pool += [lone(f"re-u{n}", f"다{n}", f"라{n}") for n in range(10)]
    assignment = split(pool, PAPER, seed=1)
    assert [assignment.count(name) for name in SPLITS] == [90, 5, 5]
    assert told(assignment, "evaluation_sampler").binds
    assert told(assignment, "evaluation_sampler").found == 10
    assert not told(assignment, "unseen_entities", "test").binds


def test_one_pair_of_another_sampler_holds_its_group_in_train() -> None:
    pool = [lone(f"re-{n:03}", f"가{n}", f"나{n}") for n in range(60)]
    pool += [
        group([pair(f"re-m{n}a", f"다{n}", "라"), pair(f"re-m{n}b", "마", "바", sampler="kb")])
        for n in range(20)
    ]
    for numbers in (PAPER, FREE):
        assignment = split(pool, numbers, seed=1)
        assert {assignment.splits[f"re-m{n}{part}"] for n in range(20) for part in "ab"} == {
            "train"
        }


def kept_pool() -> list[Group]:
    """An earlier version of 100 pairs without a common entity."""
    places = ["train"] * 68 + ["dev"] * 16 + ["test"] * 16
    return [lone(f"re-{n:03}", f"가{n}", f"나{n}", kept=place) for n, place in enumerate(places)]


def test_new_pairs_do_not_put_earlier_test_pairs_out() -> None:
    new = [
        lone("re-n1", "가90", "새1", sampler="kb"),
        lone("re-n2", "가 91", "새2"),
        group([pair("re-n3", "새3", "새4"), pair("re-n4", "가92", "새5", sampler="kb")]),
        lone("re-n5", "가3", "새6"),
    ]
    assignment = split([*kept_pool(), *new], PAPER, seed=1)
    holds([*kept_pool(), *new], assignment)
    assert all(assignment.splits[one.id] == one.kept for one in kept_pool())
    assert {name: rule for name, (rule, _) in assignment.left_out.items()} == {
        "re-n1": "split.entity@1",
        "re-n4": "split.entity@1",
    }
    assert assignment.splits["re-n2"] in ("dev", "test")
    assert assignment.splits["re-n3"] in SPLITS
    assert assignment.splits["re-n5"] in ("dev", "train")


def test_a_full_dev_leaves_out_what_neither_split_can_have() -> None:
    old = kept_pool()
    # The subject is one of test, the objects are of train.
    new = [lone(f"re-n{n}", "가90", f"나{n}") for n in range(9)]
    assignment = split([*old, *new], PAPER, seed=1)
    holds([*old, *new], assignment)
    # Of 109 places dev has 17, by largest remainders, and 16 of these are taken.
    assert Counter(assignment.splits.get(f"re-n{n}") for n in range(9)) == {"dev": 1, None: 8}
    assert told(assignment, "unseen_entities", "test").binds
    assert {reason for _, reason in assignment.left_out.values()} == {
        "test has an entity of it, and dev is full"
    }


def test_earlier_test_pairs_that_break_a_promise_leave_and_move_nowhere() -> None:
    old = kept_pool()
    old[90] = lone("re-090", "가3", "나90", kept="test")
    old[91] = lone("re-091", "가91", "나91", kept="test", sampler="kb")
    old[70] = lone("re-070", "가70", "나70", kept="dev", sampler="kb")
    copies = group([*old[90].members, pair("re-090b", "새1", "새2")])
    pool = [*old[:90], copies, *old[91:]]
    assignment = split(pool, PAPER, seed=1)
    holds(pool, assignment)
    assert {name: rule for name, (rule, _) in assignment.left_out.items()} == {
        "re-090": "split.entity@1",
        "re-090b": "split.entity@1",
        "re-091": "split.sampler@1",
        "re-070": "split.sampler@1",
    }


@given(pools(), st.integers(1, 30), st.integers(0, 30))
def test_growing_never_asks_more_of_dev_than_it_takes(
    pool: list[Group], room: int, dev: int
) -> None:
    forms = {one.id: pair_forms(one) for one in pool}
    search = DisjointTestSearch(
        pool, forms, train_entities={"e0", "e1"}, test_room=room, dev_room=dev, seed=4
    )
    search.grow()
    in_test = {group.id for group in search.test}
    entities = {form for group in search.test for form in forms[group.id]}
    shared = {group.id for group in pool if entities & set(forms[group.id])} - in_test
    barred = search.barred_from_train()
    assert {group.id for group in barred} >= shared
    assert sum(map(len, barred)) == search.dev_demand <= dev
    assert sum(map(len, search.test)) == room - search.test_room <= room
    assert not entities & {"e0", "e1"}
