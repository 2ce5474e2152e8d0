"""Every coefficient that a paper or a library's own tests publish, one case each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from by_definition import passonneau2004
from rating_matrix import from_matrix

from pipeline.agreement.coefficients.alpha import LEVELS, krippendorff_alpha
from pipeline.agreement.coefficients.chance import kappa, percent_agreement
from pipeline.agreement.coefficients.distances import masi
from pipeline.agreement.coefficients.estimates import Estimate
from pipeline.agreement.coefficients.forms import Span
from pipeline.agreement.coefficients.unitised import Continuum, alpha_u
from pipeline.agreement.votes.ratings import Ratings

NUMBERS = (
    1, 3, 4, 5, 6, 8, 9, 10, 11, 13, 16, 19, 20, 22, 23, 24, 25, 26, 27, 29, 32, 33, 34, 35,
    36, 37, 42, 44, 51, 53, 58, 59, 61, 62, 63, 65, 66, 68, 69, 70, 72, 73, 77, 78, 79, 80,
    81, 82, 83, 86, 87, 88, 89, 91, 94, 95, 96, 97, 98, 100, 102, 103, 104, 105, 107,
)  # fmt: skip
IDS = [f"{number:03}" for number in NUMBERS]
#: The order of text categories where a coefficient needs one; the files give none.
ORDER = {"irrcac_cont3x3abstractors": ("Ectopic", "AIU", "NIU")}
SETS: dict[str, Callable[[Any, Any], float]] = {"masi": masi, "passonneau2004": passonneau2004}
Case = Mapping[str, Any]


@pytest.fixture(scope="module")
def published(data_dir: Path) -> dict[str, Any]:
    """Return the published cases; a "case" by its id, "data" by name."""
    path = data_dir / "agreement" / "published_cases.json"
    read = json.loads(path.read_text("utf-8"))
    return {"data": read["data"], "cases": {case["id"]: case for case in read["cases"]}}


def test_no_published_case_is_left_out(published: dict[str, Any]) -> None:
    assert list(published["cases"]) == IDS and len(IDS) == 65


def _votes(case: Case, rows: list[list[Any]]) -> Ratings:
    """Return the matrix as votes; a list is a set of labels."""
    matrix = [[frozenset(v) if isinstance(v, list) else v for v in row] for row in rows]
    return from_matrix(matrix, categories=ORDER.get(case["data"]))


def _chck_is_half(one: str, other: str) -> float:
    """Return the distance that case 029 describes in words."""
    return 0.0 if one == other else 0.5 if "Chck" in (one, other) else 1.0


def _estimate(case: Case, votes: Ratings) -> Estimate:
    params, metric = case["params"], case["metric"]
    if metric == "percent_agreement":
        assert params.get("weighting", "units") == "units"
        return percent_agreement(votes)
    if metric == "krippendorff_alpha":
        level = params["level"]
        if level in LEVELS:
            return krippendorff_alpha(votes, level=level)
        return krippendorff_alpha(votes, distance=SETS[level])
    if "distance" in params:
        assert params["distance"] == "0 if equal, 0.5 if either is Chck, else 1"
        return kappa("weighted_kappa", votes, weights=_chck_is_half)
    return kappa(metric, votes, weights=params.get("weights"))


def _answers(rows: list[list[str | None]]) -> pd.DataFrame:
    """Return the matrix as crowd-kit reads it: task, worker, label."""
    return pd.DataFrame(
        [
            {"task": unit, "worker": str(rater), "label": label}
            for rater, row in enumerate(rows)
            for unit, label in enumerate(row)
            if label is not None
        ]
    )


def _spans(data: Mapping[str, Any]) -> Continuum:
    begin, end = data["continuum"]
    rows = data["units"]
    answers: dict[str, list[Span]] = {}
    for row in rows:
        span = (row["start"] - begin, row["end"] - begin, row["label"])
        answers.setdefault(str(row["annotator"]), []).append(span)
    return Continuum(end - begin, tuple(map(tuple, answers.values())))


def _accuracy_vs_majority(rows: Any) -> Any:
    from crowdkit.metrics.workers import accuracy_on_aggregates

    return accuracy_on_aggregates(_answers(rows), by="worker").to_dict()


def _majority_vote_proba_yes(rows: Any) -> Any:
    from crowdkit.aggregation import MajorityVote

    return MajorityVote().fit_predict_proba(_answers(rows))["yes"].tolist()


def _dawid_skene_labels(rows: Any) -> Any:
    from crowdkit.aggregation import DawidSkene

    return DawidSkene(n_iter=10).fit_predict(_answers(rows)).tolist()


#: What the project has no coefficient of its own for, or whose answer is not one number.
OTHERS: dict[str, Callable[[Any], Any]] = {
    "krippendorff_alpha_u_per_category": lambda data: {
        name: one.value for name, one in alpha_u([_spans(data)]).per_category.items()
    },
    "accuracy_vs_majority": _accuracy_vs_majority,
    "majority_vote_proba_yes": _majority_vote_proba_yes,
    "dawid_skene_labels": _dawid_skene_labels,
}


@pytest.mark.parametrize("name", IDS)
def test_published_case(published: dict[str, Any], name: str) -> None:
    case = published["cases"][name]
    data, expected = published["data"][case["data"]], case["expected"]
    if case["metric"] in OTHERS:
        found = OTHERS[case["metric"]](data)
        if case["abs_tol"] == 0:
            assert found == expected
        else:
            assert found == pytest.approx(expected, abs=case["abs_tol"])
        return
    estimate = _estimate(case, _votes(case, data))
    if expected == "error":
        assert estimate.value is None and estimate.reason
        return
    assert estimate.value == pytest.approx(expected, abs=case["abs_tol"])
    _check_interval(case, estimate)


def _check_interval(case: Case, estimate: Estimate) -> None:
    """Compare the analytic interval with the published one, given with three digits."""
    low, high = case["params"].get("ci95", (None, None))
    if low is not None:
        assert estimate.low == pytest.approx(low, abs=0.0006)
    if high is not None:
        assert estimate.high == pytest.approx(high, abs=0.0006)
