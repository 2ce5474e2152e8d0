"""Lines and rows of text files as records, and the readers of plain text.

TEXT has one document a line, without key. TEXT_FILES has one document a file: a folder, a .zip or
.tar of .txt files, or one file. Its key is the relative path without suffix, its title the file's
name without it. The text is the file's, exactly; headings are found in it by the rules below
and are kept out of the bodies of `sections`. A file of nothing but references has no section.

The rules of headings are careful: they rather take a heading for text than text for a heading.

1. ``== Title ==``, as left over from a wiki, is a heading; its level is the number of signs.
2. A *short line* has at most 30 characters and neither a sentence's end nor a colon at its own. A
   *prose line* ends like a sentence (``.``, ``?``, ``!``, ``…``, ``。``, closing quotes and
   brackets after it) and is longer than the line before it.
3. A block is the lines between empty lines. Up to 4 short lines that begin a block, with a prose
   line right after them, are headings. The first block of a text has none: it is the lead.
4. A short line alone in its block is a heading when the next block begins with a prose line.
5. Names such as 각주 or 같이 보기 (`BACK_MATTER`) are headings where a block begins, or
   right after a heading, whatever follows.

A long run of short lines is a list and stays text, and so does a list without prose after it. Such
lines do not show their level: all but those of rule 1 have level 2.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import batch, streams
from pipeline.core.io.archives import read_members
from pipeline.core.io.batch import Row
from pipeline.core.io.delimited import Rows
from pipeline.core.io.source import Source, require_filled, wide_encoding
from pipeline.core.io.streams import Line
from pipeline.corpus.readers import base, ranges, records
from pipeline.corpus.readers.base import (
    Batch,
    Document,
    Options,
    Range,
    Reader,
    Record,
    Rejected,
    Section,
    record_reader,
    rejected,
)

#: Encodings in which no byte of a longer character looks like a line end, quote or delimiter.
ENCODINGS: Final = ("utf-8", "cp949", "euc-kr", "ascii")
_BOM: Final = "\ufeff"


def scan_lines(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream every line of a file as a record; a line above the limit is rejected."""
    for number, line in read_lines(path, options):
        if line is None:
            yield rejected(batch.too_long("line", base.MAX_RECORD_BYTES), path.name, number)
        else:
            yield Record(path.name, number, streams.without_end(line))


def line_reader(
    load: Callable[[list[bytes], Options], list[dict[str, Any]]],
    columns: Callable[[Options], records.Columns],
    document: Callable[[Record, Options], Document],
    takes: frozenset[str],
) -> Reader:
    """Return a reader of records that are lines; `load` returns the fields of each good one."""

    def cut(path: Path, options: Options) -> Iterator[Range]:
        next(read_lines(path, options))
        return ranges.cut(Source(path, "text", quoted=False), Range(), options)

    def read(path: Path, options: Options, part: Range) -> Batch:
        return ranges.of_lines(path, part, lambda lines: load(lines, options), columns(options))

    return replace(record_reader(scan_lines, document, takes), cut=cut, read=read)


def scan_rows(
    source: Source, options: Options, part: Range | None = None
) -> Iterator[Row | Rejected]:
    """Stream the rows of a CSV or TSV file, or of a range; all have as many fields as the first.

    Blank lines, undecodable rows and rows of another width are rejected. Raises InputError.
    """
    path = source.path
    if len(source.delimiter) != 1 or not source.delimiter.isascii():
        raise InputError(f"{path}: delimiter must be one ASCII character: {source.delimiter!r}")
    lines = ranges.read_lines(path, part) if part else read_lines(path, options)
    rows = Rows(source, lines, options.encoding, base.MAX_RECORD_BYTES)
    rows.width = part.width if part else 0
    for row in rows:
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

    Raises InputError for an empty file, UTF-16, UTF-32, and encodings in which lines cannot be cut.
    """
    _check_encoding(path, options)
    require_filled(path)
    number = 0
    with streams.open_stream(path) as stream:
        for number, line in streams.read_lines(stream, base.MAX_RECORD_BYTES):
            if number == 1 and line and (wide := wide_encoding(line)):
                raise InputError(f"{path}: looks like {wide}; convert the file to UTF-8")
            yield number, line
    if not number:
        raise InputError(f"{path}: is empty; make or fetch it again")


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
    if row.values and any(field and not field.isspace() for field in row.values):
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
        sections=sections(text),
    )


MAX_LENGTH: Final = 30
MAX_RUN: Final = 4
MAX_WIKI_LENGTH: Final = 100

_BACK_MATTER: Final = """
    각주 주석 미주 주해 각주및참고문헌 각주및참고자료 주석및참고자료 각주와참고문헌 출처
    참고문헌 참고자료 참고 참조 참고서적 참고문서 외부링크 외부고리 바깥고리 바깥링크 외부연결
    같이보기 함께보기 관련항목 관련문서 관련기사 갤러리 사진 references notes seealso
    externallinks
