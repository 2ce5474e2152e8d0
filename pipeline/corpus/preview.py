"""The first documents of an input, read before a build starts: do its reader and columns fit?"""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.io.column_names import show_names
from pipeline.core.wording import count
from pipeline.corpus.readers.base import READERS, Document, Options, Record, Rejected
from pipeline.corpus.readers.heads import columns_of
from pipeline.corpus.readers.records import FIELDS, Columns
from pipeline.corpus.readers.rows import ending

#: Records that are looked at together, and at most as long as none of them makes a document.
FIRST: Final = 50
MOST: Final = 20 * FIRST


def preview(path: Path, name: str, options: dict[str, Any]) -> list[Document]:
    """Return the first documents that a reader makes of an input; `options` are for `Options`.

    Raises InputError for an input that its reader cannot take, for a column that is not there or
    has no such name, and where not one of the first records can be read.
    """
    _check_columns(options["columns"])
    reader, settings = READERS[name], Options(**options)
    columns = columns_of(path.name, path, settings) if path.is_file() else []
    if columns and not settings.header and ending(path.name) in (".csv", ".tsv"):
        Columns(settings.columns).at(path, len(columns))
    elif columns:
        Columns(settings.columns).find(path, columns)
    stream, read = reader.scan(path, settings), 0
    documents, rejected = list[Document](), list[Rejected]()
    while not documents and read < MOST and (chunk := list(islice(stream, FIRST))):
        raw = [record for record in chunk if isinstance(record, Record)]
        parsed_rows = [row for record in raw for row in reader.parse(record, settings)]
        documents = [row for row in parsed_rows if isinstance(row, Document)]
        rejected += [row for row in (*chunk, *parsed_rows) if isinstance(row, Rejected)]
        read += len(chunk)
    if not documents and (read < MOST or any(row.action == "quarantine" for row in rejected)):
        reasons = Counter(f"{row.rule}: {row.reason}" for row in rejected).most_common(2)
        summary = "; ".join(f"{reason} ({count(number, 'time')})" for reason, number in reasons)
        raise InputError(
            f"{path}: reader {name} makes no document of its first {count(read, 'record')}:"
            f" {summary}; correct reader, columns or encoding of the input"
            f"{f'; it has: {show_names(columns)}' * bool(columns and settings.header)}"
        )
    return documents


def _check_columns(columns: dict[str, str]) -> None:
    """Raise InputError for a key of `columns` that is a field's name misspelt, or its column's.

    Other names than those of fields are allowed: they are kept in the `meta` of a document.
    """
    for name, column in columns.items():
        near = get_close_matches(name, FIELDS, n=1, cutoff=0.75)
        meant = near[0] if near else column if column in FIELDS else ""
        if name not in FIELDS and meant:
            raise InputError(
                f"columns.{name}: no field of a document; write the field first and then the file's"
                f" column, such as {{{meant}: {column if near else name}}}; fields:"
                f" {', '.join(FIELDS)}, and any other name for what is kept as meta"
            )
