"""Lines and rows of text files as records, and the readers of plain text.

TEXT has one document a line, without key. TEXT_FILES has one document a file: a folder, a .zip or
.tar of .txt files, or one file. Its key is the relative path without suffix, its title the file's
name without it. The text is the file's, exactly; headings are found in it by the rule of `headings`
and are kept out of the bodies of `sections`. A file of nothing but references has no section.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import batch, streams
from pipeline.core.io.archives import read_members
from pipeline.core.io.delimited import Row, Rows
from pipeline.core.io.source import Source, require_filled
from pipeline.core.io.streams import Line
from pipeline.corpus.readers import base, headings, records
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected

#: Encodings in which no byte of a longer character looks like a line end, quote or delimiter.
ENCODINGS: Final = ("utf-8", "cp949", "euc-kr", "ascii")
_BOM: Final = "\ufeff"


def scan_lines(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream every line of a file as a record; a line above the limit is rejected."""
    for number, line in read_lines(path, options):
        if line is None:
            fault = batch.too_long("line", base.MAX_RECORD_BYTES)
            yield rejected(fault, path.name, number)
        else:
            yield Record(path.name, number, streams.without_end(line))


def scan_rows(source: Source, options: Options) -> Iterator[Row | Rejected]:
    """Stream the rows of a CSV or TSV file; all have as many fields as the first.

    Blank lines, undecodable rows and rows of another width are rejected. Raises InputError.
    """
    path = source.path
    if len(source.delimiter) != 1 or not source.delimiter.isascii():
        raise InputError(f"{path}: delimiter must be one ASCII character: {source.delimiter!r}")
    lines = read_lines(path, options)
    for row in Rows(source, lines, options.encoding, base.MAX_RECORD_BYTES):
        fault = _fault(row, options)
        yield rejected(fault, path.name, row.line) if fault else row


def scan_files(path: Path, suffix: str) -> Iterator[Record | Rejected]:
    """Stream the files with that suffix (lower case) of a folder or archive, or a single file.

    Files of another kind are rejected. Raises InputError as `read_members`.
    """
    for file, data, archive in read_members(path, suffix, base.MAX_RECORD_BYTES):
        if isinstance(data, RecordError):
            yield rejected(data, file, 1)
        else:
            yield Record(file, 1, data, archive)


def read_lines(path: Path, options: Options) -> Iterator[Line]:
    """Yield the lines of a file, without the byte order mark before the first.

    Raises InputError for an empty file, UTF-16, and an encoding in which lines cannot be cut.
    """
    _check_encoding(path, options)
    require_filled(path)
    number = 0
    with streams.open_stream(path) as stream:
        for number, line in streams.read_lines(stream, base.MAX_RECORD_BYTES):
            if number == 1 and line and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise InputError(f"{path}: looks like UTF-16; convert the file to UTF-8")
            yield number, line
    if not number:
        raise InputError(f"{path}: is empty; fetch it again")


def _check_encoding(path: Path, options: Options) -> None:
    try:
        name = codecs.lookup(options.encoding).name.replace("_", "-")
    except LookupError:
        name = ""
    if name not in ENCODINGS:
        raise InputError(
            f"{path}: encoding {options.encoding!r} is not supported; allowed:"
            f" {', '.join(ENCODINGS)}; convert the file to UTF-8"
        )


def _fault(row: Row, options: Options) -> RecordError | None:
    """Return the fault of a row; a line of white space is blank, whatever its width."""
    if row.fault and row.fault.rule == "file.too_long@1":
        return row.fault
    if row.fields and any(field and not field.isspace() for field in row.fields):
        return None
    try:
        text = records.decode(row.raw, options)
    except RecordError as fault:
        return fault
    return batch.blank() if not text or text.isspace() else row.fault


def _line(record: Record, options: Options) -> Document:
    text = records.full_text(records.decode(record.data, options))
    return Document("", text, record.file, record.line)


def _scan_text_files(path: Path, options: Options) -> Iterator[Record | Rejected]:
    _check_encoding(path, options)
    return scan_files(path, ".txt")


def _file(record: Record, options: Options) -> Document:
    text = records.decode(record.data, options).removeprefix(_BOM)
    name = PurePosixPath(record.name).with_suffix("")
    return Document(
        key=str(name),
        text=records.full_text(text),
        file=record.file,
        line=record.line,
        title=name.name,
        sections=headings.sections(text),
    )


TEXT: Final = RecordReader(scan_lines, _line, frozenset({"encoding"}))
TEXT_FILES: Final = RecordReader(_scan_text_files, _file, frozenset({"encoding"}))
