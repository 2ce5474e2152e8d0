"""Plain text files, one document each: a folder, a .zip or .tar of .txt files, or one file.

The key is the relative path without suffix, the title the file's name without it. The text is the
file's, exactly; headings are found in it by the rule of `headings` and are kept out of the bodies
of `sections`. A file that holds nothing but sections of references has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from pipeline.corpus.readers import headings, records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.files import archives, streams

takes: Final = frozenset({"encoding"})

_BOM: Final = "\ufeff"


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the files, in the order of their names (of the archive, for a tar)."""
    streams.check_encoding(path, options)
    return archives.scan_files(path, ".txt")


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one file into its document."""
    return records.one(record, lambda: _document(record, options))


def _document(record: Record, options: Options) -> Document:
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
