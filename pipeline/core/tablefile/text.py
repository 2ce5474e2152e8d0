"""Plain text: one text a line; a blank line is an empty text."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.tablefile import batch
from pipeline.core.tablefile.source import Source


class TextLines:
    """Reads lines as texts; all other columns are null."""

    def __init__(self, source: Source, columns: Sequence[str]) -> None:
        """Take the names of the columns that are wanted."""
        self.names = [source.text, *columns]

    def block(self, data: bytes) -> list[pa.StringArray] | None:
        """Return the texts of whole lines, or None unless all are good."""
        if b"\0" in data:
            return None
        try:
            body = data.replace(b"\r\n", b"\n").removesuffix(b"\n")
            whole = pa.array([body], pa.binary()).cast(pa.string())
        except pa.ArrowInvalid:
            return None
        texts = pc.split_pattern(whole, "\n").flatten()
        return [texts, *(pa.nulls(len(texts), pa.string()) for _ in self.names[1:])]

    def line(self, line: bytes) -> list[str | None]:
        """Return one line's text; raises RecordError for what is no UTF-8."""
        return [batch.decode(line), *(None for _ in self.names[1:])]

    def surely(self, source: Source, data: bytes) -> None:
        """A text file has no columns that could be wrong."""
