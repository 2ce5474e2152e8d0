"""Stage `segment`: documents to units, sentences or whole texts (segmentation.py).

Units are collected as numbers and ids, and become columns at once: as dicts they took a quarter of
the stage's time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import ledger, schemas, store
from pipeline.core.ids import span_ids, unit_id
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards
from pipeline.corpus.long_sentences import Span
from pipeline.corpus.segmentation import PACKAGES, overlong_spans, sentence_spans

TOO_LONG = "segment.too_long@2"
NO_UNIT = "segment.no_unit@1"


class _Unit(NamedTuple):
    """`document` and `section` are their numbers in the table; a whole text has no section."""

    id: str
    document: int
    section: int | None
    ordinal: int
    start: int
    end: int


class _Event(NamedTuple):
    """A row of the ledger about a document, or one of its units."""

    document: int
    unit: str
    rule: str
    action: str
    reason: str


def segment(
    documents: pa.Table, *, kinds: tuple[str, ...], layout: bool = False
) -> dict[str, pa.Table]:
    """Cut documents into units of the given kinds (`sentence`, `whole`).

    Returns the tables `units` (text as read), `sections` (only with sentences; each with the ids
    and offsets of its sentences) and `ledger`: documents without a unit, paragraphs cut into parts.
    """
    units: list[_Unit] = []
    events: list[_Event] = []
    sections: list[str] = []
    ends = [0]  # how many sentences there are up to the end of each section
    texts = documents.column("text").to_pylist()
    rows = schemas.rows(documents, "id", "source", "key")
    for document, ((name, source, key), parts) in enumerate(
        zip(rows, _parts(documents), strict=True)
    ):
        text, before, ordinal = texts[document], len(units), 0
        if "whole" in kinds and (stripped := text.strip()):
            start = len(text) - len(text.lstrip())
            span = (start, start + len(stripped))
            unit = unit_id(source, key, "whole", *span)
            units.append(_Unit(unit, document, None, 0, *span))
        for begin, end in parts if "sentence" in kinds else ():
            body = text[begin:end]
            for left, right, excess in overlong_spans(body, layout=layout):
                unit = unit_id(source, key, "sentence", begin + left, begin + right)
                events.append(_Event(document, unit, TOO_LONG, "edit", f"paragraph with {excess}"))
            found = sentence_spans(body, layout=layout)
            spans = [(begin + left, begin + right) for left, right in found]
            ids = span_ids(source, key, "sentence", spans)
            for place, (unit, span) in enumerate(zip(ids, spans, strict=True), ordinal):
                units.append(_Unit(unit, document, len(sections), place, *span))
            ordinal += len(spans)
            sections.append(unit_id(source, key, "section", begin, end))
            ends.append(ends[-1] + len(spans))
        if len(units) == before:
            events.append(_Event(document, name, NO_UNIT, "drop", "no text to cut a unit from"))
    table = _units(documents, texts, units, pa.array(sections, pa.string()))
    tables = {"units": table, "ledger": _ledger(documents, events)}
    if "sentence" in kinds:
        tables["sections"] = _sections(documents, table, sections, ends)
    return tables


def _parts(documents: pa.Table) -> Iterator[list[Span]]:
    """Yield where the sections of each document begin and end."""
    sections = documents.column("sections").combine_chunks()
    flat = sections.flatten()
    spans = zip(*(flat.field(name).to_pylist() for name in ("start", "end")), strict=True)
    for number in sections.value_lengths().to_pylist():
        yield list(islice(spans, number))


def _units(
    documents: pa.Table, texts: list[str], units: list[_Unit], sections: pa.Array
) -> pa.Table:
    ids, owners, places, ordinals, starts, ends = zip(*units, strict=True) if units else [()] * 6
    document = pa.array(owners, pa.int64())
    section = pa.array(places, pa.int64())
    columns = {
        "id": pa.array(ids, pa.string()),
        "source": documents.column("source").take(document),
        "document": documents.column("id").take(document),
        "kind": pc.if_else(section.is_valid(), "sentence", "whole"),
        "section": sections.take(section),
        "ordinal": pa.array(ordinals, pa.int32()),
        "start": pa.array(starts, pa.int32()),
        "end": pa.array(ends, pa.int32()),
        "text": pa.array(
            [texts[unit.document][unit.start : unit.end] for unit in units], pa.string()
        ),
    }
    return pa.table({name: columns[name] for name in schemas.UNITS.names}, schemas.UNITS)


def _sections(documents: pa.Table, units: pa.Table, ids: list[str], ends: list[int]) -> pa.Table:
    """Return the sections of all documents, each with its sentences."""
    parts = documents.column("sections").combine_chunks()
    lengths = parts.value_lengths().to_numpy()
    owners = pa.array(np.repeat(np.arange(len(lengths)), lengths))
    firsts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    sentences = units.filter(units.column("section").is_valid()).combine_chunks()
    kind = schemas.SECTIONS.field("sentences").type
    members = [sentences.column(field.name).combine_chunks() for field in kind.value_type]
    flat = parts.flatten()
    columns = {
        "id": pa.array(ids, pa.string()),
        "source": documents.column("source").take(owners),
        "document": documents.column("id").take(owners),
        "ordinal": pa.array(np.arange(len(ids)) - firsts, pa.int32()),
        **{name: flat.field(name) for name in ("title", "level", "start", "end")},
        "sentences": pa.ListArray.from_arrays(
            pa.array(ends, pa.int32()),
            pa.StructArray.from_arrays(members, fields=list(kind.value_type)),
            type=kind,
        ),
    }
    return pa.table({name: columns[name] for name in schemas.SECTIONS.names}, schemas.SECTIONS)


def _ledger(documents: pa.Table, events: list[_Event]) -> pa.Table:
    owners, units, *texts = zip(*events, strict=True) if events else [()] * 5
    about = documents.select(["id", "source", "file", "line"]).take(pa.array(owners, pa.int64()))
    rule, action, reason = (pa.array(each, pa.string()) for each in texts)
    about = about.set_column(0, "id", pa.array(units, pa.string()))
    return ledger.rows(about, stage="segment", rule=rule, action=action, reason=reason)


def _run(call: Call, shard: Shard) -> Outcome:
    documents = store.read_table(shard.payload, "documents")
    layout = call.params.get("layout", False)
    tables = segment(documents, kinds=tuple(call.params["kinds"]), layout=layout)
    return Outcome(documents.num_rows, tables, documents.column("id").combine_chunks())


STAGE = Stage(
    name="segment",
    main="units",
    invariant="fanout",
    shards=lambda call: own_shards(call, "documents"),
    run=_run,
    distributions=PACKAGES,
)