"""


#: Titles of sections that hold references or links, in small letters without spaces, as Korean
#: Wikipedia has them.
BACK_MATTER: Final = frozenset(_BACK_MATTER.split())

_SENTENCE_END: Final = re.compile(r"[.?!…。][\"'”’)\]]*$")
_WIKI: Final = re.compile(r"(={1,6})\s*([^=].*?)\s*\1")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    def is_short(self) -> bool:
        ends = _SENTENCE_END.search(self.text) or self.text.endswith((":", ",", ";"))
        return 0 < len(self.text) <= MAX_LENGTH and not ends

    def is_prose_after(self, other: _Line) -> bool:
        return bool(_SENTENCE_END.search(self.text)) and len(self.text) > len(other.text)


def is_back_matter(heading: str) -> bool:
    """Return whether a section of this title holds references or links."""
    return "".join(heading.lower().split()) in BACK_MATTER


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text; what precedes the first heading has the title "" and level 1.

    Bodies exclude headings and the white space around. Left out are sections without body and, as
    in the MediaWiki reader, those that hold references and links (rule 5). A text without headings
    has one section, or none when it is blank.
    """
    lines = _lines(text)
    result: list[Section] = []
    title, level, start = "", 1, 0
    for line, name, depth in [*_headings(_blocks(lines)), (None, "", 0)]:
        end = line.start if line else len(text)
        body = text[start:end]
        left, right = len(body) - len(body.lstrip()), len(body.rstrip())
        if right > left and not is_back_matter(title):
            result.append(Section(title, level, start + left, start + right))
        if line:
            title, level, start = name, depth, line.end
    return tuple(result)


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for raw in text.split("\n"):
        lines.append(_Line(start, start + len(raw), raw.strip()))
        start += len(raw) + 1
    return lines


def _blocks(lines: list[_Line]) -> list[list[_Line]]:
    blocks: list[list[_Line]] = [[]]
    for line in lines:
        if line.text:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _headings(blocks: list[list[_Line]]) -> list[tuple[_Line, str, int]]:
    """Return (line, title, level) of every heading, in order."""
    headings: dict[int, tuple[_Line, str, int]] = {}
    for number, block in enumerate(blocks):
        for line in block:
            wiki = _WIKI.fullmatch(line.text) if len(line.text) <= MAX_WIKI_LENGTH else None
            if wiki:
                headings[line.start] = (line, wiki[2], len(wiki[1]))
        following = blocks[number + 1][0] if number + 1 < len(blocks) else None
        for line in block[: _count_headings(block, following) if number else 0]:
            headings.setdefault(line.start, (line, line.text, 2))
    return [headings[start] for start in sorted(headings)]


def _count_headings(block: list[_Line], following: _Line | None) -> int:
    """Return how many lines at the start of a block are headings by rules 3, 4 and 5."""
    short = sum(1 for _ in takewhile(_Line.is_short, block))
    after = block[short] if short < len(block) else following if short == 1 else None
    is_run = 0 < short <= MAX_RUN and after and after.is_prose_after(block[short - 1])
    run = short if is_run else 0
    return run + sum(1 for _ in takewhile(lambda line: is_back_matter(line.text), block[run:]))


def _load(lines: list[bytes], options: Options) -> list[dict[str, Any]]:
    def fields(line: bytes) -> dict[str, Any]:
        try:
            return {"text": line.decode(options.encoding)}
        except UnicodeDecodeError:
            return {}

    return list(map(fields, lines))


_TEXT: Final = records.Columns({"text": "text"})
TEXT: Final = line_reader(_load, lambda _: _TEXT, _line, frozenset({"encoding"}))
TEXT_FILES: Final = record_reader(_scan_text_files, _file, frozenset({"encoding"}))
