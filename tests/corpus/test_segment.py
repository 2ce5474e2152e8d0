"""Units point into the text as read; sections know their sentences; nothing is lost silently."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core import schemas
from pipeline.core.ids import unit_id
from pipeline.core.ledger import check_fanout
from pipeline.corpus import segmentation
from pipeline.corpus.segmentation import segment

LEAD = "가람포는 바닷가 마을이다. 등대가 하나 있다."
HISTORY = "항구는 백 년 전에 열렸다.\n지금은 배가 드물다."


def _document(text: str, sections: list[tuple[str, int, int, int]] | None = None) -> pa.Table:
    spans = [("", 1, 0, len(text))] if sections is None else sections
    row = {
        "id": unit_id("toy", "1", "document"),
        "source": "toy",
        "key": "1",
        "text": text,
        "sections": [dict(zip(("title", "level", "start", "end"), s, strict=True)) for s in spans],
        "meta": [],
        "file": "toy.txt",
        "line": 1,
    }
    return schemas.build("documents", [row])


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def test_sentences_of_sections_and_the_whole() -> None:
    text = f"{LEAD}\n\n역사\n{HISTORY}"
    start = text.index(HISTORY)
    document = _document(text, [("", 1, 0, len(LEAD)), ("역사", 2, start, len(text))])
    tables = segment(document, kinds=("sentence", "whole"))
    units = _rows(tables["units"])
    assert [(u["kind"], u["text"]) for u in units] == [
        ("whole", text),
        ("sentence", "가람포는 바닷가 마을이다."),
        ("sentence", "등대가 하나 있다."),
        ("sentence", "항구는 백 년 전에 열렸다."),
        ("sentence", "지금은 배가 드물다."),
    ]
    assert [u["ordinal"] for u in units] == [0, 0, 1, 2, 3]
    assert all(text[u["start"] : u["end"]] == u["text"] for u in units)
    sections = _rows(tables["sections"])
    assert [s["title"] for s in sections] == ["", "역사"]
    members = [[m["id"] for m in s["sentences"]] for s in sections]
    assert members == [[u["id"] for u in units[1:3]], [u["id"] for u in units[3:]]]
    assert {u["section"] for u in units[3:]} == {sections[1]["id"]}


def test_a_paragraph_too_long_has_a_ledger_row_and_the_rest_its_units() -> None:
    text = "가" * (segmentation.MAX_PARAGRAPH + 1) + "\n등대가 있다."
    tables = segment(_document(text), kinds=("sentence",))
    assert [u["text"] for u in _rows(tables["units"])] == ["등대가 있다."]
    (row,) = _rows(tables["ledger"])
    assert row["rule"] == "segment.too_long@1"
    assert "가가" not in row["reason"]


def test_a_document_without_text_leaves_through_the_ledger() -> None:
    tables = segment(_document(" \u3000\n "), kinds=("sentence", "whole"))
    assert tables["units"].num_rows == 0
    assert [r["rule"] for r in _rows(tables["ledger"])] == ["segment.no_unit@1"]


@settings(max_examples=60)
@given(st.text(alphabet="가나다요. \n?!#@a1😀", max_size=60))
def test_any_text_keeps_the_law_of_fan_out_and_unique_ids(text: str) -> None:
    document = _document(text)
    tables = segment(document, kinds=("sentence", "whole"))
    parents = tables["units"].column("document").combine_chunks()
    check_fanout(document.column("id").combine_chunks(), parents, tables["ledger"])
    units = _rows(tables["units"])
    assert len({u["id"] for u in units}) == len(units)
    assert all(u["text"] == text[u["start"] : u["end"]] for u in units)
