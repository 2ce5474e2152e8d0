"""Annotators against the others: scipy, direct computation, and the rule of the paper."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from scored_votes import as_table, reference, votes
from vote_tables import grid, table

from pipeline.agreement.annotators.measures import annotator_records, measures, robust_z
from pipeline.agreement.annotators.others import others
from pipeline.agreement.votes.selection import Selection, select


def _scores(seed: int) -> Selection:
    found = as_table(votes(seed, raters=6, units=25, top=6))
    return select(
        grid({f"p{i}": [None if np.isnan(x) else x for x in row] for i, row in enumerate(found)}),
        level="interval",
    )


@given(st.integers(0, 10_000))
def test_correlations_and_bias_are_against_the_mean_of_the_others(seed: int) -> None:
    selection = _scores(seed)
    found = measures(selection)
    data = as_table(selection.ratings)
    for rater, row in enumerate(data):
        rest = np.delete(data, rater, axis=0)
        use = ~np.isnan(row) & (~np.isnan(rest)).any(axis=0)
        own, mean = row[use], np.nanmean(rest[:, use], axis=0)
        assert found.shared[rater] == use.sum()
        assert found.fields["bias"][rater] == pytest.approx((own - mean).mean())
        if np.ptp(own) and np.ptp(mean):
            assert found.fields["pearson_vs_rest"][rater] == pytest.approx(pearsonr(own, mean)[0])
            assert found.fields["spearman_vs_rest"][rater] == pytest.approx(
                spearmanr(own, np.round(mean, 12))[0]
            )


@given(st.integers(0, 10_000), st.sampled_from(["nominal", "interval"]))
def test_alpha_against_the_rest_is_that_of_all_pairs_with_them(seed: int, level: str) -> None:
    selection = _scores(seed)
    found = measures(selection)
    data = as_table(selection.ratings)
    got = (
        found.fields["alpha_vs_rest"]
        if level == "interval"
        else found.fields["alpha_vs_rest_nominal"]
    )
    for rater, row in enumerate(data):
        pairs = [
            (row[unit], other[unit])
            for other in np.delete(data, rater, axis=0)
            for unit in range(data.shape[1])
            if not np.isnan([row[unit], other[unit]]).any()
        ]
        expected = reference(np.array(pairs).T, level) if pairs else None
        if expected is not None:
            assert got[rater] == pytest.approx(expected)


@given(st.integers(0, 10_000))
def test_agreement_with_the_majority_of_the_others(seed: int) -> None:
    selection = select(
        grid(
            {
                f"p{i}": [None if np.isnan(x) else f"L{x:.0f}" for x in row]
                for i, row in enumerate(as_table(votes(seed, raters=7, units=12, top=3)))
            }
        ),
        level="nominal",
    )
    ratings = selection.ratings
    found = others(ratings, numeric=False)
    for row, place in enumerate(found.place):
        rest = ratings.value[(ratings.unit == ratings.unit[place])]
        rest = np.delete(rest, np.flatnonzero(rest == ratings.value[place])[0])
        counts = np.bincount(rest)
        best = np.flatnonzero(counts == counts.max())
        assert found.agree[row] == pytest.approx((rest == ratings.value[place]).mean())
        if len(best) > 1:
            assert np.isnan(found.majority[row])
        else:
            assert found.majority[row] == float(best[0] == ratings.value[place])
        if len(rest) > 1:
            same = (counts * (counts - 1)).sum() / (len(rest) * (len(rest) - 1))
            assert found.among[row] == pytest.approx(same)


def test_severity_looks_through_unequal_items_and_company() -> None:
    """Two lenient people who only meet each other on half of the items look neutral there."""
    chance = np.random.default_rng(0)
    effect = {"a": -1.0, "b": 0.0, "c": 0.0, "d": 1.0, "e": 1.0}
    item = chance.integers(10, 20, 60)
    given_by = {
        name: [
            float(score + own) if (name in "de") or place < 30 else None
            for place, score in enumerate(item)
        ]
        for name, own in effect.items()
    }
    found = measures(select(grid(given_by), level="interval"))
    centred = np.array(list(effect.values())) - np.mean(list(effect.values()))
    assert found.fields["severity_points"] == pytest.approx(centred, abs=1e-6)
    assert found.fields["bias"][3] == pytest.approx(0.5)  # 1 in company of all, 0 with e alone


def test_robust_z_is_the_textbook_one() -> None:
    found = robust_z(np.array([1.0, 2.0, 3.0, 4.0, 100.0, np.nan]))
    assert found[:5] == pytest.approx((np.array([1, 2, 3, 4, 100]) - 3) / 1.4826)
    assert np.isnan(robust_z(np.array([1.0, 2.0]))).all()


def test_speed_labels_and_spread() -> None:
    votes_ = table(
        [
            ("a", "x", "1", {"seconds": 4.0}),
            ("b", "x", "2", {"seconds": 10.0}),
            ("c", "x", "1"),
            ("a", "y", "1"),
        ]
    )
    made = annotator_records(s := select(votes_, level="nominal"), measures(s), None)
    assert made["x"]["seconds_median"] == 7.0
    assert made["x"]["seconds_n"] == 2
    assert made["x"]["labels"] == {"1": 2, "2": 1}
    assert made["x"]["spread"] == pytest.approx(0.918296)  # entropy of 1/3 in bits
    assert made["y"]["seconds_median"] is None
    assert "how long" in made["y"]["reasons"]["seconds_median"]
    assert "categories" in made["y"]["reasons"]["pearson_vs_rest"]


def test_every_null_of_an_annotator_has_its_reason() -> None:
    made = annotator_records(
        s := select(table([("a", "x", 3)]), level="interval"), measures(s), None
    )
    nulls = {name for name, value in made["x"].items() if value is None}
    assert nulls == set(made["x"]["reasons"])
    assert made["x"]["reasons"]["pearson_vs_rest"] == "shares no item with anybody"


def test_the_rule_of_exclusion_meets_the_known_annotators(data_dir: Path) -> None:
    """On dev alone alpha < 0.20 drops three annotators: see the notes on the official data."""
    rows = [
        (one["guid"], who, score)
        for one in json.loads((data_dir / "klue" / "klue-sts-v1.1_dev.json").read_text("utf-8"))
        for who, score in zip(
            *(one["annotations"][k] for k in ("annotators", "annotations")), strict=True
        )
    ]
    selection = select(table(rows), level="interval")
    found = measures(selection)
    low = {
        selection.ratings.raters[i]
        for i in np.flatnonzero(found.fields["alpha_vs_rest_nominal"] < 0.2)
    }
    assert low == {"05", "08", "12"}
    assert len(selection.ratings.raters) == 17
