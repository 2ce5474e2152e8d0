"""Pairs of whole answers: every pair once, and pools too large for all pairs."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from sound_record import check
from structured_answers import answers
from vote_tables import table

from pipeline.agreement.audit import audit
from pipeline.agreement.coefficients import structures as module
from pipeline.agreement.coefficients.structures import structured_agreement
from pipeline.contracts.registry import TASKS

PS = [{"start": 0, "end": 2, "label": "PS"}]


def _ner(rows: list[tuple[str, str, Any]]) -> dict[str, Any]:
    made = table(rows, task="ner", round="tag")
    return audit(made, task=TASKS["ner"], bootstrap=10)


def test_two_answers_are_compared_once_however_often_they_meet() -> None:
    met = []

    def compare(left: Any, right: Any) -> dict[str, tuple[float, float]]:
        met.append((left, right))
        return {"same": (float(left == right), 1.0)}

    one, two = [(0, 1, "PS")], [(0, 2, "PS")]
    found = module.compare_answers(
        answers(a=[one] * 5, b=[two] * 5, c=[one] * 5), compare, ("same",)
    )
    assert len(found) == 15 and found.agree.sum() == 5
    assert len(met) == len(set(met)) == 2


def test_more_annotators_than_a_matrix_holds_are_audited() -> None:
    people = 3_000
    rows = [(f"i{who // 3}", f"p{who}", PS if who % 2 else []) for who in range(people)]
    tracemalloc.start()
    record = _ner(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    check(record)
    assert peak < 60e6  # a matrix of people x people alone has 72 MB
    assert record["coefficients"]["entity_f1"]["value"] == pytest.approx(1 / 3)
    assert "3000 annotators" in record["pairs"]["reason"]
    assert len(record["per_annotator"]) == people


def test_an_item_of_too_many_answers_has_a_reason_for_every_measure() -> None:
    rows = [("i0", f"p{n}", [{"start": n, "end": n + 2, "label": "PS"}]) for n in range(1_500)]
    record = _ner(rows)
    check(record)
    for found in record["coefficients"].values():
        assert found["value"] is None
        assert "1124250 pairs" in found["reason"]
    assert "1124250 pairs" in record["per_source"]["unknown"]["coefficients"]["entity_f1"]["reason"]
    assert "1124250 pairs" in record["per_annotator"]["p0"]["reasons"]["agreement_vs_rest"]
    assert record["per_item"][0]["disagreement"] is None
    assert record["facts"]["unanimous"] == 0.0


def test_the_limit_counts_measures_too(monkeypatch: pytest.MonkeyPatch) -> None:
    given = answers(a=[[(0, 1, "PS")]], b=[[(0, 1, "LC")]], c=[[(0, 1, "PS")]])
    assert structured_agreement("spans", given).overall["entity_f1"].value == pytest.approx(1 / 3)
    monkeypatch.setattr(module, "MOST_CELLS", 11)  # 3 pairs x 4 measures
    found = structured_agreement("spans", given)
    assert "3 pairs of whole answers" in str(found.overall["entity_f1"].reason)
    assert (
        found.alphas["krippendorff_alpha_u"].reason
        == found.per_label["LC"].reason
        == found.overall["entity_f1"].reason
    )
