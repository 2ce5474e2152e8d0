"""Stage `read`: raw files to documents, with every record that yields none in the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pipeline.core import schemas
from pipeline.core.errors import ConservationError, InputError
from pipeline.core.fingerprint import of_path
from pipeline.core.ids import record_id, unit_id
from pipeline.core.ledger import Counts
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.corpus.readers.base import (
    READERS,
    Document,
    Options,
    Reader,
    Record,
    Rejected,
    Section,
)

#: A shard is closed at this many bytes or records, whichever comes first: a constant, so that the
#: shards depend on the input alone.
SHARD_BYTES = 2 * 1024 * 1024
SHARD_RECORDS = 10_000

Payload = tuple[int, list[Record | Rejected]]


def _shards(call: Call) -> Iterator[Shard]:
    """Scan the inputs in order and cut the stream of records into shards."""
    number = 0
    for index, (path, settings) in enumerate(
        zip(call.arguments["paths"], call.params["inputs"], strict=True)
    ):
        reader = READERS[settings["reader"]]
        try:
            for chunk in _chunks(reader.scan(Path(path), Options(**settings["options"]))):
                yield Shard(f"{number:05d}", (index, chunk))
                number += 1
        except InputError as error:
            raise InputError(f"source {call.source}: {error}") from None


def _chunks(stream: Iterator[Record | Rejected]) -> Iterator[list[Record | Rejected]]:
    chunk: list[Record | Rejected] = []
    size = 0
    for item in stream:
        chunk.append(item)
        size += len(item.data) if isinstance(item, Record) else 0
        if size >= SHARD_BYTES or len(chunk) >= SHARD_RECORDS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _run(call: Call, shard: Shard) -> Outcome:
    index, chunk = shard.payload
    settings = call.params["inputs"][index]
    reader, options = READERS[settings["reader"]], Options(**settings["options"])
    parsed: list[Document | Rejected] = []
    for item in chunk:
        parsed += [item] if isinstance(item, Rejected) else _parse(reader, item, options)
    documents = [_with_key(item, index) for item in parsed if isinstance(item, Document)]
    rejected = [item for item in parsed if isinstance(item, Rejected)]
    boxes = [row for item in documents for row in _infoboxes(call.source, item)]
    tables = {
        "documents": schemas.build("documents", [_row(call.source, d) for d in documents]),
        "ledger": schemas.build("ledger", [_ledger_row(call.source, index, r) for r in rejected]),
    }
    if boxes:
        tables["infoboxes"] = schemas.build("infoboxes", boxes)
    return Outcome(len(parsed), tables)


def _parse(reader: Reader, record: Record, options: Options) -> list[Document | Rejected]:
    documents = list(reader.parse(record, options))
    if not documents:
        raise ConservationError(
            f"{record.file}:{record.line}: the reader made neither a document nor a ledger row of"
            " this record; that is a bug of the reader"
        )
    return documents


def _with_key(document: Document, index: int) -> Document:
    """Name a document that has no id of its own by its input, unless that is the first, and line.

    `index` is the number of the input, from 0.
    """
    if document.key:
        return document
    line = f"{document.line:08d}"
    return replace(document, key=f"{index + 1}.{line}" if index else line)


def _row(source: str, document: Document) -> dict[str, object]:
    whole = Section("", 1, 0, len(document.text))
    sections = (whole,) if document.sections is None else document.sections
    return {
        "id": unit_id(source, document.key, "document"),
        "source": source,
        "key": document.key,
        "text": document.text,
        "sections": [
            {"title": s.title, "level": s.level, "start": s.start, "end": s.end} for s in sections
        ],
        "meta": list(document.meta),
        "file": document.file,
        "line": document.line,
        "title": document.title,
        "date": document.date,
        "section": document.section,
        "url": document.url,
    }


def _infoboxes(source: str, document: Document) -> list[dict[str, object]]:
    owner = unit_id(source, document.key, "document")
    return [
        {
            "document": owner,
            "source": source,
            "title": document.title or "",
            "template": box.template,
            "ordinal": box.ordinal,
            "name": box.name,
            "value": box.value,
            "links": list(box.links),
        }
        for box in document.infoboxes
    ]


def _ledger_row(source: str, index: int, item: Rejected) -> dict[str, object]:
    # Two inputs of a source may have the same file name; the first keeps its bare one.
    file = f"{index + 1}:{item.file}" if index else item.file
    return {
        "unit": record_id(source, file, item.line),
        "source": source,
        "stage": "read",
        "rule": item.rule,
        "action": item.action,
        "reason": item.reason,
        "score": None,
        "file": item.file,
        "line": item.line,
    }


def _verify(call: Call, counts: Counts) -> None:
    """Refuse what changed while it was read, and a source of which no record could be read."""
    for path, digest in zip(call.arguments["paths"], call.input_fingerprints, strict=True):
        if of_path(Path(path)) != digest:
            raise InputError(f"source {call.source}: {path} changed while it was read; run again")
    if counts.quarantined and not counts.rows_out:
        faults = ", ".join(f"{rule} {n} times" for rule, n in counts.rules["quarantine"].items())
        raise InputError(
            f"source {call.source}: not one of its {counts.rows_in} records could be read"
            f" ({faults}); check reader, columns and encoding of its inputs"
        )


STAGE = Stage(
    name="read",
    main="documents",
    invariant="filter",
    shards=_shards,
    run=_run,
    distributions=("mwparserfromhell", "orjson"),
    splits=False,
    verify=_verify,
)
