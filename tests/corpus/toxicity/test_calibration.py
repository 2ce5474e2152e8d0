"""Proposed thresholds against a plain count, and the fragment of a build file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from train_toxicity import Release

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.calibration import (
    MIN_FLAGGED,
    Labelled,
    calibrate,
    fragment,
    measure,
    propose,
    read_labelled,
)

SCORES = st.lists(
    st.tuples(st.integers(0, 1000).map(lambda n: n / 1000), st.booleans()), min_size=1, max_size=80
)


class Fixed:
    """A detector that gives the scores it was made with."""

    name = digest = "fixed"

    def __init__(self, gender_bias: list[float], hate: list[float]) -> None:
        self.table = pa.table({"gender_bias": gender_bias, "hate": hate})

    def score(self, texts: pa.Array) -> pa.Table:
        assert len(texts) == self.table.num_rows
        return self.table


def _labelled(bias: list[bool], hate: list[int], sources: tuple[str, ...] | None) -> Labelled:
    texts = pa.array([f"글 {i}" for i in range(len(bias))])
    other = np.zeros(len(bias), dtype=bool)
    return Labelled(texts, np.array(bias), np.array(hate), other, sources)


def test_a_score_at_the_threshold_is_over_it() -> None:
    scores, truth = np.array([0.2, 0.5, 0.8]), np.array([False, True, True])
    assert measure(scores, truth, 0.5).dropped == pytest.approx(2 / 3, abs=1e-4)
    assert measure(scores, truth, 0.5).precision == 1
    assert measure(scores, truth, 0.5).recall == 1
    assert measure(scores, truth, 0.500001).recall == 0.5


def test_undefined_figures_are_none() -> None:
    scores = np.array([0.1, 0.2])
    assert measure(scores, np.array([True, False]), 0.9).precision is None
    assert measure(scores, np.array([False, False]), 0.1).recall is None


@given(SCORES, st.sampled_from([0.5, 0.8, 0.9, 1.0]))
def test_proposal_is_the_lowest_that_reaches_the_precision(
    pairs: list[tuple[float, bool]], precision: float
) -> None:
    reached = []
    for percent in range(1, 100):
        flagged = [truth for score, truth in pairs if score >= percent / 100]
        if len(flagged) >= MIN_FLAGGED and sum(flagged) >= precision * len(flagged):
            reached.append(percent / 100)
    scores, truth = (np.array(column) for column in zip(*pairs, strict=True))
    found = propose(scores, truth, precision=precision)
    assert (found and found.threshold) == (reached[0] if reached else None)


def test_every_source_has_its_own() -> None:
    bias = [True] * 20 + [False] * 20
    scores = [0.7] * 20 + [0.3] * 20
    labelled = _labelled(bias * 2, [2] * 40 + [0] * 40, ("nsmc",) * 40 + ("airbnb",) * 40)
    detector = Fixed(scores + [s / 2 for s in scores], [0.95] * 40 + [0.1] * 40)
    proposals = calibrate(labelled, detector)
    assert [(p.source, p.score) for p in proposals] == [
        ("airbnb", "gender_bias"),
        ("airbnb", "hate"),
        ("nsmc", "gender_bias"),
        ("nsmc", "hate"),
    ]
    assert [p.threshold for p in proposals] == [0.16, 0.9, 0.31, 0.01]
    assert [p.positives for p in proposals] == [20, 0, 20, 40]
    text = fragment(proposals, "linear", precision=0.8)
    assert yaml.safe_load(text) == {
        "toxicity": {
            "detector": "linear",
            "thresholds": {
                "airbnb": {"gender_bias": 0.16, "hate": 0.9},
                "nsmc": {"gender_bias": 0.31, "hate": 0.01},
            },
        }
    }
    assert "no threshold for hate reaches precision 0.8; this is the paper's" in text


def test_texts_without_source_have_one_proposal(
    weights: tuple[Path, Release], dev_file: Path
) -> None:
    proposals = calibrate(read_labelled(dev_file), weights[1].model, precision=0.7)
    assert {(p.source, p.texts) for p in proposals} == {("SOURCE", 60)}


@pytest.mark.parametrize("precision", [0, -1, 1.01, float("nan")])
def test_an_impossible_precision_is_refused(precision: float) -> None:
    labelled = _labelled([True], [0], None)
    with pytest.raises(InputError, match="must be above 0 and at most 1"):
        calibrate(labelled, Fixed([0.5], [0.5]), precision=precision)
