"""Sentences with e-mail, web address or mention leave, once, and the ledger says no value."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from pipeline.core import ledger, schemas
from pipeline.pii.actions import Pseudonymiser
from pipeline.pii.kinds import DROPPED
from pipeline.pii.removal import remove

TEXTS = {
    "a": "메일은 hana@example.com이고 @hana_kim도 씁니다",
    "b": "전화는 010-2345-6789입니다",
    "c": "www.example.com에서 봅니다",
    "d": "아무것도 없다",
    "e": "@gildong 안녕",
}


def _units(texts: dict[str, str]) -> pa.Table:
    row = {"source": "toy", "document": "toy-d1", "kind": "sentence", "ordinal": 0, "start": 0}
    rows = [row | {"id": name, "text": text, "end": len(text)} for name, text in texts.items()]
    return schemas.build("units", rows)


def test_units_leave_under_the_first_of_their_types() -> None:
    tables = remove(_units(TEXTS), list(DROPPED), minimum=0.5)
    assert tables["units"].column("id").to_pylist() == ["b", "d"]
    rows = {row["unit"]: row for row in tables["ledger"].to_pylist()}
    assert {unit: row["rule"] for unit, row in rows.items()} == {
        "a": "pii.email@1",
        "c": "pii.url@1",
        "e": "pii.mention@1",
    }
    assert rows["a"]["reason"] == "holds personal data: email.address@1, mention.handle@1"
    assert rows["a"]["score"] == pytest.approx(0.99)
    counts = ledger.count(5, tables["units"], tables["ledger"], invariant="filter")
    assert counts.dropped == 3


def test_all_types_are_noted_whether_dropped_or_not() -> None:
    tables = remove(_units(TEXTS), ["url"], minimum=0.5)
    assert tables["units"].column("id").to_pylist() == ["a", "b", "d", "e"]
    noted = [(row["unit"], row["type"]) for row in tables["personal"].to_pylist()]
    assert noted == [
        ("a", "email"),
        ("a", "mention"),
        ("b", "phone"),
        ("c", "url"),
        ("e", "mention"),
    ]


def test_nothing_need_be_dropped() -> None:
    tables = remove(_units(TEXTS), [], minimum=0.5)
    assert tables["units"].num_rows == len(TEXTS)
    assert tables["personal"].num_rows == 5


def test_no_value_stands_in_what_is_noted() -> None:
    tables = remove(_units(TEXTS), list(DROPPED), minimum=0.5)
    told = json.dumps([tables[name].to_pylist() for name in ("personal", "ledger")])
    assert not [v for v in ("hana", "2345", "example.com", "gildong") if v in told]


@pytest.mark.parametrize("texts", [{}, {"d": "아무것도 없다"}])
def test_nothing_to_drop(texts: dict[str, str]) -> None:
    tables = remove(_units(texts), list(DROPPED), minimum=0.5)
    assert tables["units"].num_rows == len(texts)
    assert tables["personal"].num_rows == tables["ledger"].num_rows == 0


def test_values_are_masked_or_replaced_with_a_row_for_each_unit_and_type() -> None:
    maker = Pseudonymiser(b"sixteen bytes or more")
    texts = TEXTS | {"f": "010-2345-6789, 010-9876-5432와 hana@example.com"}
    tables = remove(
        _units(texts), ["url"], minimum=0.75, mask=["email"], pseudonyms=(["phone"], maker)
    )
    shown = dict(zip(*(tables["units"][name].to_pylist() for name in ("id", "text")), strict=True))
    assert shown["a"] == "메일은 [email]이고 @hana_kim도 씁니다"
    assert shown["d"] == TEXTS["d"]
    assert shown["f"].endswith("와 [email]")
    assert not any(value in shown["f"] for value in ("2345", "9876"))
    assert "c" not in shown
    rows = [(row["unit"], row["rule"], row["action"]) for row in tables["ledger"].to_pylist()]
    assert rows == [
        ("c", "pii.url@1", "drop"),
        ("a", "pii.email@1", "edit"),
        ("b", "pii.phone@1", "edit"),
        ("f", "pii.email@1", "edit"),
        ("f", "pii.phone@1", "edit"),
    ]
    assert "2345" not in json.dumps(tables["ledger"].to_pylist(), default=str)
    counts = ledger.count(6, tables["units"], tables["ledger"], invariant="filter")
    assert (counts.dropped, counts.edited) == (1, 3)


def test_only_sure_hits_make_a_unit_leave_and_all_are_noted() -> None:
    units = _units({"a": "010-2345-6789", "b": "900101-1234567"})  # no valid check digit: 0.6
    tables = remove(units, ["phone", "rrn"], minimum=0.75)
    assert tables["units"]["id"].to_pylist() == ["b"]
    assert tables["personal"]["unit"].to_pylist() == ["a", "b"]
