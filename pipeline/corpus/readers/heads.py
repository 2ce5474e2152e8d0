"""The first records of files, read before a build begins: columns, and which holds the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.archives import ARCHIVES, read_members
from pipeline.core.io.parquet import open_file
from pipeline.core.io.source import Source
from pipeline.corpus.readers import lines, records, rows
from pipeline.corpus.readers.base import Options, Record, Rejected
from pipeline.corpus.readers.files import MAX_MEMBER_BYTES, TABLES

#: Names of columns of texts, the likeliest first, in small letters.
NAMES: Final = (
    *("text", "document", "content", "contents", "body", "review", "comment", "sentence"),
    *("message", "utterance", "article", "본문", "내용", "텍스트", "문장", "리뷰", "후기", "댓글"),
    *("기사", "발화", "글", "title", "headline", "제목"),
)
_WORD: Final = re.compile(r"\w{1,30}")
#: JSON records whose keys are looked at.
_LOOK: Final = 20


def text_column(tables: Collection[Sequence[str]]) -> str | None:
    """Return the column of texts of most tables: by its name, or else as the only one of a table.

    An only column counts if it is one word: others are rather the first row of a file without
    header, or columns that something else than the delimiter separates.
    """
    named = Counter(filter(None, map(_named, tables)))
    only = (columns[0] for columns in tables if len(columns) == 1)
    ranked = (named or Counter(filter(_WORD.fullmatch, only))).most_common(1)
    return ranked[0][0] if ranked else None


def _named(columns: Sequence[str]) -> str | None:
    names = {name.strip().lower(): name for name in reversed(columns)}
    return next((names[name] for name in NAMES if name in names), None)


def columns_of(name: str, path: Path, options: Options) -> list[str]:
    """Return the columns of a file of a table, or of the first in an archive; none of other files.

    Raises InputError for a file that cannot be read.
    """
    ending = rows.ending(name)
    if name.lower().endswith(ARCHIVES):
        return _columns_of_member(path, options)
    if ending not in TABLES:
        return []
    if ending == ".parquet":
        with open_file(path) as file:
            return list(file.schema.names)
    if ending in (".csv", ".tsv"):
        delimiter = "\t" if ending == ".tsv" else options.delimiter
        source = Source(path, "csv", delimiter=delimiter, quoted=ending == ".csv")
        first = next(lines.scan_rows(source, options), None)
        if first is None or isinstance(first, Rejected):
            why = first.reason if first is not None else "is blank"
            raise InputError(f"{path}: the first row cannot be read: {why}")
        return list(first.values) if options.header else list(map(str, range(len(first.values))))
    scanned = islice(TABLES[ending].scan(path, options), _LOOK)
    keys = (_keys(record, options) for record in scanned if isinstance(record, Record))
    return list({key: None for own in keys for key in own})


def _keys(record: Record, options: Options) -> list[str]:
    try:
        return list(records.as_object(records.load_json(record.data, options)))
    except RecordError:
        return []


def _columns_of_member(path: Path, options: Options) -> list[str]:
    with TemporaryDirectory() as folder:
        for member, data, _ in read_members(path, tuple(TABLES), MAX_MEMBER_BYTES):
            file = Path(folder, f"member{rows.ending(member)}")
            if isinstance(data, bytes):
                file.write_bytes(data)
                return columns_of(file.name, file, options)
    return []
