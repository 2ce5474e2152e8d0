"""What is done to a text with personal data: redact it, or put pseudonyms in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.pii.normal import normal
from pipeline.pii.originals import digest
from pipeline.pii.pseudonyms.pseudonymiser import NoPseudonymError, Pseudonymiser

#: From the type and the value as it stands in the text to what takes its place.
Replace = Callable[[str, str], str]


def redact(texts: pa.Array, hits: pa.Table) -> pa.Array:
    """Return the texts with every hit replaced by its type in brackets, such as ``[phone]``."""
    return _replaced(texts, hits, lambda kind, _: f"[{kind}]")


def pseudonymise(texts: pa.Array, hits: pa.Table, pseudonymiser: Pseudonymiser) -> pa.Array:
    """Return the texts with every hit replaced by its pseudonym.

    A value for which no pseudonym is free is redacted instead, for nothing personal may stay;
    `pseudonymiser.refused` counts these by type.
    """

    def replace(kind: str, value: str) -> str:
        try:
            return pseudonymiser.replace(kind, value)
        except NoPseudonymError:
            return f"[{kind}]"

    return _replaced(texts, hits, replace)


def originals(texts: pa.Array, hits: pa.Table, key: bytes) -> Iterator[bytes]:
    """Yield the keyed digest of every value that was found: the first pass of pseudonymisation."""
    for row, found in _by_row(hits):
        text = texts[row].as_py()
        for hit in found:
            yield digest(key, hit["type"], normal(hit["type"], text[hit["start"] : hit["end"]]))


def _replaced(texts: pa.Array, hits: pa.Table, replace: Replace) -> pa.Array:
    """Rewrite the texts that have hits; the others are not even looked at."""
    if not hits.num_rows:
        return texts
    rows, written = [], []
    for row, found in _by_row(hits):
        rows.append(row)
        written.append("".join(_pieces(texts[row].as_py(), found, replace)))
    mask = np.zeros(len(texts), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(texts, pa.array(mask), pa.array(written, texts.type))


def _pieces(text: str, found: list[dict[str, Any]], replace: Replace) -> Iterator[str]:
    """Yield what stands between the hits of a text, and what takes their places."""
    place = 0
    for hit in found:
        yield text[place : hit["start"]]
        yield replace(hit["type"], text[hit["start"] : hit["end"]])
        place = hit["end"]
    yield text[place:]


def _by_row(hits: pa.Table) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    columns = hits.select(["row", "type", "start", "end"]).to_pylist()
    for row, found in groupby(columns, key=lambda hit: hit["row"]):
        yield row, list(found)
