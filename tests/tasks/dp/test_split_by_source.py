"""DP: sources in the shares of the whole, against Table 13 and the official dev file."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.release.splits.assignment import Assignment
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.dp.spec import SourceNumbers

split = partial(assign, "dp")

PAPER = SourceNumbers(train=10000, dev=2000, test=2500, keep_source_shares=True)


def lone(name: str, source: str, kept: str | None = None) -> Group:
    return group([Member(name, source, {}, None, kept=kept)])  # type: ignore[arg-type]


def table(groups: list[Group], assignment: Assignment) -> Counter[tuple[str, str]]:
    """Count the examples of each source and split."""
    return Counter((m.source, assignment.splits[m.id]) for g in groups for m in g.members)


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    """Groups of one to four examples from three sources, some of them kept."""
    kinds = st.tuples(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
        st.sampled_from([None, None, None, *SPLITS]),
    )
    found = draw(st.lists(kinds, min_size=30, max_size=80))
    return [
        group(
            [
                Member(f"dp-{i:03}{j}", s, {}, None, kept=None if j else kept)
                for j, s in enumerate(sources)
            ]
        )
        for i, (sources, kept) in enumerate(found)
    ]


def test_it_gives_the_numbers_of_table_13() -> None:
    pool = [lone(f"dp-c{i:05}", "wikitree" if i % 2 else "airbnb") for i in range(14_500)]
    assert load_spec("dp").split.numbers == PAPER
    found = table(pool, split(pool, PAPER, seed=7))
    for source in ("wikitree", "airbnb"):
        assert [found[source, one] for one in SPLITS] == [5_000, 1_000, 1_250]


def test_the_official_dev_file_is_parted_alike_in_both_sources(data_dir: Path) -> None:
    items = read_official("dp", data_dir / "klue" / "klue-dp-v1.1_dev.tsv").items.to_pylist()
    pool = [
        group([Member(one["item"], one["source"], parsed(one["fields"]), parsed(one["gold"]))])
        for one in items
    ]
    assignment = split(pool, PAPER, seed=7)
    found = table(pool, assignment)
    # 2,000 sentences: 1379.3, 275.9 and 344.8 by the paper's sizes, half of them from each source.
    assert [assignment.count(one) for one in SPLITS] == [1379, 276, 345]
    assert found["airbnb", "dev"] == found["wikitree", "dev"] == 138
    assert {found["airbnb", "test"], found["wikitree", "test"]} == {172, 173}
    assert sum(found.values()) == len(assignment.splits) == 2000
    assert all(one.met for one in assignment.constraints)


def test_unequal_sources_keep_their_shares() -> None:
    counts = {"a": 1000, "b": 300, "c": 150}
    pool = [lone(f"dp-{s}{i}", s) for s, n in counts.items() for i in range(n)]
    found = table(pool, split(pool, PAPER, seed=1))
    for source, count in counts.items():
        for one, size in PAPER.sizes.items():
            assert abs(found[source, one] - count * size / 14_500) < 1


@given(pools(), st.randoms(use_true_random=False))
def test_whatever_the_groups(pool: list[Group], shuffler: random.Random) -> None:
    assignment = split(pool, PAPER, seed=3)
    assert sorted(assignment.splits) == sorted(m.id for g in pool for m in g.members)
    assert not assignment.left_out
    for one in pool:
        assert len({assignment.splits[m.id] for m in one.members}) == 1
        assert one.kept in (None, assignment.splits[one.id])
    other = list(pool)
    shuffler.shuffle(other)
    again = split(other, PAPER, seed=3)
    assert again.splits == assignment.splits
    assert again.constraints == assignment.constraints
    told = {one.split: one.found for one in assignment.constraints if one.name == "size"}
    assert told == Counter(assignment.splits.values())


@given(st.integers(40, 200), st.integers(0, 10**6))
def test_one_more_example_moves_few(count: int, seed: int) -> None:
    pool = [lone(f"dp-{i}", "ab"[i % 3 == 0]) for i in range(count)]
    before = split(pool, PAPER, seed=seed).splits
    after = split([*pool, lone("dp-new", "a")], PAPER, seed=seed).splits
    # The new one may push one out of dev and of test, and each quota may shift by one.
    assert sum(after[name] != where for name, where in before.items()) <= 8


def test_the_next_version_moves_none_and_comes_to_the_sizes() -> None:
    pool = [lone(f"dp-{i:04}", "ab"[i % 2]) for i in range(1450)]
    first = split(pool, PAPER, seed=1).splits
    kept = [group([replace(g.members[0], kept=first[g.id])]) for g in pool]
    more = [lone(f"dp-n{i:04}", "ab"[i % 2]) for i in range(1450)]
    second = split([*kept, *more], PAPER, seed=2)
    assert {name: second.splits[name] for name in first} == first
    assert [second.count(one) for one in SPLITS] == [2000, 400, 500]


def test_what_an_earlier_version_left_uneven_is_told() -> None:
    pool = [lone(f"dp-k{i}", "a", "dev") for i in range(20)]
    pool += [lone(f"dp-{i:03}", "ab"[i % 2]) for i in range(125)]
    assignment = split(pool, PAPER, seed=1)
    shares = {
        (one.split, one.detail): one.met
        for one in assignment.constraints
        if one.name == "source_share"
    }
    assert [assignment.count(one) for one in SPLITS] == [100, 20, 25]
    assert not shares["dev", "a"]
    assert shares["test", "a"]


def test_sizes_that_whole_groups_cannot_fill_are_told() -> None:
    pool = [group([Member(f"dp-{i:02}{j}", "a", {}, None) for j in range(6)]) for i in range(31)]
    assignment = split(pool, PAPER, seed=1)
    told = {one.name: one for one in assignment.constraints if one.split is None}
    sizes = [one for one in assignment.constraints if one.name == "size"]
    assert not all(one.met for one in sizes)
    assert told["whole_groups"].met
    assert told["whole_groups"].binds


def test_too_few_examples_are_an_error_that_says_so() -> None:
    with pytest.raises(InputError, match=r"dp: no example is left for dev"):
        split([lone("dp-1", "a"), lone("dp-2", "a")], PAPER, seed=1)
