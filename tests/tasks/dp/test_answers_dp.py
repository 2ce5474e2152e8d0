from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_specs import labels, named, round_, rule_of, spec

from pipeline.core.errors import RecordError
from pipeline.tasks.dp.task import TASK, check_shape

SPEC = spec(
    "dp",
    [
        round_("morphemes", "pos"),
        round_("verdict", "pos_review", after="pos"),
        round_("tree", "main", after="pos_review"),
        round_("verdict", "arcs_review", after="main"),
    ],
    labels=[
        *labels("NP", "VP", group="syntax"),
        *labels("SBJ", "OBJ", group="function"),
        *labels("NNG", "JKS", "VV", "EF", "SF", group="pos"),
    ],
)
ITEM = {"text": "아이가 밥을 먹었다.", "words": ["아이가", "밥을", "먹었다."]}
TREE = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}
MORPHEMES = {"lemmas": ["아이 가", "밥", "먹 다 ."], "pos": ["NNG+JKS", "NNG", "VV+EF+SF"]}


def test_trees_and_morphemes_are_told_apart_by_the_round() -> None:
    assert TASK.parse(TREE, ITEM, SPEC, named(SPEC)) == TREE
    assert TASK.parse(MORPHEMES, ITEM, SPEC, named(SPEC, "pos")) == MORPHEMES
    assert rule_of(TASK, MORPHEMES, ITEM, SPEC) == "vote.form@1"


def test_verdicts_are_about_the_round_before_them() -> None:
    for name, answer, other in (
        ("pos_review", MORPHEMES, TREE),
        ("arcs_review", TREE, MORPHEMES),
    ):
        assert rule_of(TASK, {"verdict": "revise", "answer": answer}, ITEM, SPEC, name) == "good"
        wrong = rule_of(TASK, {"verdict": "revise", "answer": other}, ITEM, SPEC, name)
        assert wrong == "vote.form@1"


@pytest.mark.parametrize(
    ("heads", "rule"),
    [
        ([3, 3], "vote.form@1"),
        ([3, 3, 0, 0], "vote.form@1"),
        (["3", 3, 0], "vote.form@1"),
        ("330", "vote.form@1"),
        ([3, 4, 0], "vote.range@1"),
        ([-1, 3, 0], "vote.range@1"),
        ([0, 3, 0], "vote.tree@1"),  # two roots
        ([2, 3, 2], "vote.tree@1"),  # none
        ([2, 1, 0], "vote.tree@1"),  # a circle beside the root
        ([1, 3, 0], "vote.tree@1"),  # a word that is its own head
        ([0, 1, 1], "vote.tree@1"),  # a tree, but its heads stand on the left
    ],
)
def test_what_is_no_tree_of_korean_is_refused(heads: Any, rule: str) -> None:
    assert rule_of(TASK, TREE | {"heads": heads}, ITEM, SPEC) == rule


@pytest.mark.parametrize("deprel", ["NP_XXX", "XX", "NP_", "NP_SBJ_OBJ", "SBJ", "np"])
def test_relations_are_a_syntax_tag_and_maybe_a_function(deprel: str) -> None:
    given_ = TREE | {"deprels": [deprel, "NP_OBJ", "VP"]}
    assert rule_of(TASK, given_, ITEM, SPEC) == "vote.label@1"
    assert rule_of(TASK, TREE | {"deprels": [None, "NP", "VP"]}, ITEM, SPEC) == "vote.form@1"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"pos": ["NNG+JKS", "NNG", "VV+EF"]}, "vote.form@1"),
        ({"pos": ["NNG+JKS", "NNG", ""]}, "vote.label@1"),
        ({"pos": ["NNG+JKS", "N", "VV+EF+SF"]}, "vote.label@1"),
        ({"pos": ["NNG+JKS", 1, "VV+EF+SF"]}, "vote.form@1"),
        ({"lemmas": ["아이 가", "밥"]}, "vote.form@1"),
        ({"lemmas": ["아이 가", " ", "먹 다 ."]}, "vote.form@1"),
    ],
)
def test_one_lemma_a_tag(change: dict[str, Any], rule: str) -> None:
    assert rule_of(TASK, MORPHEMES | change, ITEM, SPEC, "pos") == rule


def test_las_is_never_above_uas() -> None:
    other = {"heads": [2, 3, 0], "deprels": ["NP_SBJ", "NP", "VP"]}
    found = TASK.compare(TREE, other)
    assert found == {"las": pytest.approx(1 / 3), "uas": pytest.approx(2 / 3)}
    assert next(iter(found)) == "las"
    assert TASK.view(TREE) == [(3, "NP_SBJ"), (3, "NP_OBJ"), (0, "VP")]


@given(st.lists(st.integers(0, 5), min_size=5, max_size=5))
def test_a_tree_is_what_leads_every_word_to_one_root(heads: list[int]) -> None:
    """The same said another way: from every word the root is reached within as many steps."""

    def reaches(place: int, steps: int) -> bool:
        return place == 0 or (steps > 0 and reaches(heads[place - 1], steps - 1))

    good = heads.count(0) == 1 and all(reaches(place, 5) for place in range(1, 6))
    try:
        check_shape(heads)
        assert good
    except RecordError:
        assert not good
