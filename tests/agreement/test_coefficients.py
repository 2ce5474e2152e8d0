"""All coefficients of a table of votes: which have a value, and why the others have none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from by_definition import Matrix, matrices
from hypothesis import given
from rating_matrix import from_matrix, ratings

from pipeline.agreement.coefficients.alpha import LEVELS, krippendorff_alpha
from pipeline.agreement.coefficients.chance import all_coefficients, kappa
from pipeline.contracts.spec import Level

#: The names that the design promises to those who read the record, without alpha of spans.
NAMES = {
    *(f"krippendorff_alpha_{level}" for level in ("nominal", "ordinal", "interval", "ratio")),
    "cohen_kappa", "fleiss_kappa", "scott_pi", "gwet_ac1", "gwet_ac2", "bennett_s",
    "brennan_prediger", "conger_kappa", "randolph_kappa", "weighted_kappa",
    "percent_agreement_units", "percent_agreement_ratings",
}  # fmt: skip
TWO: Matrix = [[0, 1, 2, 3, 3, 5, 1, 0], [0, 1, 2, 3, 4, 5, 2, None]]


@pytest.mark.parametrize("level", LEVELS)
@given(matrix=matrices((0, 1, 2, 4)))
def test_every_name_has_a_value_or_a_reason(level: Level, matrix: Matrix) -> None:
    found = all_coefficients(from_matrix(matrix), level=level, scale=range(5), bootstrap=20)
    assert set(found) == NAMES
    for one in found.values():
        assert one.value is not None or one.reason
        json.dumps(one.record(), allow_nan=False)


def test_numbers_get_all_levels_and_the_weights_of_their_own() -> None:
    votes = from_matrix(TWO, categories=range(6))
    for level, weights in (("ordinal", "ordinal"), ("interval", "quadratic")):
        found = all_coefficients(votes, level=level, bootstrap=50, seed=3)
        assert all(one.value is not None for one in found.values())
        for name in LEVELS:
            alone = krippendorff_alpha(votes, level=name, bootstrap=50, seed=3)
            assert found[f"krippendorff_alpha_{name}"] == alone
        assert found["gwet_ac2"] == kappa("gwet_ac2", votes, weights=weights)
        assert found["weighted_kappa"] == kappa("weighted_kappa", votes, weights=weights)


def _empty(found: dict[str, Any]) -> dict[str, str]:
    return {name: one.reason for name, one in found.items() if one.value is None}


def test_texts_get_the_nominal_level() -> None:
    texts = [["나", "가", "가"], ["나", "가", "나"]]
    empty = _empty(all_coefficients(from_matrix(texts), level="nominal"))
    assert set(empty) == {
        "krippendorff_alpha_ordinal", "krippendorff_alpha_interval", "krippendorff_alpha_ratio",
        "gwet_ac2", "weighted_kappa",
    }  # fmt: skip
    assert "numbers" in empty["krippendorff_alpha_interval"]
    assert "order" in empty["krippendorff_alpha_ordinal"]
    assert "cohen_kappa" in empty["weighted_kappa"]


def test_texts_of_a_scale_get_the_ordinal_level() -> None:
    texts = [["low", "mid", "high", "low"], ["low", "mid", "mid", "high"]]
    ranks = [[0, 1, 2, 0], [0, 1, 1, 2]]
    scale = ["low", "mid", "high"]
    found = all_coefficients(from_matrix(texts), level="ordinal", scale=scale, bootstrap=30)
    as_ranks = all_coefficients(from_matrix(ranks), level="ordinal", bootstrap=30)
    for name in ("krippendorff_alpha_ordinal", "gwet_ac2", "weighted_kappa"):
        assert found[name].value == as_ranks[name].value is not None
    assert found["krippendorff_alpha_ordinal"].low == as_ranks["krippendorff_alpha_ordinal"].low


def test_scale_adds_the_categories_that_nobody_chose() -> None:
    votes = from_matrix([["a", "b", "a"], ["a", "b", "b"]])
    narrow = all_coefficients(votes, level="nominal", bootstrap=0)
    wide = all_coefficients(votes, level="nominal", scale=["z", "b", "y", "a"], bootstrap=0)
    changed = {name for name in NAMES if narrow[name] != wide[name]}
    assert changed == {"gwet_ac1", "bennett_s", "brennan_prediger", "randolph_kappa"}
    assert wide["bennett_s"].value == pytest.approx(5 / 9)


def test_many_annotators_and_anonymous_ones_are_told() -> None:
    many = from_matrix([["a", "b", "a"]] * 16 + [["b", "a", "a"]])
    empty = _empty(all_coefficients(many, level="nominal"))
    assert "exactly two annotators; here are 17" in empty["cohen_kappa"]
    hidden = ratings(["i", "i", "j", "j"], [None] * 4, ["a", "a", "a", "b"])
    found = all_coefficients(hidden, level="nominal")
    for name in ("cohen_kappa", "conger_kappa", "scott_pi", "bennett_s"):
        assert "anonymous" in str(found[name].reason)
    for name in ("krippendorff_alpha_nominal", "fleiss_kappa", "gwet_ac1", "randolph_kappa"):
        assert found[name].value is not None


def test_one_category_is_told() -> None:
    same = from_matrix([["a", "a"], ["a", "a"]])
    empty = _empty(all_coefficients(same, level="nominal", scale=["a", "b"]))
    for name in ("krippendorff_alpha_nominal", "cohen_kappa", "fleiss_kappa", "conger_kappa"):
        assert empty[name] == "all votes name one category: chance agreement cannot be estimated"
    assert "gwet_ac1" not in empty and "percent_agreement_units" not in empty


def test_nothing_to_compare_is_told() -> None:
    for matrix, reason in (([[]], "no vote"), ([["a", None], [None, "b"]], "no item")):
        empty = _empty(all_coefficients(from_matrix(matrix), level="nominal"))
        assert set(empty) == NAMES
        assert reason in empty["krippendorff_alpha_nominal"]
        assert reason in empty["percent_agreement_units"]


def test_wrong_options_are_errors() -> None:
    votes = from_matrix([["a", "b"], ["a", "a"]])
    with pytest.raises(ValueError, match="allowed are nominal"):
        all_coefficients(votes, level="nom")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 values of the votes are not on the scale"):
        all_coefficients(votes, level="nominal", scale=["a", "c"])
    # A value that is known but was not given may be missing from the scale.
    wide = from_matrix([["a", "b"], ["a", "a"]], categories="abz")
    assert all_coefficients(wide, level="nominal", scale=["a", "b"])["bennett_s"].value == 0


@pytest.mark.parametrize("factor", [1e100, 1e160, 4e307, 1e-200, 5e-324])
@pytest.mark.parametrize("level", LEVELS)
def test_no_coefficient_depends_on_the_unit_of_the_scores(level: Level, factor: float) -> None:
    scores = [(n * 7 + n // 5) % 5 for n in range(60)]
    people = [f"p{n % 3}" for n in range(60)]
    units = [n // 3 for n in range(60)]
    plain, scaled = (
        all_coefficients(
            ratings(units, people, [s * by for s in scores]), level=level, bootstrap=20
        )
        for by in (1.0, factor)
    )
    for name, found in plain.items():
        one, two = found.record(), scaled[name].record()
        assert one.pop("reason", "") == two.pop("reason", "")
        assert two == pytest.approx(one, abs=1e-8, nan_ok=False)
