"""The rows of any file of texts, in bounded batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.core.tablefile import delimited, lines, parquet
from pipeline.core.tablefile.batch import Batch, Quarantine
from pipeline.core.tablefile.jsonl import JsonLines
from pipeline.core.tablefile.source import Source
from pipeline.core.tablefile.text import TextLines


def batches(
    source: Source, *, quarantine: Quarantine, columns: Sequence[str] = (), whole: bool = False
) -> Iterator[Batch]:
    """Stream the rows of a file, with the named `columns` as strings beside the texts.

    Missing values and columns are null; JSON and Parquet values of other types are given as they
    are spelt. Each row that cannot be read is told to `quarantine` before the batch that would
    have held it; rows of batches and of quarantine make up all rows. With `whole`, batches hold
    what `writing` needs; it costs time for Parquet alone. Raises InputError when the file as a
    whole is unusable: missing, of another form, without a column of texts, damaged or cut off.
    """
    columns = list(dict.fromkeys(name for name in columns if name != source.text))
    if source.form == "text":
        return lines.batches(source, TextLines(source, columns), quarantine)
    if source.form == "jsonl":
        return lines.batches(source, JsonLines(source, columns), quarantine)
    if source.form == "csv":
        return delimited.batches(source, columns, quarantine)
    return parquet.batches(source, columns, quarantine, whole=whole)
