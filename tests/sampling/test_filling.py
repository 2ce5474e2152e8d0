"""Quotas: who is drawn never depends on batches, and refusals end where the quota is full."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from pipeline.core import ledger
from pipeline.core.errors import ConservationError
from pipeline.core.ledger import Counts
from pipeline.sampling import draft as drafts
from pipeline.sampling.draft import Draft, Refusal, accept_units

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
    monkeypatch.setattr(drafts, "BATCH", size)
    draft = Draft("nli", "s")
    found = [row["id"] for row, _ in accept_units(draft, iter(ROWS), quota=quota, judge=_judge)]
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
    assert draft.ledger.column("unit").to_pylist() == refused


def test_a_draft_adds_up() -> None:
    draft = Draft("nli", "s")
    for row, evidence in accept_units(draft, iter(ROWS), quota=5, judge=_judge):
        draft.add({"premise": row["text"]}, {"premise": row["id"]}, sampler="s", meta=evidence)
    draft.short("s", wanted=9, drawn=5)
    draft.fault("f.tsv", 3, "re.triple@1", "no three columns")
    ids = pa.array([row["id"] for row in ROWS])
    counts = _counts(draft, ids)
    assert (counts.rows_in, counts.drawn, counts.quarantined) == (40, 5, 1)
    assert counts.drawn + counts.undrawn + counts.dropped == 40
    assert draft.ledger.column("action").to_pylist().count("short") == 1


def _counts(draft: Draft, ids: pa.Array) -> Counts:
    outcome = draft.outcome(ids)
    tables = outcome.tables
    counts = ledger.count(outcome.rows_in, tables["items"], tables["ledger"], invariant="sampling")
    assert outcome.inputs is not None
    ledger.check_sampling(counts, outcome.inputs, tables["drawn"], tables["ledger"])
    return counts


def _drew(draft: Draft, *units: str) -> Draft:
    for unit in units:
        draft.add({"premise": "x"}, {"premise": unit}, sampler="s")
    return draft


def _refused(draft: Draft, *units: str) -> Draft:
    for unit in units:
        draft.refuse(unit, "nli.length@1", "too short")
    return draft


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (_refused(_drew(Draft("nli", "s"), "s-s1"), "s-s1"), "drawn and refused"),
        (_refused(Draft("nli", "s"), "s-s1", "s-s1"), "refused twice"),
        (_drew(Draft("nli", "s"), "s-s9"), "never came in"),
        (_refused(Draft("nli", "s"), "s-s9"), "never came in"),
    ],
    ids=["both", "twice", "a strange candidate", "a strange refusal"],
)
def test_what_breaks_the_law_is_an_error(draft: Draft, said: str) -> None:
    with pytest.raises(ConservationError, match=said):
        _counts(draft, pa.array(["s-s1", "s-s2"]))


def test_units_that_come_twice_are_an_error() -> None:
    with pytest.raises(ConservationError, match="came in twice"):
        _counts(Draft("nli", "s"), pa.array(["s-s1", "s-s1"]))


def test_a_unit_may_be_drawn_for_several_candidates() -> None:
    draft = Draft("re", "s")
    for part in ("1", "2"):
        draft.add({"sentence": "x"}, {"sentence": "s-s1"}, sampler="kb", parts=(part,))
    counts = _counts(draft, pa.array(["s-s1", "s-s2"]))
    assert (counts.rows_out, counts.drawn, counts.undrawn) == (2, 1, 1)


def test_a_long_ledger_stays_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "HELD", 3)
    names = [f"s-s{n}" for n in range(10)]
    draft = _refused(Draft("nli", "s"), *names)
    assert draft.ledger.column("unit").to_pylist() == names
