"""STS: even scores against word overlap, counted again without the split's code."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mecab import MeCab
from scipy.optimize import linear_sum_assignment

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.sts.selection import Arc, Node, cheapest, evenly, overlap
from pipeline.tasks.sts.spec import ScoreNumbers
from pipeline.tasks.sts.split import bin_of

split = partial(assign, "sts")

PAPER = ScoreNumbers(
    train=11668,
    dev=519,
    test=1037,
    bins=51,
    least_overlap_from=3.0,
    dev_parts=1,
    test_parts=2,
    keep_source_shares=True,
)
TAGGER = MeCab()
WORDS = ("숙소", "바다", "창문", "열쇠", "아침", "수건", "골목", "버스")


def jaccard(one: Member) -> float:
    """Return the overlap of a pair, as mecab's surface forms give it."""
    first, second = (set(TAGGER.morphs(one.fields[key])) for key in ("sentence1", "sentence2"))
    return len(first & second) / len(first | second)


def tenth(one: Member) -> int:
    return round(float(one.label["label"]) * 10)


def told(assignment: Assignment, name: str) -> Constraint:
    return next(one for one in assignment.constraints if one.name == name)


def lone(
    name: str, score: float, source: str = "a", common: int = 0, kept: Split | None = None
) -> Group:
    """Return a pair of four words each, of which that many are the same."""
    first, second = WORDS[:4], (*WORDS[:common], *WORDS[4 : 8 - common])
    fields = {"sentence1": " ".join(first), "sentence2": " ".join(second)}
    return group([Member(name, source, fields, {"label": score}, kept=kept)])


def smaller(train: int, dev: int, test: int, **other: object) -> ScoreNumbers:
    return PAPER.model_copy(update={"train": train, "dev": dev, "test": test, **other})


@pytest.fixture(scope="module")
def official(data_dir: Path) -> list[Group]:
    items = read_official("sts", data_dir / "klue" / "klue-sts-v1.1_dev.json").items.to_pylist()
    return [
        group([Member(one["item"], one["source"], parsed(one["fields"]), parsed(one["gold"]))])
        for one in items
    ]


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    """Pairs of few scores and three sources, some in groups, some kept."""
    score = st.sampled_from([0.0, 0.1, 1.5, 2.9, 3.0, 4.4, 5.0])
    one = st.tuples(score, st.sampled_from("abc"), st.integers(0, 4))
    kept = st.sampled_from([None] * 6 + [*SPLITS])
    kinds = st.tuples(st.lists(one, min_size=1, max_size=2), kept)
    found = draw(st.lists(kinds, min_size=30, max_size=70))
    return [
        group(
            [
                lone(f"sts-{i:02}{j}", *pair, kept=None if j else where).members[0]
                for j, pair in enumerate(members)
            ]
        )
        for i, (members, where) in enumerate(found)
    ]


def check_even(members: Sequence[Member], assignment: Assignment) -> None:
    """Every bin that has pairs left in train is at most one below the fullest."""
    filled = Counter(tenth(one) for one in members if assignment.splits[one.id] != "train")
    for place in {tenth(one) for one in members if assignment.splits[one.id] == "train"}:
        assert filled[place] >= max(filled.values()) - 1


@pytest.mark.parametrize(
    ("numbers", "sizes"),
    [
        (PAPER, [458, 20, 41]),
        (smaller(300, 73, 146), [300, 73, 146]),
        (smaller(59, 153, 307), [59, 153, 307]),
    ],
)
def test_the_official_dev_file(
    official: list[Group], numbers: ScoreNumbers, sizes: list[int]
) -> None:
    assignment = split(official, numbers, seed=11)
    members = [one.members[0] for one in official]
    assert sorted(assignment.splits) == sorted(one.id for one in members)
    assert [assignment.count(one) for one in SPLITS] == sizes
    check_even(members, assignment)

    rounds: dict[Split, Counter[int]] = {k: Counter() for k in SPLITS}
    for one in members:
        rounds[assignment.splits[one.id]][tenth(one)] += 1
    for place in range(51):
        both = rounds["dev"][place] + rounds["test"][place]
        assert abs(rounds["dev"][place] - both / 3) < 1

    # Within a bin and source no pair of train is more welcome than one of dev or test.
    cells: dict[tuple[int, str, bool], list[float]] = {}
    for one in members:
        cost = jaccard(one) if one.label["label"] >= 3 else -jaccard(one)
        key = (tenth(one), one.source, assignment.splits[one.id] == "train")
        cells.setdefault(key, []).append(cost)
    for (place, source, in_train), costs in cells.items():
        if not in_train and (place, source, True) in cells:
            assert max(costs) <= min(cells[place, source, True]) + 1e-9

    shares = Counter(one.source for one in members)
    for where in SPLITS:
        mine = Counter(one.source for one in members if assignment.splits[one.id] == where)
        for source, count in shares.items():
            assert abs(mine[source] - count * mine.total() / 519) < 2


