"""Files of texts looked through before work starts: each is whole and holds rows."""

from __future__ import annotations

import codecs
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io import batch, parquet, read_batches, streams
from pipeline.core.io.source import Source, require_filled
from pipeline.core.io.streams import Stream

#: So many bytes at the end of a file tell whether it is cut off; white space may follow JSON.
_TAIL: Final = 4096


def check_shard(source: Source) -> None:
    """Raise InputError for a file that holds no row, ends within a character, or has a giant line.

    A line is a giant above the limit at which it would be set aside (`batch.LIMIT`): such a file
    has no line ends, or is none of texts. Raises InputError also for what `read_batches` refuses,
    such as a missing column. All of a text file is read once, and only a part is held.
    """
    require_filled(source.path)
    if source.form == "parquet":
        with parquet.open_parquet(source) as file:
            rows = file.metadata.num_rows
    else:
        rows = _count_lines(source) - (source.form == "csv")
    refuse(source.path, (rows <= 0, "holds no row; leave it out, or make or fetch it again"))
    next(read_batches(source, quarantine=lambda _: None), None)


def _count_lines(source: Source) -> int:
    with streams.open_text(source) as stream:
        return count_lines(stream)


def count_lines(stream: Stream) -> int:
    """Return the lines of a stream of UTF-8, which is read to its end.

    Raises InputError for a giant line and for an end within a character.
    """
    lines, last = 0, b""
    for number, data in streams.read_blocks(stream):
        if data is None:
            raise InputError(
                f"{stream.path}:{number}: the line is longer than {batch.LIMIT:,} bytes; write one"
                " text a line, or leave the file out"
            )
        lines, last = number - 1 + len(batch.line_ends(data)), data[-_TAIL:]
    _refuse_cut(stream, last)
    return lines


def check_json(stream: Stream) -> None:
    """Read a stream of JSON to its end, which has to be that of a list or object.

    Raises InputError for another end, which a file has that is cut off, and for an empty file.
    """
    first = last = b""
    while piece := stream.read(batch.BYTES):
        first = first or piece.lstrip()[:1]
        last = (last + piece)[-_TAIL:]
    _refuse_cut(stream, last)
    is_end = last.rstrip().endswith(b"]" if first == b"[" else b"}")
    problem = "does not end as JSON does: it is none, or cut off; fetch it again"
    refuse(stream.path, (not is_end, problem))


def _refuse_cut(stream: Stream, last: bytes) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(last)
    problem = "ends within a character: it is cut off; make or fetch it again"
    refuse(stream.path, (decoder.getstate()[0], problem))
