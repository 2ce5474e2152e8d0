"""The files of a pretraining corpus: text and data of the same number hold the same documents.

A file of text has a sentence a line and an empty line between documents; a row of data is a
sentence. A document lies in one file, and a file has at most so many bytes, unless one document
alone has more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.release.pretraining.manifest import Statistics

#: The columns of data. `id` is that of the sentence and `cluster` that of the smallest of its near
#: duplicates, as in the tables of a build: `klue explain ID` tells where it came from.
ROWS: Final = pa.schema(
    {name: pa.string() for name in ("id", "document_id", "source", "text", "cluster")}
)
#: What ends a line for one reader or another, and is a blank in a text of one line.
_LINE_ENDS: Final = r"[\n\r\x0b\x0c\x1c-\x1e\x{85}\x{2028}\x{2029}]+"


def one_line(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts, each on one line."""
    return pc.replace_substring_regex(texts, _LINE_ENDS, " ")


def cut_parts(tables: Iterable[pa.Table], limit: int) -> Iterator[pa.Table]:
    """Yield tables ROWS whose text has at most `limit` bytes, by whole documents in their order.

    The rows of a document follow each other in one of the tables that come in.
    """
    waiting, size = list[pa.Table](), 0
    for table in tables:
        starts = document_starts(table)
        sizes = np.add.reduceat(_line_sizes(table), starts) + 1 if len(starts) else starts
        first = 0
        for place, document in zip(starts.tolist(), sizes.tolist(), strict=True):
            # The last document of a file has no empty line behind it.
            if size and size + document - 1 > limit:
                yield pa.concat_tables([*waiting, table.slice(first, place - first)])
                waiting, size, first = [], 0, place
            size += document
        waiting.append(table.slice(first))
    if size:
        yield pa.concat_tables(waiting)


def text_of(table: pa.Table) -> str:
    """Return the text of a file of these rows."""
    lines = [f"{text}\n" for text in table.column("text").to_pylist()]
    for start in document_starts(table)[1:].tolist():
        lines[start] = f"\n{lines[start]}"
    return "".join(lines)


def statistics(table: pa.Table) -> Statistics:
    """Return the statistics of rows; their bytes are those of the lines, without empty ones."""
    texts = table.column("text")
    documents = len(document_starts(table))
    return Statistics(
        documents=documents,
        sentences=table.num_rows,
        words=pc.sum(pc.list_value_length(pc.utf8_split_whitespace(texts))).as_py() or 0,
        characters=pc.sum(pc.utf8_length(texts)).as_py() or 0,
        bytes=int(_line_sizes(table).sum()),
    )


def document_starts(table: pa.Table) -> NDArray[np.int64]:
    """Return the rows at which documents begin."""
    documents = table.column("document_id").combine_chunks()
    if not len(documents):
        return np.empty(0, np.int64)
    changes = pc.not_equal(documents[1:], documents[:-1]).to_numpy(zero_copy_only=False)
    return np.append(0, np.flatnonzero(changes) + 1)


def _line_sizes(table: pa.Table) -> NDArray[np.int64]:
    sizes: NDArray[np.int64] = pc.binary_length(table.column("text")).to_numpy().astype(np.int64)
    return sizes + 1
