"""False discovery rates against scipy, weights, and findings that rest on the order of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from pipeline.agreement.annotators.finding import Finding, weighted_rates

ONE = Finding(0, "constant", 0.5, 0.0, 0.0, True, "")


@pytest.mark.parametrize("seed", range(5))
def test_rates_are_those_of_benjamini_and_hochberg(seed: int) -> None:
    p = np.random.default_rng(seed).random(40) ** 3
    rates = weighted_rates([replace(ONE, p=float(value)) for value in p])
    assert rates == pytest.approx(false_discovery_control(p))


def test_a_weighted_test_needs_less_and_the_others_pay_for_it() -> None:
    findings = [replace(ONE, code=code, p=0.01) for code in ("random", "constant", "constant")]
    heavy, light, _ = weighted_rates(findings).tolist()
    assert heavy <= light
    alone = weighted_rates([replace(ONE, p=0.01)] * 3).tolist()
    assert light >= alone[0]


def test_findings_by_rows_change_no_other() -> None:
    findings = [replace(ONE, p=p) for p in (0.01, 0.2)]
    by_rows = [replace(ONE, code="drift", p=p, by_rows=True) for p in (0.001, 0.9, 0.9)]
    assert weighted_rates([*findings, *by_rows]).tolist()[:2] == weighted_rates(findings).tolist()


def test_no_finding_has_no_rate() -> None:
    assert len(weighted_rates([])) == 0


def test_of_many_audits_without_a_fault_few_have_a_discovery() -> None:
    chance = np.random.default_rng(9)
    pools = [
        weighted_rates([replace(ONE, p=float(p)) for p in chance.random(60)]).min() <= 0.05
        for _ in range(400)
    ]
    assert np.mean(pools) <= 0.08
