"""Units point into the text as read; sections know their sentences; nothing is lost silently."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core import schemas
from pipeline.core.ids import unit_id
from pipeline.core.ledger import check_fanout
from pipeline.corpus.overlong import MAX_PARAGRAPH
from pipeline.corpus.segment import segment

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


def test_a_paragraph_too_long_is_cut_into_parts_and_nothing_is_lost() -> None:
    words = "가" * 99 + " "
    text = words * (2 * MAX_PARAGRAPH // len(words) + 1) + "\n등대가 있다."
    tables = segment(_document(text), kinds=("sentence",))
    units = _rows(tables["units"])
    assert " ".join(u["text"] for u in units).split() == text.split()
    assert all(text[u["start"] : u["end"]] == u["text"] for u in units)
    assert units[-1]["text"] == "등대가 있다."
    (row,) = _rows(tables["ledger"])
    assert (row["rule"], row["action"]) == ("segment.too_long@2", "edit")
    assert row["reason"] == "paragraph with 40,100 characters, 20,000 allowed; cut into 3 parts"


def test_layout_cuts_at_tabs_bullets_and_numbers_if_it_is_asked_for() -> None:
    text = "제안합니다. 1. 길을 넓히자\t■ 다리를 놓자"
    for layout, expected in (
        (True, ["제안합니다.", "1. 길을 넓히자", "■ 다리를 놓자"]),
        (False, ["제안합니다.", "1. 길을 넓히자\t■ 다리를 놓자"]),
    ):
        tables = segment(_document(text), kinds=("sentence",), layout=layout)
        assert [u["text"] for u in _rows(tables["units"])] == expected


def test_a_document_without_text_leaves_through_the_ledger() -> None:
    tables = segment(_document(" \u3000\n "), kinds=("sentence", "whole"))
    assert tables["units"].num_rows == 0
    assert [r["rule"] for r in _rows(tables["ledger"])] == ["segment.no_unit@1"]


@given(st.text(alphabet="가나다요. \n?!#@a1😀", max_size=60))
def test_any_text_keeps_the_law_of_fan_out_and_unique_ids(text: str) -> None:
    document = _document(text)
    tables = segment(document, kinds=("sentence", "whole"))
    parents = tables["units"].column("document").combine_chunks()
    check_fanout(document.column("id").combine_chunks(), parents, tables["ledger"])
    units = _rows(tables["units"])
    assert len({u["id"] for u in units}) == len(units)
    assert all(u["text"] == text[u["start"] : u["end"]] for u in units)


TEXTS = st.text(alphabet="가나다요. \n\t?!#@a1😀", max_size=40)


@given(texts=st.lists(TEXTS, max_size=4), cuts=st.lists(st.integers(0, 40), max_size=3))
def test_documents_are_cut_together_as_they_are_alone(texts: list[str], cuts: list[int]) -> None:
    documents = []
    for number, text in enumerate(texts):
        places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
        sections = [(f"{n}", n, *span) for n, span in enumerate(pairwise(places))]
        document = _document(text, sections).to_pylist()[0]
        documents.append(document | {"id": f"toy-{number}", "key": f"{number}"})
    kinds = ("sentence", "whole")
    together = segment(schemas.build("documents", documents), kinds=kinds)
    for name, table in together.items():
        alone = [
            row
            for document in documents
            for row in _rows(segment(schemas.build("documents", [document]), kinds=kinds)[name])
        ]
        assert _rows(schemas.check(table, name)) == alone
    for section in _rows(together["sections"]):
        inside = [u for u in _rows(together["units"]) if u["section"] == section["id"]]
        members = [{key: unit[key] for key in ("id", "start", "end")} for unit in inside]
        assert section["sentences"] == members
        assert all(
            section["start"] <= unit["start"] <= unit["end"] <= section["end"] for unit in inside
        )
