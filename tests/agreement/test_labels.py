"""Scores that no computation can hold are refused in words."""

from __future__ import annotations

import pytest
from sound_record import check
from vote_tables import table

from pipeline.agreement.audit import audit
from pipeline.agreement.votes.labels import load_label, number, view_answer
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError


@pytest.mark.parametrize("text", ["1" + "0" * 400, "1e16", "-1e100", "1e308", "1e999"])
def test_a_score_beyond_the_limit_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        number(text)
    assert text not in str(caught.value)
    with pytest.raises(InputError):
        view_answer(load_label(text, "an answer"), TASKS["sts"])


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("top", [1e15, 1e-300])
def test_the_largest_and_smallest_scores_give_a_finite_record(level: str, top: float) -> None:
    rows = [
        (f"i{n}", who, top * ((n * k) % 3) / 2) for n in range(40) for k, who in enumerate("abcd")
    ]
    record = audit(table(rows), level=level, bootstrap=20)
    check(record)
    assert record["coefficients"][record["lead"]]["value"] is not None
