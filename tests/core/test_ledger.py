"""Rows in are rows out plus ledger, or it is an error."""

from __future__ import annotations

import pyarrow as pa
import pytest

from pipeline.core import ledger, schemas
from pipeline.core.errors import ConservationError


def _units(n: int) -> pa.Table:
    return schemas.build(
        "units",
        [
            {
                "id": f"s-{i}",
                "source": "s",
                "document": f"d-{i // 2}",
                "kind": "sentence",
                "ordinal": i,
                "start": 0,
                "end": 1,
                "text": "가",
            }
            for i in range(n)
        ],
    )


def _rows(units: pa.Table, action: ledger.Action, rule: str = "r@1") -> pa.Table:
    return ledger.rows(units, stage="x", rule=rule, action=action, reason="because")


def test_a_filter_that_adds_up_is_counted() -> None:
    units = _units(6)
    rows = pa.concat_tables(
        [
            _rows(units.slice(0, 2), "drop"),
            _rows(units.slice(2, 1), "quarantine", "q@1"),
            _rows(units.slice(3, 2), "edit", "a@1"),
            _rows(units.slice(3, 1), "edit", "b@1"),
        ]
    )
    counts = ledger.count(6, units.slice(3), rows, invariant="filter")
    assert (counts.rows_in, counts.rows_out, counts.dropped, counts.quarantined) == (6, 3, 2, 1)
    assert counts.edited == 2
    assert counts.rules == {
        "drop": {"r@1": 2},
        "edit": {"a@1": 2, "b@1": 1},
        "quarantine": {"q@1": 1},
    }


@pytest.mark.parametrize(("rows_in", "out", "dropped"), [(6, 3, 2), (6, 5, 2), (0, 1, 0)])
def test_a_filter_that_loses_or_invents_rows_is_an_error(
    rows_in: int, out: int, dropped: int
) -> None:
    units = _units(6)
    with pytest.raises(ConservationError, match=f"{rows_in} rows in"):
        ledger.count(
            rows_in, units.slice(0, out), _rows(units.slice(0, dropped), "drop"), invariant="filter"
        )


def test_a_marking_stage_keeps_every_row() -> None:
    units = _units(4)
    with pytest.raises(ConservationError):
        ledger.count(4, units.slice(1), schemas.empty("ledger"), invariant="mark")


def test_fan_out_needs_a_child_or_a_ledger_row_for_every_input() -> None:
    inputs = pa.array(["d-0", "d-1", "d-2"])
    parents = _units(4).column("document").combine_chunks()
    lost = pa.table({"id": ["d-2"], "source": ["s"]})
    assert ledger.check_fanout(inputs, parents, _rows(lost, "drop")) == 1
    with pytest.raises(ConservationError, match="d-2"):
        ledger.check_fanout(inputs, parents, schemas.empty("ledger"))
    with pytest.raises(ConservationError, match="d-2"):
        ledger.check_fanout(inputs, parents, _rows(lost, "edit"))
    with pytest.raises(ConservationError, match="unknown inputs"):
        ledger.check_fanout(inputs.slice(1), parents, _rows(lost, "drop"))


def test_counts_add_up_over_shards() -> None:
    total = ledger.Counts(rows_in=1, rules={"drop": {"a": 1}})
    total.add(ledger.Counts(rows_in=2, rows_out=1, rules={"drop": {"a": 2, "b": 1}}))
    assert total.rows_in == 3
    assert total.rules == {"drop": {"a": 3, "b": 1}}
