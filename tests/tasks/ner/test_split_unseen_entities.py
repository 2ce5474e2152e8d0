"""NER: test prefers entities that train does not have (paper 3.4.1, Tables 8 and 9)."""

from __future__ import annotations

import random
from collections import Counter
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
from pipeline.release.splits.assignment import Assignment, Constraint, similarity_constraints
from pipeline.release.splits.member import Group, Member, group, order_by_key
from pipeline.release.splits.splitting import assign
from pipeline.tasks.ner.spec import EntityNumbers

split = partial(assign, "ner")

PAPER = EntityNumbers(train=21_008, dev=5_000, test=5_000, unseen_entities_in_test=True)
PLAIN = PAPER.model_copy(update={"unseen_entities_in_test": False})


def sentence(name: str, entities: list[tuple[str, str]], source: str = "nsmc") -> Member:
    """Return a sentence of these entities (word, type), one after the other."""
    text, spans = "", []
    for word, kind in entities:
        spans.append({"start": len(text), "end": len(text) + len(word), "label": kind})
        text += f"{word} "
    return Member(name, source, {"text": text}, spans)


def entities(one: Member) -> set[tuple[str, str]]:
    """Return the (lower-cased word, type) of each entity."""
    text = one.fields["text"]
    return {(text[e["start"] : e["end"]].lower(), e["label"]) for e in one.label}


def where(pool: list[Group], assignment: Assignment, name: str) -> list[Member]:
    return [one for each in pool for one in each.members if assignment.splits[one.id] == name]


def unseen(pool: list[Group], assignment: Assignment, name: str) -> float:
    """Return the share of the different entities of a split that train does not have."""
    train = {each for one in where(pool, assignment, "train") for each in entities(one)}
    own = {each for one in where(pool, assignment, name) for each in entities(one)}
    return len(own - train) / len(own)


def told(assignment: Assignment, name: str) -> Constraint:
    (found,) = (one for one in assignment.constraints if one.name == name)
    return found


