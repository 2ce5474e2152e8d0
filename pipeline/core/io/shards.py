"""Files of texts looked through before work starts: each is whole and holds rows."""

from __future__ import annotations

import codecs

from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io import batch, parquet, read_batches, streams
from pipeline.core.io.source import Source, require_filled


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
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    lines, last = 0, b""
    with streams.open_text(source) as stream:
        for number, data in streams.read_blocks(stream):
            if data is None:
                raise InputError(
                    f"{source.path}:{number}: the line is longer than {batch.LIMIT:,} bytes; write"
                    " one text a line, or leave the file out"
                )
            lines, last = number - 1 + len(batch.line_ends(data)), data[-4:]
    decoder.decode(last)
    refuse(
        source.path,
        (decoder.getstate()[0], "ends within a character: it is cut off; make or fetch it again"),
    )
    return lines
