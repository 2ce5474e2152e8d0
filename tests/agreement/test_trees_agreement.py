"""UAS and LAS between annotators."""

from __future__ import annotations

import pytest
from structured_answers import answers

from pipeline.agreement.coefficients.forms import compare_trees
from pipeline.agreement.coefficients.structures import structured_agreement
from pipeline.contracts.registry import TASKS

ONE = [(2, "NP_SBJ"), (3, "NP_OBJ"), (0, "VP")]
TWO = [(3, "NP_SBJ"), (3, "NP_AJT"), (0, "VP")]
SHORT = [(2, "NP_SBJ"), (0, "VP")]


def test_words_are_pooled_over_sentences() -> None:
    found = structured_agreement("tree", answers(a=[ONE, SHORT], b=[TWO, SHORT]))
    assert found.overall["uas"].value == pytest.approx(4 / 5)
    assert found.overall["las"].value == pytest.approx(3 / 5)
    assert found.overall["uas"].n == 2
    assert found.per_label["NP_SBJ"].value == pytest.approx(2 * 1 / 4)
    assert found.per_label["NP_OBJ"].value == 0
    assert found.counts["VP"] == 4


def test_one_sentence_is_what_the_task_compares() -> None:
    """The audit and the scores share one comparison."""
    heads = {"heads": [2, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}
    others = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_AJT", "VP"]}
    task = TASKS["dp"]
    mine = {
        k: same / of for k, (same, of) in compare_trees(ONE, TWO).items() if k in ("las", "uas")
    }
    assert mine == pytest.approx(task.compare(heads, others))
    assert task.view(heads) == ONE


def test_words_that_one_tree_lacks_agree_with_nothing() -> None:
    assert compare_trees(ONE, SHORT)["uas"] == (1.0, 3.0)


def test_intervals_and_reasons() -> None:
    found = structured_agreement(
        "tree", answers(a=[ONE, SHORT] * 30, b=[TWO, SHORT] * 30), bootstrap=300, seed=2
    )
    assert found.overall["las"].low is not None and found.overall["las"].high is not None
    assert found.overall["las"].low < 3 / 5 < found.overall["las"].high
    alone = structured_agreement("tree", answers(a=[ONE])).record()
    assert alone["las"]["value"] is None
    assert "two people" in alone["las"]["reason"]
