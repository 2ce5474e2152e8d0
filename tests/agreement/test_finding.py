"""False discovery over people and tests is held at its promised rate."""

from __future__ import annotations

import numpy as np
from scipy.stats import false_discovery_control

from pipeline.agreement.annotators.finding import Finding, judge


def findings(p: list[float], effect: float = 1.0) -> list[Finding]:
    return [Finding("agreement", f"p{i:03d}", value, effect, "") for i, value in enumerate(p)]


def test_flags_are_those_of_scipys_benjamini_hochberg() -> None:
    for seed in range(30):
        chance = np.random.default_rng(seed)
        p = np.concatenate([chance.random(60), chance.random(10) * 0.004])
        adjusted = false_discovery_control(p)
        flagged = {finding.annotator for finding in judge(findings(p.tolist())).flagged}
        assert flagged == {f"p{i:03d}" for i in np.flatnonzero(adjusted <= 0.05)}


def test_a_small_effect_is_neither_flagged_nor_shown_however_certain() -> None:
    assert judge(findings([1e-30], effect=0.01)) == ((), ())


def test_what_is_not_certain_enough_is_ranked_by_evidence() -> None:
    flagged, to_look_at = judge(findings([0.04, 0.9, 0.03, 0.5]))
    assert not flagged
    assert [finding.p for finding in to_look_at] == [0.03, 0.04]


def test_no_finding_gives_no_flag() -> None:
    assert judge([]) == ((), ())
