"""A package computes alpha anew: from the votes, not from what ours has grouped."""

from __future__ import annotations

import pytest
from scored_votes import LEVELS, votes

from pipeline.agreement import reference
from pipeline.agreement.coefficients.alpha import alphas
from pipeline.agreement.reference import compare_alphas


@pytest.mark.parametrize("seed", range(5))
def test_the_package_agrees_at_all_levels(seed: int) -> None:
    ratings = votes(seed)
    ours = {f"krippendorff_alpha_{k}": v.record() for k, v in alphas(ratings, LEVELS).items()}
    compared = list(compare_alphas(ratings, ours))
    assert [c.name for c in compared] == list(ours)
    assert all(c.agrees and c.theirs is not None for c in compared)


def test_another_value_is_noticed() -> None:
    ratings = votes(0)
    value = alphas(ratings, ["nominal"])["nominal"].value
    assert value is not None
    wrong = {"krippendorff_alpha_nominal": {"value": value + 2e-6}}
    [comparison] = compare_alphas(ratings, wrong)
    assert not comparison.agrees


def test_memory_that_the_package_needs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "MOST_BYTES", 10_000)
    [comparison] = compare_alphas(votes(0), {"krippendorff_alpha_nominal": {"value": 0.5}})
    assert comparison.theirs is None and comparison.agrees
    assert comparison.reason.startswith("the package needs 0.0 GiB for 30 items and 4 values")
