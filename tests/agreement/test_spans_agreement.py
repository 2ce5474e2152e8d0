"""Entity F1 and unitised alpha between annotators."""

from __future__ import annotations

import pytest
from structured_answers import answers

from pipeline.agreement.coefficients.forms import compare_spans
from pipeline.agreement.coefficients.structures import structured_agreement

A = [[(0, 2, "PS"), (5, 8, "LC")], [(1, 4, "OG")], []]
B = [[(0, 2, "PS"), (5, 9, "LC")], [(1, 4, "PS")], []]


def test_the_paper_s_example() -> None:
    """Section 3.4.2: with a wrong end of the PS span its F1 is 0, that of OG is 1."""
    gold, guess = [(0, 2, "PS"), (4, 6, "OG")], [(0, 3, "PS"), (4, 6, "OG")]
    found = compare_spans(gold, guess)
    assert found["type.PS"] == (0.0, 2.0)
    assert found["type.OG"] == (2.0, 2.0)


def test_f1_pools_spans_over_items_and_pairs() -> None:
    found = structured_agreement("spans", answers(a=A, b=B))
    assert found.overall["entity_f1"].value == pytest.approx(2 * 1 / 6)
    assert found.overall["boundary_f1"].value == pytest.approx(2 * 2 / 6)
    assert found.per_label["PS"].value == pytest.approx(2 * 1 / 3)
    assert found.counts == {"LC": 2, "OG": 1, "PS": 3}
    assert len(found.pairs) == 3


def test_three_people_make_three_pairs_an_item() -> None:
    found = structured_agreement("spans", answers(a=A, b=B, c=A))
    assert found.overall["entity_f1"].value == pytest.approx((2 * 1 + 2 * 1 + 2 * 3) / 18)


def test_the_interval_comes_from_items() -> None:
    found = structured_agreement(
        "spans", answers(a=A * 40, b=B * 40), bootstrap=300, seed=3
    ).overall["entity_f1"]
    assert found.low is not None and found.high is not None
    assert found.low < 1 / 3 < found.high


def test_equal_answers_agree_fully_and_alpha_takes_the_length_of_the_text() -> None:
    found = structured_agreement("spans", answers(a=A, b=A), lengths={"0": 30, "1": 30, "2": 30})
    assert found.overall["entity_f1"].value == 1
    assert found.alphas["krippendorff_alpha_u"].value == 1
    short = structured_agreement("spans", answers(a=A, b=B)).alphas["krippendorff_alpha_u"].value
    long = (
        structured_agreement("spans", answers(a=A, b=B), lengths={"0": 300, "1": 300})
        .alphas["krippendorff_alpha_u"]
        .value
    )
    assert short is not None and long is not None
    assert short < long  # in a longer text the same spans meet less by chance


def test_overlapping_answers_of_one_person_are_joined_for_alpha() -> None:
    twice = [[(3, 6, "answer"), (3, 9, "answer")]]
    found = structured_agreement(
        "spans", answers(a=twice, b=[[(3, 9, "answer")]]), lengths={"0": 50}
    )
    assert found.alphas["krippendorff_alpha_u"].value == 1
    assert found.overall["entity_f1"].value == pytest.approx(2 / 3)


@pytest.mark.parametrize("by", [{"a": A}, {"a": [[]], "b": [[]]}])
def test_what_cannot_be_measured_is_told(by: dict) -> None:
    found = structured_agreement("spans", answers(**by), bootstrap=10).record()
    for name in ("entity_f1", "alpha_u"):
        assert found[name]["value"] is None
        assert found[name]["reason"]
