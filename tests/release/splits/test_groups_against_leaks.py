"""Whatever splits the groups of a pool go to, the check finds nothing that stops a release."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.contracts.splits import SPLITS
from pipeline.release.leakage.check import check
from pipeline.release.splits.assignment import Assignment
from pipeline.release.splits.groups import groups
from pipeline.release.splits.member import Group, Member
from pipeline.release.splits.splitting import split_tables

WORDS = ("가람", "나래", "다온", "라온", "마루", "바다", "사랑", "아침", "자두", "차림", "하늘")


def _stops(task: str, found: Sequence[Group], random: Random) -> list[dict[str, Any]]:
    """Deal groups out at random and return the leaks that stop a release."""
    assignment = Assignment()
    for one in found:
        assignment.put(one.members, random.choice(SPLITS))
    examples = split_tables(task, [], found, assignment)["examples"]
    return [one for one in check(examples, task=task)["leaks"].to_pylist() if one["stops"]]


def _grouped(task: str, members: Sequence[Member]) -> list[Group]:
    found, left = groups(members, {}, task=task)
    assert not left
    return found


def _contains(outer: list[str], inner: list[str]) -> bool:
    if len(inner) < 6:
        return False
    n = min(8, len(inner))
    runs = {tuple(inner[k : k + n]) for k in range(len(inner) - n + 1)}
    there = {tuple(outer[k : k + n]) for k in range(len(outer) - n + 1)}
    return len(runs & there) / len(runs) >= 0.8


@st.composite
def _cuts(draw: st.DrawFn) -> list[list[str]]:
    """Texts of which many are cut out of others, or stand among other words."""
    texts = draw(st.lists(st.lists(st.sampled_from(WORDS), max_size=24), min_size=1, max_size=5))
    for _ in range(draw(st.integers(0, 6))):
        whole = draw(st.sampled_from(texts))
        first = draw(st.integers(0, len(whole)))
        more = draw(st.lists(st.sampled_from(WORDS), max_size=12))
        texts.append(more[:6] + whole[first : first + draw(st.integers(5, 20))] + more[6:])
    return texts


@given(_cuts(), st.randoms(use_true_random=False))
def test_no_text_is_in_another_group_than_one_that_holds_it(
    texts: list[list[str]], random: Random
) -> None:
    members = [
        Member(f"tc-{n:02}", "yna", {"title": " ".join(words)}, []) for n, words in enumerate(texts)
    ]
    found = _grouped("tc", members)
    place = {one.id: each.id for each in found for one in each.members}
    for (a, one), (b, other) in permutations(enumerate(texts), 2):
        if _contains(one, other):
            assert place[f"tc-{a:02}"] == place[f"tc-{b:02}"]
    assert not _stops("tc", found, random)


SIGNS = st.text(alphabet="!?.·_-~ \n\tㅋㅠaAａ①1é가각\u0301", max_size=9)


@given(st.lists(SIGNS | st.text(max_size=8), max_size=10), st.randoms(use_true_random=False))
@example(["!!!", "! !!!"], Random(1))
@example(["? ! ? ! ? ! ?", ". ? ! ? ! ? ! ? ."], Random(3))
def test_short_and_odd_texts_in_two_groups_stop_nothing(texts: list[str], random: Random) -> None:
    members = [Member(f"tc-{n:02}", "yna", {"title": text}, []) for n, text in enumerate(texts)]
    assert not _stops("tc", _grouped("tc", members), random)


def _run(first: int, last: int) -> str:
    return " ".join(f"{WORDS[n % 11]}{n}" for n in range(first, last))


INNER = (_run(0, 6), _run(100, 112), _run(200, 230))
OUTER = (
    f"{_run(900, 930)} {_run(0, 6)} {_run(930, 960)}",
    f"{_run(800, 830)} {_run(100, 110)} {_run(830, 840)} {_run(100, 112)}",
    f"{_run(200, 227)} {_run(700, 750)}",
)


def _fields(task: str, text: str, n: int) -> tuple[Any, Any]:
    entity = {"word": f"이름{n}", "start": 0, "end": 2, "type": "PER"}
    forms: dict[str, tuple[Any, Any]] = {
        "tc": ({"title": text}, ["사회"]),
        "sts": ({"sentence1": f"짝 {n}번째 문장", "sentence2": text}, {"label": 1.0}),
        "nli": ({"premise": text, "hypothesis": f"가설 {n}"}, "neutral"),
        "ner": ({"text": text}, []),
        "re": ({"sentence": text, "subject": entity, "object": entity}, "no_relation"),
        "dp": ({"text": text, "words": []}, {}),
        "mrc": ({"title": f"{n}", "context": text}, {}),
        "dst": (
            {"goal": None, "domains": []},
            {"turns": [{"role": "user", "text": one, "state": []} for one in text.split(" ", 1)]},
        ),
    }
    return forms[task]


@pytest.mark.thin(3)
@pytest.mark.parametrize("task", ["tc", "sts", "nli", "ner", "re", "dp", "mrc", "dst"])
def test_planted_containment_is_tied_and_the_check_passes(task: str) -> None:
    members = [
        Member(f"{task}-{n:02}", "yna", *_fields(task, text, n))
        for n, text in enumerate([*INNER, *OUTER, _run(300, 320), _run(400, 420)])
    ]
    found = _grouped(task, members)
    assert [[one.id[-2:] for one in each.members] for each in found] == [
        ["00", "03"],
        ["01", "04"],
        ["02", "05"],
        ["06"],
        ["07"],
    ]
    for seed in range(20):
        assert not _stops(task, found, Random(seed))
    # The plants are real: parted, each is found.
    apart = Assignment()
    apart.put(members[:3], "test")
    apart.put(members[3:], "train")
    alone = [Group(one.id, (one,)) for one in members]
    leaks = check(split_tables(task, [], alone, apart)["examples"], task=task)["leaks"].to_pylist()
    assert [one["left"] for one in leaks if one["kind"] == "contained"] == [
        one.id for one in members[:3]
    ]


def test_goals_of_set_phrases_do_not_connect_dialogues() -> None:
    phrase = _run(0, 10)
    members = [
        Member(f"dst-{n}", "made", {"goal": goal, "domains": []}, {"turns": [{"text": turn}]})
        for n, (goal, turn) in enumerate(
            [(phrase, _run(100, 110)), (f"{phrase} {_run(20, 60)}", _run(200, 210))]
        )
    ]
    assert len(_grouped("dst", members)) == 2
