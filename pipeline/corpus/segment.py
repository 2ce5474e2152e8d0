"""Stage `segment`: documents to units (sentences, whole texts) and the sections they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from pipeline.core import schemas, store
from pipeline.core.ids import unit_id
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.corpus import segmentation

TOO_LONG = "segment.too_long@1"
NO_UNIT = "segment.no_unit@1"

Row = dict[str, Any]


def _run(call: Call, shard: Shard) -> Outcome:
    documents = store.read_table(shard.payload, "documents")
    tables = segment(documents, kinds=tuple(call.params["kinds"]))
    return Outcome(documents.num_rows, tables, documents.column("id").combine_chunks())


def segment(documents: pa.Table, *, kinds: tuple[str, ...]) -> dict[str, pa.Table]:
    """Cut documents into units of the given kinds (`sentence`, `whole`).

    Returns the tables `units` (text as read), `sections` (only with sentences; each with the ids
    and offsets of its sentences) and `ledger`: a document without any unit, and a paragraph too
    long to be analysed, have a row there.
    """
    units: list[Row] = []
    sections: list[Row] = []
    rows: list[Row] = []
    for document in documents.to_pylist():
        mine: list[Row] = []
        if "whole" in kinds:
            mine += _whole(document)
        if "sentence" in kinds:
            for sentences, section in _sentences(document, rows):
                mine += sentences
                sections.append(section)
        if not mine:
            rows.append(
                _ledger_row(document, document["id"], NO_UNIT, "no text to cut a unit from")
            )
        units += mine
    tables = {"units": schemas.build("units", units), "ledger": schemas.build("ledger", rows)}
    if "sentence" in kinds:
        tables["sections"] = schemas.build("sections", sections)
    return tables


def _whole(document: Row) -> list[Row]:
    text = document["text"]
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return [_unit(document, "whole", 0, start, end, None)] if start < end else []


def _sentences(document: Row, rows: list[Row]) -> Iterator[tuple[list[Row], Row]]:
    """Yield the sentences of each section and the section row; overlong paragraphs go to `rows`."""
    ordinal = 0
    for number, section in enumerate(document["sections"]):
        base, end = section["start"], section["end"]
        body = document["text"][base:end]
        name = unit_id(document["source"], document["key"], "section", base, end)
        for left, right, excess in segmentation.overlong_spans(body):
            unit = unit_id(
                document["source"], document["key"], "sentence", base + left, base + right
            )
            rows.append(_ledger_row(document, unit, TOO_LONG, f"paragraph with {excess}"))
        sentences = []
        for left, right in segmentation.sentence_spans(body):
            sentences.append(_unit(document, "sentence", ordinal, base + left, base + right, name))
            ordinal += 1
        yield sentences, _section(document, name, number, section, sentences)


def _unit(document: Row, kind: str, ordinal: int, start: int, end: int, section: str | None) -> Row:
    return {
        "id": unit_id(document["source"], document["key"], kind, start, end),  # type: ignore[arg-type]
        "source": document["source"],
        "document": document["id"],
        "kind": kind,
        "section": section,
        "ordinal": ordinal,
        "start": start,
        "end": end,
        "text": document["text"][start:end],
    }


def _section(document: Row, name: str, number: int, section: Row, sentences: list[Row]) -> Row:
    return {
        "id": name,
        "source": document["source"],
        "document": document["id"],
        "ordinal": number,
        **{key: section[key] for key in ("title", "level", "start", "end")},
        "sentences": [{key: unit[key] for key in ("id", "start", "end")} for unit in sentences],
    }


def _ledger_row(document: Row, unit: str, rule: str, reason: str) -> Row:
    return {
        "unit": unit,
        "source": document["source"],
        "stage": "segment",
        "rule": rule,
        "action": "drop",
        "reason": reason,
        "score": None,
        "file": document["file"],
        "line": document["line"],
    }


STAGE = Stage(
    name="segment",
    main="units",
    invariant="fanout",
    shards=lambda call: table_shards(call, "documents"),
    run=_run,
    distributions=segmentation.PACKAGES,
)
