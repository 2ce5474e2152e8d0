"""FILES: a file, a folder or an archive of texts in any forms; each name's ending says its form.

Text, CSV, TSV, JSON lines, JSON (a list of objects, or objects one after another) and Parquet, all
but Parquet also packed, and archives (.zip, .tar) of them. With `pattern`, a glob, only the files
of a folder that match it are read. A .txt file is one document; in LINES each of its lines is one.

A file that cannot be read as what its name says is quarantined with its name and the reason; what
came before the fault stays. A document is named by its file and line (pipeline/corpus/read.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from pipeline.core.errors import InputError, RecordError
from pipeline.core.fingerprint import files_of
from pipeline.core.io.archives import ARCHIVES, decode_name, read_members
from pipeline.core.io.streams import open_stream
from pipeline.corpus.readers import base, lines, records, rows
from pipeline.corpus.readers.base import (
    Batch,
    Document,
    Options,
    Range,
    Reader,
    Record,
    Rejected,
    record_reader,
    rejected,
)
from pipeline.corpus.readers.objects import scan_objects

#: A member of an archive above this many bytes is quarantined: it is held in memory.
MAX_MEMBER_BYTES: Final = 64 * 1024 * 1024
_TAKES: Final = frozenset({"columns", "encoding", "delimiter", "header", "pattern"})


def _scan_whole(path: Path, _options: Options) -> Iterator[Record | Rejected]:
    """Yield a file as one record."""
    with open_stream(path) as stream:
        data = stream.read(base.MAX_RECORD_BYTES + 1)
    if len(data) > base.MAX_RECORD_BYTES:
        reason = f"holds more than {base.MAX_RECORD_BYTES:,} bytes; read it by lines"
        yield rejected(RecordError("read.too_large@1", reason), path.name, 1)
    else:
        yield Record(path.name, 1, data)


def _whole(record: Record, options: Options) -> Document:
    text = records.full_text(records.decode(record.data, options))
    return Document("", text, record.file, record.line, title=PurePosixPath(record.file).stem)


JSON: Final = Reader(scan_objects, rows.JSONL.parse, rows.JSONL.takes)
_WHOLE: Final = record_reader(_scan_whole, _whole, frozenset({"encoding"}))
#: The forms of columns by the endings of names.
TABLES: Final[dict[str, Reader]] = {
    ".csv": rows.CSV,
    ".tsv": rows.TSV,
    ".jsonl": rows.JSONL,
    ".ndjson": rows.JSONL,
    ".json": JSON,
    ".parquet": rows.PARQUET,
}


def files_reader(forms: dict[str, Reader], takes: frozenset[str] = _TAKES) -> Reader:
    """Return a reader of a file, folder or archive whose endings say the form of each file."""

    def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
        for name, file in named_files(path, options.pattern):
            yield from _scan_file(name, file, options, forms)

    def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
        return forms[rows.ending(record.file)].parse(record, options)

    def cut(path: Path, options: Options) -> Iterator[Range]:
        """Cut one plain file into ranges; all else, and what cannot be read, is a stream."""
        form = forms.get(rows.ending(path.name)) if path.is_file() else None
        try:
            yield from form.cut(path, options) if form else [Range(line=0)]
        except InputError:
            yield Range(line=0)

    def read(path: Path, options: Options, part: Range) -> Batch:
        return forms[rows.ending(path.name)].read(path, options, part)

    return Reader(scan, parse, takes, cut, read)


def named_files(path: Path, pattern: str = "") -> list[tuple[str, Path]]:
    """Return the files of an input with their names within it, in the order of the names.

    Raises InputError for an input without any.
    """
    if path.is_file():
        return [(path.name, path)]
    found = files_of(path, pattern) if path.is_dir() else []
    named = sorted((decode_name(file.relative_to(path).as_posix()), file) for file in found)
    if not named:
        what = "does not exist; correct the path"
        if path.exists():
            what = "holds no files; give one with files of text or tables"
            what = f"has no file that matches {pattern}; correct the pattern" if pattern else what
        raise InputError(f"{path}: {what}")
    return named


def _scan_file(
    name: str, file: Path, options: Options, forms: dict[str, Reader]
) -> Iterator[Record | Rejected]:
    line = 0
    try:
        if name.lower().endswith(ARCHIVES):
            yield from _scan_archive(name, file, options, forms)
            return
        if rows.ending(name) not in forms:
            fault = RecordError("read.not_a_record@1", f"the ending is none of {', '.join(forms)}")
            yield rejected(fault, name, 1)
            return
        if file.is_symlink() and not file.exists():
            yield rejected(RecordError("read.archive_path@1", "is a link to nothing"), name, 1)
            return
        for item in forms[rows.ending(name)].scan(file, options):
            line = item.line
            yield replace(item, file=name)
    except InputError as error:
        reason = str(error).replace(f"{file}: ", "").replace(str(file), name)
        yield rejected(RecordError("read.unreadable@1", reason), name, line + 1)


def _scan_archive(
    name: str, file: Path, options: Options, forms: dict[str, Reader]
) -> Iterator[Record | Rejected]:
    with TemporaryDirectory() as folder:
        for member, data, _ in read_members(file, tuple(forms), MAX_MEMBER_BYTES):
            inner = f"{name}!{member.partition('!')[2]}"
            if isinstance(data, RecordError):
                yield rejected(data, inner, 1)
                continue
            path = Path(folder, f"member{rows.ending(inner)}")
            path.write_bytes(data)
            yield from _scan_file(inner, path, options, forms)


FILES: Final = files_reader({".txt": _WHOLE, **TABLES})
LINES: Final = files_reader({".txt": lines.TEXT, **TABLES})
