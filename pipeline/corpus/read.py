"""Stage `read`: raw files to documents, with every record that yields none in the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas
from pipeline.core.errors import ConservationError, InputError
from pipeline.core.fingerprint import files_of, of_path
from pipeline.core.ids import record_id, unit_ids
from pipeline.core.io import meter
from pipeline.core.ledger import Counts
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count
from pipeline.corpus.composition import compose_documents
from pipeline.corpus.readers.base import (
    READERS,
    Batch,
    Document,
    Options,
    Range,
    Reader,
    Record,
    Rejected,
    Section,
)
from pipeline.corpus.readers.chunks import Chunk, cut_stream, digest_of
from pipeline.corpus.readers.records import FIELDS

#: The digits of the lines in keys.
_DIGITS: Final = 8


def _shards(call: Call) -> Iterator[Shard]:
    """Cut the inputs, in order, into ranges of plain files or pieces of a stream of records.

    What a shard reads is told by the digest of its file and its range, or that of its records: so
    the files of a folder that stay are known by them, whatever lies beside them.
    """
    number = 0
    for index, (name, settings) in enumerate(
        zip(call.arguments["paths"], call.params["inputs"], strict=True)
    ):
        path = Path(name)
        reader, options = READERS[settings["reader"]], Options(**settings["options"])
        begin, place = meter.bytes_read(), 0
        most = path.stat().st_size if path.is_file() else sys.maxsize  # its head is read twice
        try:
            for chunk in _chunks(reader, path, options):
                end = chunk.end if isinstance(chunk, Range) else meter.bytes_read() - begin
                end = max(min(end or 0, most), place)
                content = _content(call, index, chunk)
                reads = [settings, index, path.suffixes, content]
                yield Shard(f"{number:05d}", (index, chunk), end - place, reads)
                number, place = number + 1, end
        except InputError as error:
            raise InputError(f"source {call.source}: {error}") from None


def _size(call: Call) -> int:
    """Return the bytes of all inputs, as they lie on the disk."""
    size = 0
    for name, settings in zip(call.arguments["paths"], call.params["inputs"], strict=True):
        path = Path(name)
        is_folder = path.is_dir()
        files = files_of(path, settings["options"].get("pattern", "")) if is_folder else [path]
        size += sum(file.stat().st_size for file in files if file.is_file())
    return size


def _content(call: Call, index: int, chunk: Range | Chunk) -> object:
    """Return what tells the content of a chunk of an input."""
    if isinstance(chunk, Range):
        return [call.input_fingerprints[index], *chunk]
    return digest_of(chunk, Path(call.arguments["paths"][index]))


def _chunks(reader: Reader, path: Path, options: Options) -> Iterator[Range | Chunk]:
    """Yield ranges that workers read, and the records of what is not cut into ranges."""
    stream: Iterator[Record | Rejected] = iter(())
    for part in reader.cut(path, options):
        if part.end is None:
            start = part.line
            stream = (item for item in reader.scan(path, options) if item.line >= start)
        else:
            yield part
    yield from cut_stream(stream, path)


def _run(call: Call, shard: Shard) -> Outcome:
    index, chunk = shard.payload
    settings, path = call.params["inputs"][index], Path(call.arguments["paths"][index])
    reader, options = READERS[settings["reader"]], Options(**settings["options"])
    is_range = isinstance(chunk, Range)
    batch = reader.read(path, options, chunk) if is_range else Batch((), {}, chunk)
    parsed: list[Document | Rejected] = []
    for item in batch.others:
        parsed += [item] if isinstance(item, Rejected) else _parse(reader, item, options)
    if settings["name"] != path.name:
        parsed = [_renamed(item, path.name, settings["name"]) for item in parsed]
    documents = [
        _with_key(item, index, settings["name"]) for item in parsed if isinstance(item, Document)
    ]
    rejected = [item for item in parsed if isinstance(item, Rejected)]
    ids = unit_ids(call.source, [document.key for document in documents], "document")
    boxes = [
        row
        for unit, document in zip(ids, documents, strict=True)
        for row in _infoboxes(call.source, unit, document)
    ]
    table = _plain_documents(call.source, index, settings["name"], batch)
    if documents:
        rows = [_row(call.source, unit, d) for unit, d in zip(ids, documents, strict=True)]
        others = schemas.build("documents", rows)
        table = pa.concat_tables([others, table]).sort_by("line") if len(table) else others
    left = schemas.build("ledger", [_ledger_row(call.source, index, r) for r in rejected])
    table, edits = compose_documents(table)
    tables = {"documents": table, "ledger": pa.concat_tables([left, edits])}
    if boxes:
        tables["infoboxes"] = schemas.build("infoboxes", boxes)
    return Outcome(len(batch.lines) + len(parsed), tables)


def _parse(reader: Reader, record: Record, options: Options) -> list[Document | Rejected]:
    documents = list(reader.parse(record, options))
    if not documents:
        raise ConservationError(
            f"{record.file}:{record.line}: the reader made neither a document nor a ledger row of"
            " this record; that is a bug of the reader"
        )
    return documents


def _renamed(item: Document | Rejected, own: str, name: str) -> Document | Rejected:
    """Let the name that a build gives an input stand for the file's or archive's own.

    A file that is one document may have named it too: then its title is the file's name.
    """
    file, mark, member = item.file.partition("!")
    if file != own:
        return item
    item = replace(item, file=f"{name}{mark}{member}")
    if isinstance(item, Document) and not mark and item.title in (own, PurePath(own).stem):
        key = name if item.key in (own, PurePath(own).stem) else item.key
        return replace(item, title=name, key=key)
    return item


def _with_key(document: Document, index: int, name: str) -> Document:
    """Name a document that has no id of its own by its input, unless that is the first, and line.

    `index` is the number of the input, from 0, and `name` its name: where it holds several files,
    the document's own file is named too.
    """
    if document.key:
        return document
    place = "" if document.file == name else f"{document.file}:"
    return replace(document, key=_line_key(index, document.line, place))


def _line_key(index: int, line: int, place: str = "") -> str:
    number = f"{place}{line:0{_DIGITS}d}"
    return f"{index + 1}.{number}" if index else number


def _row(source: str, unit: str, document: Document) -> dict[str, object]:
    whole = Section("", 1, 0, len(document.text))
    sections = (whole,) if document.sections is None else document.sections
    return {
        "id": unit,
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


def _plain_documents(source: str, index: int, file: str, batch: Batch) -> pa.Table:
    """Return the documents of a batch as `_row` has them; each is one section."""
    count, columns = len(batch.lines), batch.columns
    own = {name: columns.get(name, pa.nulls(count, pa.string())) for name in FIELDS}
    keys = pc.coalesce(own["key"], own["url"])
    if keys.null_count:
        numbers = pc.utf8_lpad(pa.array(batch.lines).cast(pa.string()), _DIGITS, "0")
        before = _line_key(index, 0)[:-_DIGITS]
        keys = pc.coalesce(keys, pc.binary_join_element_wise(before, numbers, ""))
    texts = own["text"]
    whole = {"title": "", "level": pa.scalar(1, pa.int8()), "start": pa.scalar(0, pa.int32())}
    kinds = schemas.DOCUMENTS
    section = kinds.field("sections").type
    values = {
        "id": unit_ids(source, keys.to_pylist(), "document"),
        "source": pa.repeat(source, count),
        "sections": pa.ListArray.from_arrays(
            pa.array(np.arange(count + 1), pa.int32()),
            pa.StructArray.from_arrays(
                [*(pa.repeat(value, count) for value in whole.values()), pc.utf8_length(texts)],
                fields=list(section.value_type),
            ),
            type=section,
        ),
        "meta": _meta(columns, count),
        "file": pa.repeat(file, count),
        "line": batch.lines,
        **own,
        "key": keys,
    }
    return pa.table({name: values[name] for name in kinds.names}, kinds)


def _meta(columns: dict[str, pa.StringArray], count: int) -> pa.MapArray:
    """Return what documents have in columns that are no fields of their own."""
    others = {name: values for name, values in columns.items() if name not in FIELDS}
    valid = np.array([values.is_valid() for values in others.values()], bool)
    rows, places = valid.reshape(len(others), count).T.nonzero()
    values = pa.concat_arrays([pa.array([], pa.string()), *others.values()])
    return pa.MapArray.from_arrays(
        pa.array(np.searchsorted(rows, np.arange(count + 1)), pa.int32()),
        pa.array(list(others), pa.string()).take(pa.array(places)),
        values.take(pa.array(places * count + rows)),
    )


def _infoboxes(source: str, unit: str, document: Document) -> list[dict[str, object]]:
    return [
        {
            "document": unit,
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
    inputs = call.params["inputs"]
    paths = zip(call.arguments["paths"], call.input_fingerprints, inputs, strict=True)
    for path, digest, settings in paths:
        if of_path(Path(path), settings["options"].get("pattern", "")) != digest:
            raise InputError(f"source {call.source}: {path} changed while it was read; run again")
    if counts.quarantined and not counts.rows_out:
        faults = ", ".join(
            f"{rule} {count(n, 'time')}" for rule, n in counts.rules["quarantine"].items()
        )
        raise InputError(
            f"source {call.source}: none of {count(counts.rows_in, 'record')} could be read"
            f" ({faults}); check reader, columns and encoding of its inputs"
        )


STAGE = Stage(
    name="read",
    main="documents",
    invariant="filter",
    shards=_shards,
    run=_run,
    distributions=("mwparserfromhell", "orjson", "regex"),
    verify=_verify,
    size=_size,
)
