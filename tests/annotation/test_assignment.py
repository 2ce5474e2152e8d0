"""Every item gets different annotators, loads are even, teams are mixed, bars are kept."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise, product

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voting import make_items, take

from pipeline.annotation.batches.assignment import assign, find_bars
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError


def _teams(table: pa.Table) -> dict[str, set[str]]:
    teams: dict[str, set[str]] = {}
    for row in table.to_pylist():
        teams.setdefault(row["item"], set()).add(row["annotator"])
    return teams


def _loads(table: pa.Table, people: list[str]) -> list[int]:
    count = Counter(table.column("annotator").to_pylist())
    return [count[person] for person in people]


def _names(letter: str, number: int) -> list[str]:
    return [f"{letter}{n}" for n in range(number)]


@given(st.integers(0, 40), st.integers(1, 9), st.integers(1, 4), st.integers(0, 5), st.randoms())
def test_without_bars_all_is_even_and_keyed(
    items: int, people: int, per_item: int, seed: int, chance: random.Random
) -> None:
    names, who = _names("i", items), _names("w", max(people, per_item))
    table = assign(names, who, per_item=per_item, seed=seed)
    schemas.check(table, "assignments")
    teams = _teams(table)
    assert set(teams) == set(names)
    assert all(len(team) == per_item for team in teams.values())
    assert table.num_rows == items * per_item
    loads = _loads(table, who)
    assert max(loads) - min(loads) <= 1
    chance.shuffle(names)
    chance.shuffle(who)
    assert assign(iter(names), iter(who), per_item=per_item, seed=seed).equals(table)


@given(st.data())
def test_bars_are_kept_and_loads_are_as_near_as_they_can_be(data: st.DataObject) -> None:
    per_item = data.draw(st.integers(1, 3))
    who = _names("w", per_item + data.draw(st.integers(0, 3)))
    names = _names("i", data.draw(st.integers(1, 7)))
    barred = {
        item: data.draw(st.sets(st.sampled_from(who), max_size=len(who) - per_item))
        for item in names
    }
    table = assign(names, who, per_item=per_item, seed=3, barred=barred)
    teams = _teams(table)
    for item in names:
        assert len(teams[item]) == per_item
        assert not teams[item] & barred[item]
    found = sum(load**2 for load in _loads(table, who))
    assert found == _least(names, who, per_item, barred)


def _least(names: list[str], who: list[str], per_item: int, barred: dict[str, set[str]]) -> int:
    """Return the least sum of squared loads of all that are possible, by trying every team."""
    loads = {(0,) * len(who)}
    for item in names:
        teams = combinations([person for person in who if person not in barred[item]], per_item)
        loads = {
            tuple(load + (person in team) for load, person in zip(before, who, strict=True))
            for before, team in product(loads, list(teams))
        }
    return min(sum(load**2 for load in one) for one in loads)


def test_whoever_is_barred_from_most_items_gets_the_rest() -> None:
    names, who = _names("i", 300), _names("w", 6)
    barred = {item: {"w0"} for item in names[:280]} | {item: set(who[3:]) for item in names[280:]}
    table = assign(names, who, per_item=2, seed=1, barred=barred)
    loads = dict(zip(who, _loads(table, who), strict=True))
    assert loads["w0"] == 20  # all that are left
    others = [loads[person] for person in who[1:]]
    assert max(others) - min(others) <= 1


def test_teams_and_orders_are_mixed() -> None:
    names, who = _names("i", 6000), _names("w", 13)
    table = assign(names, who, per_item=3, seed=7)
    pairs = Counter(
        pair for team in _teams(table).values() for pair in combinations(sorted(team), 2)
    )
    expected = 6000 * 3 / 78
    assert len(pairs) == 78
    assert sum((n - expected) ** 2 / expected for n in pairs.values()) < 121  # chi2, 77 df, 0.999
    queues = {
        person: [row["item"] for row in table.to_pylist() if row["annotator"] == person]
        for person in who[:2]
    }
    shared = [item for item in queues["w0"] if item in set(queues["w1"])]
    place = {item: n for n, item in enumerate(queues["w1"])}
    rising = sum(place[a] < place[b] for a, b in pairwise(shared))
    assert 0.35 < rising / (len(shared) - 1) < 0.65


def test_ordinals_count_each_queue_from_one() -> None:
    table = assign(_names("i", 20), _names("w", 3), per_item=2, seed=1)
    queues: dict[str, list[int]] = {}
    for row in table.to_pylist():
        queues.setdefault(row["annotator"], []).append(row["ordinal"])
    assert all(queue == [*range(1, len(queue) + 1)] for queue in queues.values())


def test_seeds_differ() -> None:
    names, who = _names("i", 30), _names("w", 5)
    one, two = (_teams(assign(names, who, per_item=2, seed=seed)) for seed in (1, 2))
    assert one != two


@pytest.mark.parametrize(
    ("names", "who", "per_item", "barred", "words"),
    [
        (["a"], ["x", "y"], 3, {}, "2 annotators for 3 answers"),
        (["a", "b"], ["x", "y"], 2, {"b": {"x"}}, "1 item with too few .* b, needs 2 and has 1"),
        (["a", "a"], ["x"], 1, {}, "1 item named twice"),
        (["a"], ["x", "x"], 1, {}, "1 annotator named twice"),
        (["a"], ["x", " "], 1, {}, "an annotator has a blank name"),
        (["a"], ["x"], 0, {}, "allowed: 1 or more"),
    ],
)
def test_what_cannot_be_assigned_is_told(
    names: list[str], who: list[str], per_item: int, barred: dict[str, set[str]], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        assign(names, who, per_item=per_item, seed=1, barred=barred)


def test_strangers_among_the_bars_do_not_count() -> None:
    table = assign(["a"], ["x"], per_item=1, seed=1, barred={"a": {"nobody"}, "z": {"x"}})
    assert table.num_rows == 1


def test_an_author_is_barred_from_the_pairs_of_their_premise() -> None:
    text = {"entailment": "가", "contradiction": "나", "neutral": "다"}
    votes = take(
        {"item": "a", "annotator": "07", "label": text},
        {"item": "b", "annotator": "08", "label": text},
        {"item": "c", "annotator": "09", "label": "neutral"},
        task="nli",
    ).votes
    pairs = pa.concat_tables(
        [
            make_items(["a-1", "a-2"], "nli", meta='{"origin":"a"}'),
            make_items(["d"], "nli", meta='{"origin":"z"}'),
            make_items(["e"], "nli"),
        ]
    )
    validate = load_spec("nli").round("validate")
    assert validate is not None
    assert find_bars(validate, votes, pairs) == {
        "a": {"07"},
        "b": {"08"},
        "a-1": {"07"},
        "a-2": {"07"},
    }
    assert find_bars(load_spec("nli").rounds[0], votes, pairs) == {}
