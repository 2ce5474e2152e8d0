"""Quotas: who is drawn never depends on batches, and refusals end where the quota is full."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.core import ledger
from pipeline.core.errors import ConservationError
from pipeline.sampling import filling
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Refusal, accepted

ROWS = [{"id": f"s-s{n}", "text": "가" * n, "cluster": f"c{n // 2}"} for n in range(40)]


def _judge(rows: list[dict[str, Any]]) -> list[Refusal | dict[str, Any]]:
    return [
        Refusal("nli.length@1", "odd", len(r["text"]))
        if len(r["text"]) % 3 == 0
        else {"n": len(r["text"])}
        for r in rows
    ]


@pytest.mark.parametrize("size", [1, 3, 256])
@pytest.mark.parametrize("quota", [0, 5, 100])
def test_batches_make_no_difference(monkeypatch: pytest.MonkeyPatch, size: int, quota: int) -> None:
    monkeypatch.setattr(filling, "BATCH", size)
    draft = Draft("nli", "s")
    found = [row["id"] for row, _ in accepted(draft, iter(ROWS), quota=quota, judge=_judge)]
    seen: set[str] = set()
    expected: list[str] = []
    refused: list[str] = []
    for row in ROWS:
        if len(expected) == quota:
            break
        if len(row["text"]) % 3 == 0 or row["cluster"] in seen:
            refused.append(row["id"])
        else:
            seen.add(row["cluster"])
            expected.append(row["id"])
    assert found == expected
    assert [row["unit"] for row in draft.ledger] == refused


def test_a_draft_adds_up() -> None:
    draft = Draft("nli", "s")
    for row, evidence in accepted(draft, iter(ROWS), quota=5, judge=_judge):
        draft.add({"premise": row["text"]}, {"premise": row["id"]}, sampler="s", meta=evidence)
    draft.short("s", wanted=9, drawn=5)
    draft.fault("f.tsv", 3, "re.triple@1", "no three columns")
    outcome = draft.outcome(len(ROWS))
    counts = ledger.count(
        outcome.rows_in, outcome.tables["items"], outcome.tables["ledger"], law="sampling"
    )
    ledger.check_sampling(
        counts, outcome.tables["drawn"], outcome.tables["ledger"], undrawn=outcome.undrawn
    )
    assert (counts.rows_in, counts.drawn, counts.quarantined) == (40, 5, 1)
    assert counts.drawn + counts.undrawn + counts.dropped == 40
    assert outcome.tables["ledger"].column("action").to_pylist().count("short") == 1


def test_a_unit_drawn_and_refused_is_an_error() -> None:
    draft = Draft("nli", "s")
    draft.add({"premise": "x"}, {"premise": "s-s1"}, sampler="s")
    draft.refuse("s-s1", "nli.length@1", "too short")
    outcome = draft.outcome(5)
    tables = outcome.tables
    counts = ledger.count(5, tables["items"], tables["ledger"], law="sampling")
    with pytest.raises(ConservationError, match="drawn and refused"):
        ledger.check_sampling(counts, tables["drawn"], tables["ledger"], undrawn=outcome.undrawn)


def test_too_many_units_are_an_error() -> None:
    draft = Draft("nli", "s")
    draft.add({"premise": "x"}, {"premise": "s-s1"}, sampler="s")
    draft.add({"premise": "y"}, {"premise": "s-s2"}, sampler="s")
    tables = draft.outcome(1).tables
    counts = ledger.count(1, tables["items"], tables["ledger"], law="sampling")
    with pytest.raises(ConservationError, match="1 rows in"):
        ledger.check_sampling(counts, tables["drawn"], tables["ledger"], undrawn=-1)
