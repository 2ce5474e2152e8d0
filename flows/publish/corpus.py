"""The kept units of one build as one file, and its documents as cleaned: `klue corpus`, `clean`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.commands.outputs import check_file
from flows.lineage.outputs import Outputs, corpus_of
from flows.view.console import Result, print_line
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.files import replacing
from pipeline.core.io.jsonl import json_lines
from pipeline.core.pool import active
from pipeline.core.wording import count
from pipeline.corpus.documents import assemble

FORMS: Final = (".parquet", ".jsonl")
#: The columns of a kept unit in their order; scores follow where there are any.
_FIRST: Final = ("id", "text", "source", "document", "kind", "ordinal", "start", "end", "cluster")
FILTERS: Final = ("clean", "length", "decontaminate", "pii", "toxicity")
_SCORES: Final = ("gender_bias", "hate")


def write_file(path: Path, tables: Iterator[pa.Table]) -> int:
    """Write tables of one schema as Parquet or JSON lines, as the name says; returns the rows.

    The active pool makes the lines of JSON, in the order of the tables. Raises InputError for
    another ending.
    """
    if path.suffix not in FORMS:
        raise InputError(f"--out {path}: allowed endings: {', '.join(FORMS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    rows, writer = 0, None
    with replacing(path) as temporary, temporary.open("wb") as stream:
        if path.suffix == ".jsonl":
            for lines in active().map_in_order(json_lines, tables):
                rows += lines.count(b"\n")
                stream.write(lines)
            return rows
        for table in tables:
            rows += table.num_rows
            writer = writer or pq.ParquetWriter(stream, table.schema, compression="zstd")
            writer.write_table(table)
        if writer is not None:
            writer.close()
    return rows


def read_kept_units(outputs: Outputs) -> Iterator[pa.Table]:
    """Yield the kept units of a build, with file and line, and scores where a source has some."""
    scored = {source for stage, source in outputs.folders if stage == "score"}
    for source in _sources(outputs):
        for label, path in _shards(outputs, source):
            units = _read_kept(outputs, source, label)
            places = store.read_table(path, "documents", ("id", "file", "line"))
            table = _beside(units, places, "document").select([*_FIRST, "file", "line"])
            if source in scored:
                scores = _table(outputs, "score", source, label, "scores", ("unit", *_SCORES))
                table = _beside(table, scores.rename_columns(["id", *_SCORES]), "id")
            for name in _SCORES if scored and source not in scored else ():
                table = table.append_column(name, pa.nulls(table.num_rows, pa.float64()))
            yield table


def cleaned_documents(outputs: Outputs, lost: list[pa.Table]) -> Iterator[pa.Table]:
    """Yield the cleaned documents of a build; ledger rows of the others are added to `lost`."""
    for source in _sources(outputs):
        filters = [stage for stage in FILTERS if (stage, source) in outputs.folders]
        for label, path in _shards(outputs, source):
            documents = store.read_table(path, "documents")
            left = _table(outputs, filters[-1], source, label, "units")
            ledgers = [_table(outputs, stage, source, label, "ledger") for stage in filters]
            units = _read_kept(outputs, source, label)
            table, rows = assemble(
                documents,
                _table(outputs, "segment", source, label, "units"),
                left,
                pa.concat_tables(ledgers),
                repeated=set(left["id"].to_pylist()) - set(units["id"].to_pylist()),
            )
            lost.append(rows)
            yield table


def segmented_units(outputs: Outputs) -> Iterator[tuple[str, pa.Table]]:
    """Yield the units of a build as segmented, shard by shard, with their source."""
    for source in _sources(outputs):
        for label, _ in _shards(outputs, source):
            yield source, _table(outputs, "segment", source, label, "units", ("id", "text"))


def places(outputs: Outputs) -> Iterator[pa.Table]:
    """Yield id, file and line of every document of a build as read, and of every unit of it."""
    for source in _sources(outputs):
        for path in store.tables(outputs.folders["read", source], "documents"):
            yield store.read_table(path, "documents", ("id", "file", "line"))
        for label, path in _shards(outputs, source):
            units = _table(outputs, "segment", source, label, "units", ("id", "document"))
            documents = store.read_table(path, "documents", ("id", "file", "line"))
            yield _beside(units, documents, "document").select(["id", "file", "line"])


def all_ledgers(outputs: Outputs) -> Iterator[pa.Table]:
    """Yield the ledger of every stage of a build, in the order in which they ran."""
    for folder in outputs.folders.values():
        for path in store.tables(folder, "ledger"):
            yield store.read_table(path, "ledger")


def _sources(outputs: Outputs) -> list[str]:
    return sorted(source for stage, source in outputs.folders if stage == "select")


def _shards(outputs: Outputs, source: str) -> Iterator[tuple[str, Path]]:
    for path in store.tables(outputs.folders["select", source], "documents"):
        yield path.stem.removeprefix("documents-"), path


def _read_kept(outputs: Outputs, source: str, label: str) -> pa.Table:
    return _table(outputs, "dedup", "all", f"{source}-{label}", "kept")


def _table(
    outputs: Outputs,
    stage: str,
    source: str,
    label: str,
    name: str,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    path = outputs.folders[stage, source] / f"{name}-{label}.parquet"
    return store.read_table(path, name, columns)


def _beside(table: pa.Table, other: pa.Table, key: str) -> pa.Table:
    """Return a table with the columns of another one, whose `id` is the key of each row, beside."""
    places = pc.index_in(table[key], value_set=other["id"])
    columns = other.drop_columns(["id"]).take(places)
    for name in columns.column_names:
        table = table.append_column(name, columns[name])
    return table


def export_corpus(
    work: Path,
    out: Path,
    build_name: str | None = None,
    *,
    documents: bool = False,
    force: bool = False,
) -> Result:
    """Write the kept units of one build to a file; returns build, rows and file.

    Raises InputError where the work directory holds no such build, or several and none is named.
    """
    check_file("--out", out, force=force)
    outputs = corpus_of(work, build_name)
    lost: list[pa.Table] = []
    rows = write_file(
        out, cleaned_documents(outputs, lost) if documents else read_kept_units(outputs)
    )
    record = {"build": outputs.build, "rows": rows, "out": str(out)}
    return record, lambda record: print_line(f"{count(record['rows'], 'row')} in {record['out']}")
