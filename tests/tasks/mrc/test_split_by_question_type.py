"""MRC: parts of every question type, whole documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS, Split
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed
from pipeline.release.splits.assignment import Assignment
from pipeline.release.splits.groups import groups
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.mrc.spec import QuestionNumbers

split = partial(assign, "mrc")

PARTS = QuestionNumbers(train=6, dev=2, test=2, documents_apart=True)
#: Table 18: paraphrase, multi-sentence and unanswerable questions.
TABLE_18 = {1: 12_207, 2: 7_895, 3: 9_211}
SHARES = {"train": 0.6, "dev": 0.2, "test": 0.2}
Types = Sequence[int | None]


def _documents(rows: Sequence[Types], kept: Sequence[Split | None] = ()) -> list[Group]:
    """Return a group for each document: its questions of these types."""
    places = list(kept) + [None] * (len(rows) - len(kept))
    return [
        group(
            [
                Member(
                    f"{n:05}.{k}",
                    "acrofan",
                    {"title": "", "context": f"passage {n}"},
                    {"question": "?", "type": kind, "answers": [], "plausible_answers": []},
                    documents=(f"d{n}",),
                    kept=place,
                )
                for k, kind in enumerate(types)
            ]
        )
        for n, (types, place) in enumerate(zip(rows, places, strict=True))
    ]


def _counts(whole: Sequence[Group], assignment: Assignment) -> Counter[tuple[str, int | None]]:
    return Counter((assignment.splits[m.id], m.label["type"]) for one in whole for m in one.members)


def test_the_spec_has_the_parts_of_the_paper() -> None:
    assert load_spec("mrc").split.numbers == PARTS


@pytest.mark.full
def test_questions_of_the_paper_are_parted_six_two_two_by_type() -> None:
    random = Random(1)
    kinds = [kind for kind, many in TABLE_18.items() for _ in range(many)]
    random.shuffle(kinds)
    rows = []
    while kinds:
        many = random.choices([1, 2, 3, 5], [75, 17, 6, 2])[0]
        rows.append(kinds[:many])
        kinds = kinds[many:]
    whole = _documents(rows)
    assignment = split(whole, PARTS, seed=3)
    found = _counts(whole, assignment)
    for kind, many in TABLE_18.items():
        for name, share in SHARES.items():
            assert abs(found[name, kind] - share * many) <= 1
    assert all(one.met and not one.binds for one in assignment.constraints)


def test_the_official_questions_are_parted_with_their_passages(data_dir: Path) -> None:
    official = read_official("mrc", data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json")
    members = [
        Member(row["item"], "unknown", parsed(row["fields"]), parsed(row["gold"]))
        for row in official.items.to_pylist()
    ]
    assert {one.label["type"] for one in members} == {None, 3}
    whole, _ = groups(members, {}, task="mrc")
    assignment = split(whole, PARTS, seed=3)
    kinds = Counter(one.label["type"] for one in members)
    for (name, kind), many in _counts(whole, assignment).items():
        assert abs(many - SHARES[name] * kinds[kind]) <= 1
    places = defaultdict(set)
    for one in members:
        places[one.fields["context"]].add(assignment.splits[one.id])
    assert all(len(one) == 1 for one in places.values())


def test_one_document_cannot_be_parted_and_says_so() -> None:
    with pytest.raises(InputError, match=r"no example is left for .*largest_group: wanted 2"):
        split(_documents([[1] * 12]), PARTS, seed=1)


def test_too_much_in_test_of_an_earlier_version_is_what_binds() -> None:
    whole = _documents([[1]] * 20, ["test"] * 8)
    assignment = split(whole, PARTS, seed=1)
    assert assignment.counts() == {"train": 9, "dev": 3, "test": 8}
    told = [(one.split, one.wanted, one.found) for one in assignment.constraints if one.binds]
    assert ("test", 4, 8) in told
    assert not all(one.met for one in assignment.constraints if one.name == "size")


@pytest.mark.parametrize("seed", range(10))
def test_kept_questions_count_before_any_new_one_is_placed(seed: int) -> None:
    whole = _documents([[1]] * 20, ["dev"] * 4)
    assert split(whole, PARTS, seed=seed).counts() == {"train": 12, "dev": 4, "test": 4}


def test_documents_that_are_not_apart_are_counted() -> None:
    whole = _documents([[1]] * 20)
    torn = [group([replace(m, documents=("d",)) for m in one.members]) for one in whole]
    (told,) = [c for c in split(torn, PARTS, seed=1).constraints if c.name == "documents_apart"]
    assert (told.wanted, told.found, told.met) == (1, 0, False)


TYPES = st.lists(st.sampled_from([1, 2, 3, None]), min_size=1, max_size=4)
KEPT = st.sampled_from((None, None, "train", "dev", "test"))


@given(st.lists(st.tuples(TYPES, KEPT), max_size=40), st.integers(0, 3), st.randoms())
def test_properties_of_any_pool(
    rows: list[tuple[list[int | None], Split | None]], seed: int, random: Random
) -> None:
    whole = _documents([*([[1]] * 6), *(types for types, _ in rows)], [None] * 6)
    whole = whole[:6] + [
        group([replace(one, kept=kept) for one in each.members])
        for each, (_, kept) in zip(whole[6:], rows, strict=True)
    ]
    try:
        assignment = split(whole, PARTS, seed=seed)
    except InputError as error:
        assert "what binds" in str(error)
        return
    assert split(random.sample(whole, len(whole)), PARTS, seed=seed) == assignment
    members = [one for each in whole for one in each.members]
    assert sorted(assignment.splits) == sorted(one.id for one in members)
    assert not assignment.left_out
    assert all(assignment.splits[one.id] == one.kept for one in members if one.kept)
    assert all(len({assignment.splits[m.id] for m in one.members}) == 1 for one in whole)
    found = assignment.counts()
    for one in assignment.constraints:
        if one.name == "size":
            slack = max(map(len, whole)) - 1
            assert one.split and one.found == found[one.split]
            assert one.met == (abs(one.found - one.wanted) <= slack)


@given(st.lists(st.sampled_from([1, 2, 3, None]), min_size=20, max_size=80))
def test_questions_of_their_own_documents_are_parted_to_the_question(types: list[int]) -> None:
    whole = _documents([[kind] for kind in types])
    assignment = split(whole, PARTS, seed=1)
    found, kinds = _counts(whole, assignment), Counter(types)
    for kind, many in kinds.items():
        assert sum(found[name, kind] for name in SPLITS) == many
        assert all(abs(found[name, kind] - SHARES[name] * many) < 1 for name in SPLITS)
