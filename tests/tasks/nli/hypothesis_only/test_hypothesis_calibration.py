"""Accuracy, calibration error and bins, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.tasks.nli.diagnostics import calibration
from pipeline.tasks.nli.linear import Floats


def _logs(*sure: float) -> Floats:
    found: Floats = np.log(np.array([[one, (1 - one) / 2, (1 - one) / 2] for one in sure]))
    return found


def test_by_hand() -> None:
    found = calibration(_logs(0.95, 0.95, 0.55, 0.55), np.array([0, 0, 0, 1]))
    assert found["accuracy"] == 0.75
    # Two sure and right: |1 - .95|; two less sure, one right: |.5 - .55|; half of each.
    assert found["ece"] == pytest.approx(0.05, abs=1e-6)
    assert [(one["low"], one["high"], one["pairs"]) for one in found["bins"]] == [
        (0.5, 0.6, 2),
        (0.9, 1.0, 2),
    ]


def test_sure_and_wrong_is_the_worst() -> None:
    found = calibration(_logs(0.99, 0.99), np.array([1, 2]))
    assert (found["accuracy"], found["ece"]) == (0.0, 0.99)
    assert found["log_loss"] == pytest.approx(-np.log(0.005), abs=1e-6)


def test_draws_from_the_probabilities_themselves_are_calibrated() -> None:
    generator = np.random.default_rng(5)
    p = generator.dirichlet([1, 1, 1], size=50_000)
    labels = (p.cumsum(axis=1) < generator.random((50_000, 1))).sum(axis=1)
    found = calibration(np.log(p), labels)
    assert found["ece"] < 0.01
    assert found["accuracy"] == pytest.approx(p.max(axis=1).mean(), abs=0.01)
    assert sum(one["pairs"] for one in found["bins"]) == 50_000
