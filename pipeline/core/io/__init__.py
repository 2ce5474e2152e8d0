"""Files of texts of any form, read in bounded batches and written again with their texts changed.

    source = guess_source(Path("comments.jsonl.gz"))
    with open_writer(source, out) as writer:
        for batch in read_batches(source, quarantine=rejects.append, whole=True):
            writer.write(batch, change(batch.texts))

A row that cannot be read is passed to `quarantine` and left out of the output; every row is either
in a batch or in quarantine.

Lines of plain text and JSONL are read by blocks where all lines are good; a block with a line that
is not is read line by line. Both ways accept the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import RecordError
from pipeline.core.io import batch, delimited, parquet, streams
from pipeline.core.io.batch import Batch, Quarantine, Quarantined, Row
from pipeline.core.io.jsonl import JsonLines
from pipeline.core.io.source import Source, guess_source
from pipeline.core.io.write import Writer, check_output, open_writer

__all__ = [
    "Batch",
    "Quarantined",
    "Source",
    "Writer",
    "check_output",
    "guess_source",
    "open_writer",
    "read_batches",
]


def read_batches(
    source: Source, *, quarantine: Quarantine, columns: Sequence[str] = (), whole: bool = False
) -> Iterator[Batch]:
    """Stream the rows of a file, with the named `columns` as strings beside the texts.

    Missing values and columns are null; JSON and Parquet values of other types are strings as they
    are spelt. Each row that cannot be read is passed to `quarantine` before the batch that would
    have held it; rows of batches and of quarantine make up all rows. With `whole`, batches hold
    what `open_writer` needs; it costs time for Parquet alone. Raises InputError when the file as a
    whole is unusable: missing, of another form, without a column of texts, damaged or cut off.
    """
    columns = list(dict.fromkeys(name for name in columns if name != source.text))
    if source.form == "parquet":
        yield from parquet.read_batches(source, columns, quarantine, whole=whole)
        return
    with streams.open_text(source) as stream:
        if source.form == "csv":
            rows = delimited.read_rows(source, columns, stream)
            yield from batch.of_rows(rows, columns, quarantine)
            return
        form = (_TextLines if source.form == "text" else JsonLines)(source, columns)
        for first, data in streams.read_blocks(stream):
            ends = batch.line_ends(data or b"")
            arrays = form.block(data, ends) if data else None
            if data and arrays:
                yield from batch.of_block(data, ends, first, arrays, columns)
                continue
            rows = _rows(form, first, data)
            parts = list(batch.of_rows(rows, columns, quarantine, first=first - 1))
            if data and first == 1 and not parts:
                form.check_first(data)
            yield from parts


def _rows(form: _TextLines | JsonLines, first: int, data: bytes | None) -> Iterator[Row]:
    if data is None:
        yield Row(first, b"", [], batch.too_long("line"))
        return
    for number, line in enumerate(streams.split_lines(data), first):
        try:
            yield Row(number, line, form.line(streams.without_end(line)))
        except RecordError as fault:
            yield Row(number, line, [], fault)


class _TextLines:
    """Plain text: one text a line, a blank line is an empty text; all other columns are null."""

    def __init__(self, _source: Source, columns: Sequence[str]) -> None:
        self._others = len(columns)

    def block(self, data: bytes, _ends: npt.NDArray[np.int64]) -> list[pa.StringArray] | None:
        if b"\0" in data:
            return None
        try:
            body = data.replace(b"\r\n", b"\n").removesuffix(b"\n")
            texts = pc.split_pattern(pa.array([body.decode()]), "\n").flatten()
        except UnicodeDecodeError:
            return None
        return [texts, *[pa.nulls(len(texts), pa.string())] * self._others]

    def line(self, line: bytes) -> list[str | None]:
        return [batch.decode(line), *[None] * self._others]

    def check_first(self, data: bytes) -> None:
        """Accept any file: plain text has no columns."""