def official(data_dir: Path) -> list[Group]:
    items = read_official("ner", data_dir / "klue" / "klue-ner-v1.1_dev.tsv").items.to_pylist()
    return [
        group([Member(one["item"], one["source"], parsed(one["fields"]), parsed(one["gold"]))])
        for one in items
    ]


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    """Groups of one to three sentences with entities of all kinds, some of them kept."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    found = []
    for number in range(draw(st.integers(30, 90))):
        kept: Any = chance.choice([None, None, None, *SPLITS])
        members = []
        for part in range(chance.choice([1, 1, 2, 3])):
            words = [f"가{int(90 * chance.random() ** 3)}" for _ in range(chance.randrange(4))]
            spans = [(word, chance.choice(["PS", "LC", "OG"])) for word in words]
            one = sentence(f"ner-{number:02}{part}", spans, chance.choice(["nsmc", "wikitree"]))
            members.append(replace(one, kept=None if part else kept))
        found.append(group(members))
    return found


@given(pools(), st.randoms(use_true_random=False))
def test_whatever_the_groups(pool: list[Group], shuffler: random.Random) -> None:
    assignment = split(pool, PAPER, seed=3)
    assert sorted(assignment.splits) == sorted(one.id for each in pool for one in each.members)
    assert not assignment.left_out
    for each in pool:
        assert len({assignment.splits[one.id] for one in each.members}) == 1
        assert each.kept in (None, assignment.splits[each.id])
    row = told(assignment, "unseen_entities")
    assert row.found == pytest.approx(100 * unseen(pool, assignment, "test"), abs=0.01)
    assert row.wanted == pytest.approx(100 * unseen(pool, assignment, "dev"), abs=0.01)
    assert row.met == (row.found > row.wanted)
    other = list(pool)
    shuffler.shuffle(other)
    assert split(other, PAPER, seed=3) == assignment


def test_the_official_dev_file_is_split_as_promised(data_dir: Path) -> None:
    pool = official(data_dir)
    assert load_spec("ner").split.numbers == PAPER
    assignment, plain = split(pool, PAPER, seed=1), split(pool, PLAIN, seed=1)
    # 5,000 sentences in the proportions 21,008 : 5,000 : 5,000.
    assert [assignment.count(name) for name in SPLITS] == [3388, 806, 806]
    assert all(one.met and not one.binds for one in assignment.constraints)
    sources = Counter(one.source for each in pool for one in each.members)
    for name in SPLITS:
        own = Counter(one.source for one in where(pool, assignment, name))
        assert abs(own["nsmc"] - assignment.count(name) * sources["nsmc"] / 5000) < 2
    assert unseen(pool, assignment, "test") > unseen(pool, assignment, "dev") + 0.05
    assert abs(unseen(pool, plain, "test") - unseen(pool, plain, "dev")) < 0.05
    # Dev does not depend on how test is drawn.
    assert where(pool, assignment, "dev") == where(pool, plain, "dev")


def test_the_density_of_entities_is_near_that_of_table_9(data_dir: Path) -> None:
    pool = official(data_dir)
    ratios = []
    for seed in range(5):
        assignment = split(pool, PAPER, seed=seed)
        mean = {
            name: sum(len(one.label) for one in where(pool, assignment, name))
            / assignment.count(name)
            for name in SPLITS
        }
        ratios.append(mean["test"] / mean["train"])
    # Tables 8 and 9: 16,312 entities in 5,000 sentences of test, 51,373 in 21,008 of train.
    assert sum(ratios) / 5 == pytest.approx((16_312 / 5_000) / (51_373 / 21_008), abs=0.08)


def test_test_is_not_made_of_rare_entities_alone(data_dir: Path) -> None:
    pool = official(data_dir)
    uses = Counter(each for one in pool for each in entities(one.members[0]))
    test = where(pool, split(pool, PAPER, seed=1), "test")
    common = sum(not any(uses[each] == 1 for each in entities(one)) for one in test)
    assert common > len(test) / 10


def test_the_types_of_entities_tell_forms_apart() -> None:
    pool = [group([sentence(f"ner-{n:03}", [("수도", "LC")])]) for n in range(60)]
    pool += [group([sentence(f"ner-{n:03}", [("수도", "OG")])]) for n in range(60, 62)]
    assignment = split(pool, PAPER, seed=1)
    assert told(assignment, "unseen_entities").found in (0.0, 50.0, 100.0)
    assert (
        round(100 * unseen(pool, assignment, "test"), 2)
        == told(assignment, "unseen_entities").found
    )


def test_one_more_sentence_moves_few() -> None:
    pool = [
        group([sentence(f"ner-{n:04}", [(f"이름{n % 300}", "PS"), (f"곳{n}", "LC")][: n % 3])])
        for n in range(1000)
    ]
    before = split(pool, PAPER, seed=1).splits
    more = group([sentence("ner-new", [("이름7", "PS"), ("곳1", "LC")])])
    after = split([*pool, more], PAPER, seed=1).splits
    assert sum(after[name] != place for name, place in before.items()) <= 6


def test_without_entities_the_promise_is_told_as_broken() -> None:
    pool = [group([sentence(f"ner-{n}", [])]) for n in range(50)]
    row = told(split(pool, PAPER, seed=1), "unseen_entities")
    assert (row.found, row.met, row.binds) == (0.0, False, False)
    assert not [one for one in split(pool, PLAIN, seed=1).constraints if one.name == row.name]


def test_too_few_sentences_are_an_error() -> None:
    with pytest.raises(InputError, match=r"ner: no example is left for dev"):
        split([group([sentence("ner-1", [])])], PAPER, seed=1)


def test_a_group_comes_first_as_often_as_it_has_lots() -> None:
    one, other = (group([sentence(name, [])]) for name in ("ner-a", "ner-b"))
    firsts = [
        order_by_key([one, other], seed=seed, purpose="x", lots=lambda g: 3 if g is one else 1)[0]
        for seed in range(2000)
    ]
    # One of four lots is the other's; the standard error of the share is 0.01.
    assert sum(first is one for first in firsts) / 2000 == pytest.approx(0.75, abs=0.04)


def test_the_distance_of_types_is_that_of_total_variation() -> None:
    members = [sentence(f"ner-{n:03}", [("가", "PS" if n % 4 else "LC")]) for n in range(400)]
    assignment = Assignment()
    assignment.put(members[:300], "train")
    assignment.put((one for one in members[300:] if one.label[0]["label"] == "LC"), "dev")
    rows = {one.split: one for one in similarity_constraints("types", assignment, members, _labels)}
    # 100 of 325 are LC: 75 in train's 300, and all 25 of dev.
    assert rows["dev"].found == round(100 * (1 - 100 / 325), 2)
    assert rows["dev"].wanted == 5 + 100 / 25**0.5
    assert not rows["dev"].met
    assert rows["train"].met
    assert set(rows) == {"train", "dev"}


def _labels(one: Member) -> list[str]:
    return [each["label"] for each in one.label]