def test_the_sizes_of_table_4() -> None:
    assert load_spec("sts").split.numbers == PAPER
    counts = {"airbnb": 6136, "policy": 2740, "parakqc": 4348}
    names = [source for source, count in counts.items() for _ in range(count)]
    pool = [lone(f"sts-{i:05}", (i * 7 % 51) / 10, source, i % 5) for i, source in enumerate(names)]
    assignment = split(pool, PAPER, seed=2)
    assert [assignment.count(one) for one in SPLITS] == [11_668, 519, 1_037]
    filled = Counter(tenth(g.members[0]) for g in pool if assignment.splits[g.id] != "train")
    assert set(filled.values()) == {30, 31}
    for source, count in counts.items():
        mine = Counter(assignment.splits[g.id] for g in pool if g.members[0].source == source)
        assert abs(mine["dev"] + mine["test"] - 1556 * count / 13_224) < 1
        assert abs(mine["dev"] - 519 * count / 13_224) < 1.5


def test_overlap_is_the_jaccard_index_of_morphemes() -> None:
    assert overlap("바다가 보여요", "바다가 보여요") == 1
    assert overlap("바다", "창문") == 0
    # 바다 가 좋 아요 / 바다 는 좋 아요
    assert overlap("바다가 좋아요", "바다는 좋아요") == pytest.approx(3 / 5)
    assert overlap("", "") == 1


@given(
    st.dictionaries(st.integers(0, 6), st.tuples(st.integers(0, 8), st.integers(1, 9)), min_size=1),
    st.integers(0, 60),
    st.integers(0, 99),
)
def test_bins_fill_as_by_adding_one_to_the_emptiest(
    stock: dict[int, tuple[int, int]], more: int, seed: int
) -> None:
    held = {place: there for place, (there, _) in stock.items()}
    every = {place: there + new for place, (there, new) in stock.items()}
    total = sum(held.values()) + more
    filled = dict(held)
    while sum(filled.values()) < min(total, sum(every.values())):
        place = min((k for k in every if filled[k] < every[k]), key=filled.__getitem__)
        filled[place] += 1
    found = evenly(held, every, total, seed=seed)
    assert sorted(found.values()) == sorted(filled.values())
    assert all(held[place] <= found[place] <= every[place] for place in every)


