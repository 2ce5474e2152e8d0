"""NLI: dev and test are complete sets of the lowest share, styles and sources in balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import Split
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.groups import groups
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.nli.hypothesis_only import classifier_factory, crossfit, distances, folds_of
from pipeline.tasks.nli.premise_sets import count_premises, least_revealing_sets, premise_sets
from pipeline.tasks.nli.spec import SetNumbers
from pipeline.tasks.nli.split import BESIDE, INCOMPLETE

split = partial(assign, "nli")

GOLDS = ("entailment", "contradiction", "neutral")
STYLES = {
    "wikitree": "formal",
    "policy": "formal",
    "wikinews": "formal",
    "wikipedia": "formal",
    "nsmc": "colloquial",
    "airbnb": "colloquial",
}
EVALUATION: tuple[Split, Split] = ("dev", "test")


def _spec() -> SetNumbers:
    numbers = load_spec("nli").split.numbers
    assert isinstance(numbers, SetNumbers)
    return numbers


# -- The official pool -----------------------------------------------------------------------------


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("dev",), id="dev"),
        pytest.param(("train", "dev"), id="whole", marks=pytest.mark.full),
    ],
)
def pool(data_dir: Path, request: pytest.FixtureRequest) -> list[Member]:
    """Return the pairs of official files, with their cross-fitted distances."""
    rows = [
        row
        for name in request.param
        for row in read_official(
            "nli", data_dir / "klue" / f"klue-nli-v1.1_{name}.json"
        ).items.to_pylist()
    ]
    fields, golds = ([parsed(row[key]) for row in rows] for key in ("fields", "gold"))
    hypotheses = [one["hypothesis"] for one in fields]
    scores = crossfit(
        hypotheses,
        np.array([GOLDS.index(one) for one in golds]),
        folds_of([one["premise"] for one in fields], folds=5, seed=1),
        classifier_factory("linear", hypotheses),
    )
    return [
        Member(row["item"], row["source"], f, gold, style=STYLES[row["source"]], distance=far)
        for row, f, gold, far in zip(rows, fields, golds, distances(scores).tolist(), strict=True)
    ]


@pytest.fixture(scope="module")
def whole(pool: list[Member]) -> list[Group]:
    """Return the groups of the official pool."""
    found, left = groups(pool, {}, task="nli")
    assert not left
    return found


@pytest.fixture(scope="module")
def assignment(whole: list[Group]) -> Assignment:
    """Return the split of the official pool by the numbers of the spec."""
    return split(whole, _spec(), seed=7)


def _lowest_fifth(pool: Sequence[Member]) -> dict[str, list[str]]:
    """Return by source its complete premises of the lowest mean distance, a fifth of all of its."""
    pairs: dict[str, dict[str, list[Member]]] = defaultdict(lambda: defaultdict(list))
    for one in pool:
        pairs[one.source][one.fields["premise"]].append(one)
    found = {}
    for source, own in pairs.items():
        complete = [k for k, each in own.items() if sorted(m.label for m in each) == sorted(GOLDS)]
        rank = {
            k: (round(fmean(m.distance or 0 for m in own[k]), 6), min(m.id for m in own[k]))
            for k in complete
        }
        found[source] = sorted(complete, key=rank.__getitem__)[: len(own) // 5]
    return found


def _by_source(pool: Sequence[Member], assignment: Assignment, name: Split) -> Counter[str]:
    return Counter(one.source for one in pool if assignment.splits[one.id] == name)


def test_the_official_pool_reaches_the_numbers_of_the_paper_scaled(
    pool: list[Member], assignment: Assignment
) -> None:
    total = len(pool)
    assert len(assignment.splits) == total
    assert not assignment.left_out
    # 450 and 600 pairs of 30,998, scaled to the pool and rounded down to whole sets of three, so
    # that three pairs of five are formal.
    formal, colloquial = {3_000: (42, 54), 27_998: (405, 540)}[total]
    expected = {k: formal if style == "formal" else colloquial for k, style in STYLES.items()}
    held = sum(expected.values())
    assert assignment.counts() == {"train": total - 2 * held, "dev": held, "test": held}
    for name in EVALUATION:
        assert _by_source(pool, assignment, name) == expected
    assert all(one.met and not one.binds for one in assignment.constraints)


def test_official_dev_and_test_are_complete_sets_of_the_lowest_fifth(
    pool: list[Member], assignment: Assignment
) -> None:
    golds: dict[str, list[str]] = defaultdict(list)
    for one in pool:
        if assignment.splits[one.id] != "train":
            golds[one.fields["premise"]].append(one.label)
    assert len(golds) == sum(assignment.counts()[name] for name in EVALUATION) / 3
    assert all(sorted(one) == sorted(GOLDS) for one in golds.values())
    lowest = _lowest_fifth(pool)
    assert set(golds) <= {premise for own in lowest.values() for premise in own}
    told = {one.detail.split(":")[0]: one for one in _told(assignment, "lowest_sets")}
    for source, own in lowest.items():
        assert told[source].found == len(own) >= told[source].wanted
    share = Counter(STYLES[one.source] for one in pool if assignment.splits[one.id] == "test")
    assert share["formal"] / share.total() == pytest.approx(0.6, abs=0.01)


def test_the_counts_of_the_paper_leave_room_for_its_pairs() -> None:
    # 2,008 sets of AIRBNB, of which 1,900 are complete: 400 for dev and test are not within 380.
    rows = [
        replace(one, id=f"{n:04}{one.id}", fields={**one.fields, "premise": f"{n}"})
        for n in range(2_008)
        for one in _set("x", "nsmc", 1.1 + n / 1e4, golds="en" if n < 1_900 else "ee")
    ]
    counts = count_premises(rows, SMALL)
    found = least_revealing_sets(premise_sets(rows, SMALL), counts, 0.2)
    assert [one.members[0].fields["premise"] for one in found["nsmc"]] == [*map(str, range(401))]


def test_no_official_premise_nor_a_near_one_is_in_two_splits(
    pool: list[Member], assignment: Assignment
) -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for one in pool:
        places[one.fields["premise"]].add(assignment.splits[one.id])
    assert all(len(one) == 1 for one in places.values())
    for name in EVALUATION:
        own = [premise for premise, split in places.items() if split == {name}]
        rest = [premise for premise, split in places.items() if split != {name}]
        assert _likest(own, rest) < 0.8


def _likest(left: Sequence[str], right: Sequence[str]) -> float:
    known: dict[str, int] = {}

    def matrix(texts: Sequence[str]) -> csr_matrix:
        letters = ["".join(c for c in text.casefold() if c.isalnum()) for text in texts]
        cells = [
            (n, known.setdefault(gram, len(known)))
            for n, text in enumerate(letters)
            for gram in {text[k : k + 3] for k in range(len(text) - 2)}
        ]
        rows, columns = zip(*cells, strict=True)
        return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(texts), 500_000))

    own, rest = matrix(left), matrix(right)
    sizes = np.asarray(own.sum(axis=1)).ravel(), np.asarray(rest.sum(axis=1)).ravel()
    found = 0.0
    for start in range(0, len(left), 200):
        common = (own[start : start + 200] @ rest.T).tocoo()
        joined = sizes[0][common.row + start] + sizes[1][common.col] - common.data
        found = max(found, float((common.data / joined).max()))
    return found


def test_an_unchanged_official_pool_is_parted_the_same_again(
    whole: list[Group], assignment: Assignment
) -> None:
    again = split(_kept(whole, assignment.splits), _spec(), seed=8)
    assert again.splits == assignment.splits
    assert not again.left_out


# -- Small pools -----------------------------------------------------------------------------------

SMALL = SetNumbers(
    train=80,
    dev=10,
    test=10,
    set_size=2,
    distinct_golds=2,
    lowest_share=0.5,
    formal_share=0.5,
    colloquial_share=0.5,
    per_formal_source=5,
    per_colloquial_source=5,
)


def _pair(
    name: str,
    number: int,
    source: str,
    gold: str,
    distance: float | None,
    kept: Split | None = None,
) -> Member:
    style = {"policy": "formal", "nsmc": "colloquial"}.get(source)
    fields = {"premise": f"premise {source} {name}", "hypothesis": f"guess {name}.{number}"}
    return Member(
        f"{source}-{name}.{number}", source, fields, gold, style=style, distance=distance, kept=kept
    )


def _set(
    name: str,
    source: str,
    distance: float = 1.2,
    golds: Sequence[str] = "en",
    kept: Split | None = None,
) -> list[Member]:
    return [_pair(name, n, source, gold, distance, kept) for n, gold in enumerate(golds)]


def _kept(whole: Sequence[Group], splits: Mapping[str, Split]) -> list[Group]:
    return [
        group([replace(one, kept=splits.get(one.id)) for one in each.members]) for each in whole
    ]


def _alone(many: int, **more: float) -> list[Group]:
    """Return groups of one complete set each, `many` from each of two sources."""
    return [
        group(_set(f"{n:03}", source, more.get("distance", 1.1 + n / 1000)))
        for source in ("policy", "nsmc")
        for n in range(many)
    ]


def _told(assignment: Assignment, name: str) -> list[Constraint]:
    return [one for one in assignment.constraints if one.name == name]


def test_a_pair_without_a_distance_is_told_without_its_text() -> None:
    bad = group([_pair("x", 0, "nsmc", "e", None), _pair("x", 1, "nsmc", "n", 1.2)])
    with pytest.raises(InputError, match=r"1 of 42 pairs, the first nsmc-x\.0, has no") as error:
        split([*_alone(10), bad], SMALL, seed=1)
    assert "premise" not in str(error.value)


def test_a_style_without_a_source_is_what_binds() -> None:
    only = [one for one in _alone(20) if one.members[0].source == "nsmc"]
    with pytest.raises(InputError, match=r"style_share in dev.*formal.*0 sources"):
        split(only, SMALL, seed=1)
    numbers = SMALL.model_copy(update={"formal_share": 0.0, "colloquial_share": 1.0})
    assert split(only, numbers, seed=1).count("dev") > 0


def test_sources_of_no_known_style_are_for_train() -> None:
    strange = [group(_set(f"{n}", "blog", 1.0)) for n in range(30)]
    assignment = split([*_alone(30), *strange], SMALL, seed=1)
    assert {assignment.splits[one.id] for each in strange for one in each.members} == {"train"}


def test_the_source_that_lacks_sets_is_named_and_all_get_fewer() -> None:
    wide = _alone(100)
    broken = [group(_set(f"{n:03}", "policy", golds="ee" if n > 7 else "en")) for n in range(100)]
    pool = [*broken, *(one for one in wide if one.members[0].source == "nsmc")]
    assignment = split(pool, SMALL, seed=1)
    # Ten sets are wanted of each source and split; eight are complete, half of them for each.
    for name in EVALUATION:
        found = Counter(k.split("-")[0] for k, v in assignment.splits.items() if v == name)
        assert found == {"policy": 8, "nsmc": 8}
    told = _told(assignment, "lowest_sets")
    assert [one.detail.split(":")[0] for one in told if one.binds] == ["policy"]
    assert not all(one.met for one in _told(assignment, "size"))


def test_sets_of_a_document_are_taken_last_and_what_is_tied_to_them_is_left_out() -> None:
    alone = _alone(40)
    tied = [
        group([*_set(f"8{n:02}", "policy", 1.0 + n / 100), *_set(f"9{n:02}", "policy", 1.9)])
        for n in range(20)
    ]
    plenty = split([*alone, *tied], SMALL, seed=1)
    assert not plenty.left_out
    assert {plenty.splits[one.id] for each in tied for one in each.members} == {"train"}
    scarce = [*(one for one in alone if one.members[0].source == "nsmc"), *tied]
    assignment = split(scarce, SMALL, seed=1)
    placed = [k for k, v in assignment.splits.items() if v != "train" and k.startswith("policy")]
    assert placed and all(name.startswith("policy-8") for name in placed)
    assert {k.replace("-9", "-8") for k in assignment.left_out} == set(placed)
    assert {rule for rule, _ in assignment.left_out.values()} == {BESIDE}
    assert [one.found for one in _told(assignment, "left_out")] == [len(assignment.left_out)]


def test_no_more_is_left_out_than_lets_train_keep_its_part() -> None:
    pool = [
        group(
            [
                one
                for k, distance in enumerate((1.1 + n / 1000, 1.6, 1.7, 1.8, 1.9))
                for one in _set(f"{n:02}{k}", source, distance)
            ]
        )
        for source in ("policy", "nsmc")
        for n in range(30)
    ]
    assignment = split(pool, SMALL.model_copy(update={"lowest_share": 0.2}), seed=1)
    # q sets a source and split leave out 4 sets each: 600 - 32 q pairs stay, of which a source and
    # split may have 5 in 100, in sets of 2. So q <= 15 - 0.8 q, and q = 8.
    assert assignment.counts() == {"train": 600 - 32 * 8 - 64, "dev": 32, "test": 32}
    assert len(assignment.left_out) == 32 * 8
    assert [one.name for one in assignment.constraints if one.binds] == []
    assert all(one.met for one in _told(assignment, "size"))


def test_styles_keep_their_shares_where_they_have_unlike_numbers_of_sources() -> None:
    formal = ("policy", "wikitree", "wikinews")
    pool = [
        group([replace(m, style="formal" if name in formal else m.style) for m in one])
        for name in (*formal, "nsmc")
        for n in range(50)
        for one in [_set(f"{n:03}", name, 1.1 + n / 1000)]
    ]
    assignment = split(pool, SMALL, seed=1)
    # 400 pairs: up to ten sets a source and split, and as many colloquial as formal ones.
    for name in EVALUATION:
        found = Counter(k.split("-")[0] for k, v in assignment.splits.items() if v == name)
        assert found == {"policy": 6, "wikitree": 6, "wikinews": 6, "nsmc": 18}


def test_kept_sets_count_towards_what_more_pairs_ask_for() -> None:
    first = split(_alone(40), SMALL, seed=1)
    assert first.counts() == {"train": 128, "dev": 16, "test": 16}
    new = [group(_set(f"1{n:02}", k, 1.05)) for k in ("policy", "nsmc") for n in range(40)]
    later = [*_kept(_alone(40), first.splits), *new]
    assignment = split(later, SMALL, seed=2)
    assert first.splits.items() <= assignment.splits.items()
    # 320 pairs: eight sets a source and split, four of which were there before.
    assert assignment.counts() == {"train": 256, "dev": 32, "test": 32}


def test_a_kept_set_that_is_no_longer_complete_leaves_and_never_goes_to_train() -> None:
    first = split(_alone(40), SMALL, seed=1)
    gone = min(k for k, v in first.splits.items() if v == "test")
    later = [
        group([one for one in each.members if one.id != gone])
        for each in _kept(_alone(40), first.splits)
    ]
    assignment = split(later, SMALL, seed=1)
    assert {rule for rule, _ in assignment.left_out.values()} == {INCOMPLETE}
    assert list(assignment.left_out) == [gone.replace(".0", ".1")]
    stays = {k: v for k, v in first.splits.items() if k.split(".")[0] != gone.split(".")[0]}
    assert stays.items() <= assignment.splits.items()


def test_new_pairs_tied_to_a_kept_set_of_test_are_left_out() -> None:
    whole = _alone(40)
    first = split(whole, SMALL, seed=1)
    name = min(k for k, v in first.splits.items() if v == "test").split(".")[0].split("-")[1]
    later = [
        group([*each.members, *_set("777", "nsmc", 1.0), _pair(name, 2, "nsmc", "e", 1.0)])
        if each.id == f"nsmc-{name}.0"
        else each
        for each in _kept(whole, first.splits)
    ]
    assignment = split(later, SMALL, seed=1)
    assert set(assignment.left_out) == {"nsmc-777.0", "nsmc-777.1", f"nsmc-{name}.2"}
    assert first.splits.items() <= assignment.splits.items()


SET = st.tuples(
    st.sampled_from(["policy", "nsmc"]),
    st.sampled_from(["en", "en", "en", "ec", "ee", "e", "enc"]),
    st.integers(1_100_000, 1_100_030),
)
KEPT = st.sampled_from((None, None, None, "train", "dev", "test"))
POOL = st.lists(st.tuples(st.lists(SET, min_size=1, max_size=2), KEPT, st.integers(0, 3)))


def _drawn(
    rows: Sequence[tuple[Sequence[tuple[str, str, int]], Split | None, int]],
) -> list[Group]:
    """Return groups of one or two sets; of kept ones, `fresh` pairs are new all the same."""
    found = []
    for n, (given_sets, kept, fresh) in enumerate(rows):
        members = [
            _pair(f"{n:03}{k}", i, source, gold, far / 1e6)
            for k, (source, golds, far) in enumerate(given_sets)
            for i, gold in enumerate(golds)
        ]
        many = max(1, len(members) - fresh)
        old = [replace(one, kept=kept) for one in members[:many]]
        found.append(group([*old, *members[many:]]))
    return found


@given(POOL, st.integers(0, 3), st.randoms())
def test_properties_of_any_pool(
    rows: list[tuple[list[tuple[str, str, int]], Split | None, int]], seed: int, random: Random
) -> None:
    pool = [*_alone(12), *_drawn([(a, b, c) for a, b, c in rows])]
    members = {one.id: one for each in pool for one in each.members}
    assignment = split(pool, SMALL, seed=seed)
    assert split(random.sample(pool, len(pool)), SMALL, seed=seed) == assignment

    assert sorted([*assignment.splits, *assignment.left_out]) == sorted(members)
    for one in members.values():
        if one.kept == "train":
            assert assignment.splits[one.id] == "train"
        elif one.kept:
            assert assignment.splits.get(one.id, one.kept) == one.kept
            assert assignment.left_out.get(one.id, (INCOMPLETE, ""))[0] == INCOMPLETE
    for each in pool:
        places = {assignment.splits[one.id] for one in each.members if one.id in assignment.splits}
        assert len(places) <= 1, "a group is parted"
    low = _lowest_half(pool)
    for name in EVALUATION:
        found: dict[str, list[Member]] = defaultdict(list)
        for one in members.values():
            if assignment.splits.get(one.id) == name:
                found[one.fields["premise"]].append(one)
        for each in found.values():
            assert len(each) == len({one.label for one in each}) == 2
            assert each[0].kept or each[0].fields["premise"] in low
    for one in _told(assignment, "size"):
        assert one.split and one.found == assignment.count(one.split)
        assert one.met == (one.found >= one.wanted)


def _lowest_half(pool: Sequence[Group]) -> set[str]:
    """Return the premises of each source's complete sets, the lowest half of all its premises."""
    every: dict[str, set[str]] = defaultdict(set)
    complete: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
    for each in pool:
        for one in each.members:
            every[one.source].add(one.fields["premise"])
        own = [one for one in each.members if each.kept not in EVALUATION or one.kept]
        for premise in {one.fields["premise"] for one in own}:
            pairs = [one for one in own if one.fields["premise"] == premise]
            if len(pairs) == len({one.label for one in pairs}) == 2:
                mean = round(fmean(one.distance or 0 for one in pairs), 6)
                complete[pairs[0].source].append((mean, min(one.id for one in pairs), premise))
    return {
        premise
        for source, rows in complete.items()
        for *_, premise in sorted(rows)[: len(every[source]) // 2]
    }


@given(st.lists(st.tuples(st.lists(SET, min_size=1, max_size=2)), max_size=20), st.integers(0, 9))
def test_what_is_released_again_with_more_stays(
    rows: list[tuple[list[tuple[str, str, int]]]], seed: int
) -> None:
    first = split(_alone(12), SMALL, seed=seed)
    later = [*_kept(_alone(12), first.splits), *_drawn([(one, None, 0) for (one,) in rows])]
    assignment = split(later, SMALL, seed=seed + 1)
    assert first.splits.items() <= assignment.splits.items()