def test_51_bins_are_the_tenths() -> None:
    assert [bin_of(tenth / 10, 51) for tenth in range(51)] == list(range(51))
    assert [bin_of(score, 6) for score in (0, 0.4, 0.6, 2.4, 4.6, 5)] == [0, 0, 1, 2, 5, 5]


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_the_flow_is_the_best_assignment(size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(-20, 20, (size, size))
    arcs = [
        Arc(("row", i), ("column", j), 1, float(costs[i, j]))
        for i in range(size)
        for j in range(size)
    ]
    supply: dict[Node, int] = {("row", i): 1 for i in range(size)}
    flow = cheapest(arcs, supply | {("column", j): -1 for j in range(size)})
    best = costs[linear_sum_assignment(costs)].sum()
    assert sum(one.cost * units for one, units in zip(arcs, flow, strict=True)) == best


def test_a_network_too_narrow_is_an_error() -> None:
    arcs = [Arc(("in",), ("out",), 1, 0.0)]
    assert cheapest(arcs, {("in",): 1, ("out",): -1}) == [1]
    with pytest.raises(ValueError, match="no flow"):
        cheapest(arcs, {("in",): 2, ("out",): -2})
    assert cheapest([], {}) == []


@given(
    st.lists(
        st.tuples(st.sampled_from([1.0, 4.0]), st.sampled_from("ab"), st.integers(0, 4)),
        min_size=8,
        max_size=11,
    )
)
def test_sources_first_then_overlap_as_by_trying_all(kinds: list[tuple[float, str, int]]) -> None:
    pool = [lone(f"sts-{i:02}", *kind) for i, kind in enumerate(kinds)]
    members = [one.members[0] for one in pool]
    assignment = split(pool, smaller(len(pool) - 4, 2, 2), seed=4)
    mine = [one for one in members if assignment.splits[one.id] != "train"]
    bins = Counter(map(tenth, mine))

    def worth(some: Sequence[Member]) -> tuple[float, float]:
        """Return how far its sources are from the best whole numbers, and its lack of welcome."""
        share = sum(one.source == "a" for one in members) * 4 / len(members)
        ties = {round(share)} if abs(share % 1 - 0.5) > 1e-9 else {int(share), int(share) + 1}
        far = min(abs(sum(one.source == "a" for one in some) - each) for each in ties)
        cost = [jaccard(one) if one.label["label"] >= 3 else 1 - jaccard(one) for one in some]
        return far, round(sum(cost), 9)

    every = [some for some in combinations(members, 4) if Counter(map(tenth, some)) == bins]
    best, found = min(map(worth, every)), worth(mine)
    if abs(sum(one.source == "a" for one in members) * 4 / len(members) % 1 - 0.5) > 1e-9:
        assert found == pytest.approx(best, abs=1e-3)
    else:
        assert found[0] == best[0]


def test_a_group_of_several_pairs_is_for_train_and_told() -> None:
    tied = [group([lone(f"sts-t{i}{j}", 4.0).members[0] for j in range(2)]) for i in range(5)]
    pool = [lone(f"sts-{i}", float(i % 6)) for i in range(40)]
    assignment = split([*tied, *pool], smaller(30, 6, 14), seed=1)
    assert {assignment.splits[m.id] for g in tied for m in g.members} == {"train"}
    assert (told(assignment, "lone_pairs").wanted, told(assignment, "lone_pairs").found) == (50, 40)
    short = split(
        [*tied, *pool[:5]],
        smaller(5, 5, 10),
        seed=1,
    )
    assert told(short, "lone_pairs").binds


def test_whole_groups_that_keep_a_source_or_a_bin_out_are_what_binds() -> None:
    pool = [lone(f"sts-{i:03}", i % 51 / 10) for i in range(204)]
    numbers = smaller(102, 34, 68)
    assert not told(split(pool, numbers, seed=1), "lone_pairs").binds
    tied = group([lone(f"sts-t{i}", i % 51 / 10, "b").members[0] for i in range(102)])
    row = told(split([*pool, tied], numbers, seed=1), "lone_pairs")
    assert row.binds
    assert row.detail.endswith("dev and test lack pairs of b")
    # The same pairs as groups of one: nothing binds, and both sources are there.
    apart = [group([one]) for one in tied.members]
    assert not told(split([*pool, *apart], numbers, seed=1), "lone_pairs").binds
    # No source is short; the pairs of bin 50 are all in one group.
    high = group([one.members[0] for one in pool if tenth(one.members[0]) == 50])
    others = [one for one in pool if tenth(one.members[0]) < 50]
    row = told(split([*others, high], numbers, seed=1), "lone_pairs")
    assert row.binds
    assert row.detail.endswith("dev and test lack pairs of 1 bin")
    # Groups whose bins and sources have lone pairs enough bind nothing.
    more = group([lone(f"sts-m{i}", i % 51 / 10).members[0] for i in range(3)])
    assert not told(split([*pool, more], numbers, seed=1), "lone_pairs").binds
    # A source that no score can bring in evenly is bound by bins, not by its groups.
    single = [lone(f"sts-s{i:02}", 5.0, "c") for i in range(60)]
    row = told(split([*pool, *single], numbers, seed=1), "lone_pairs")
    assert (row.met, row.binds) == (True, False)


def test_parts_decide_where_the_sizes_say_otherwise() -> None:
    pool = [lone(f"sts-{i}", float(i % 6)) for i in range(60)]
    assignment = split(pool, smaller(30, 15, 15), seed=1)
    assert [assignment.count(one) for one in SPLITS] == [30, 10, 20]
    assert told(assignment, "parts").binds


@given(pools(), st.booleans(), st.randoms(use_true_random=False))
def test_whatever_the_groups(pool: list[Group], shares: bool, shuffler: random.Random) -> None:
    numbers = smaller(60, 13, 27, keep_source_shares=shares)
    try:
        assignment = split(pool, numbers, seed=3)
    except InputError as error:
        assert "sts: no example is left" in str(error)
        return
    members = [m for g in pool for m in g.members]
    assert sorted(assignment.splits) == sorted(m.id for m in members)
    assert not assignment.left_out
    for one in pool:
        assert len({assignment.splits[m.id] for m in one.members}) == 1
        if one.kept is not None:
            assert assignment.splits[one.id] == one.kept
        elif len(one) > 1:
            assert assignment.splits[one.id] == "train"
    if not any(one.kept for one in pool):
        check_even([g.members[0] for g in pool if len(g) == 1], assignment)
    other = list(pool)
    shuffler.shuffle(other)
    again = split(other, numbers, seed=3)
    assert (again.splits, again.constraints) == (assignment.splits, assignment.constraints)


@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 2.5, 5.0]),
    st.sampled_from("ab"),
    st.integers(0, 4),
)
def test_one_more_pair_moves_few(seed: int, score: float, source: str, common: int) -> None:
    rng = random.Random(seed)
    pool = [
        lone(f"sts-{i:03}", rng.randrange(51) / 10, rng.choice("aab"), rng.randrange(5))
        for i in range(250)
    ]
    before = split(pool, PAPER, seed=1).splits
    new = lone("sts-new", score, source, common)
    after = split([*pool, new], PAPER, seed=1).splits
    assert sum(after[name] != where for name, where in before.items()) <= 12


def test_the_next_version_moves_none_and_evens_out(official: list[Group]) -> None:
    numbers = smaller(300, 73, 146)
    first = split(official[:400], numbers, seed=1).splits
    again = [group([replace(g.members[0], kept=first.get(g.id))]) for g in official]
    second = split(again, numbers, seed=2)
    assert {name: second.splits[name] for name in first} == first
    assert [second.count(one) for one in SPLITS] == [300, 73, 146]


def test_one_score_alone_and_too_few_pairs() -> None:
    same = [lone(f"sts-{i}", 3.0) for i in range(30)]
    assignment = split(same, smaller(20, 3, 7), seed=1)
    assert [assignment.count(one) for one in SPLITS] == [20, 3, 7]
    assert told(assignment, "full_bins").found == 1
    with pytest.raises(InputError, match=r"sts: no example is left for dev"):
        split(same[:3], PAPER, seed=1)
