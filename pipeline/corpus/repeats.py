"""Notices that stand in many documents, glued to other text: repeated spans are found and cut.

A window is `length` characters in a row of one unit; it is repeated if it stands in at least
`documents` documents. A span is what repeated windows next to each other cover, without edges
much rarer than its core and without the end of a sentence in front: ``했다.`` stands before many
notices. Windows are compared by a 64-bit rolling hash (Karp and Rabin 1987, "Efficient randomized
pattern-matching algorithms") and counted on disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.core import ledger, store
from pipeline.core.join_memory import MEMORY
from pipeline.core.partitions import Partitions, Rows, scratch

#: A window belongs to a span if it stands in this share of the documents of its commonest window.
SHARE: Final = 0.8
RULE: Final = "repeated.span@1"
_BASE: Final = 0x9E3779B97F4A7C15
_SENTENCE_END: Final = re.compile(r"\S*[.?!…][\"'”’)\]]*\s*")

Numbers = NDArray[Any]


def count(
    tables: Iterable[Path], out: Path, *, length: int, documents: int, memory: int = MEMORY
) -> None:
    """Write hash and documents of the repeated windows of tables of units to a Parquet file.

    All units of a document are in one table. Counting takes so much `memory`, in MiB.
    """
    schema = pa.schema({"hash": pa.uint64(), "documents": pa.int64()})
    with (
        scratch(out.parent) as place,
        pq.ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        windows = Partitions(place / "windows", [("hash", "<u8")], memory)
        for path in tables:
            windows.add(_in_documents(path, length))
        for hashes, counts in _counts(windows):
            is_repeated = counts >= documents
            rows = [hashes[is_repeated], counts[is_repeated]]
            writer.write_table(pa.table(rows, schema=schema))


def _in_documents(path: Path, length: int) -> Rows:
    """Return the hash of each window of a table of units, once for each document."""
    units = store.read_table(path, "units", ("document", "text"))
    owners, starts, hashes = _windows(units.column("text").to_pylist(), length)
    documents = units.column("document").combine_chunks().dictionary_encode().indices.to_numpy()
    names = documents[owners[starts]] if len(starts) else np.empty(0, np.int64)
    order = np.lexsort((names, hashes))
    hashes, names = hashes[order], names[order]
    is_new = np.ones(len(hashes), bool)
    is_new[1:] = (hashes[1:] != hashes[:-1]) | (names[1:] != names[:-1])
    rows: Rows = hashes[is_new].view([("hash", "<u8")])
    return rows


def _counts(windows: Partitions) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield different hashes in order, and how often they were added."""
    last: list[Numbers] = []
    for part in windows.parts():
        hashes, counts = np.unique(part.rows["hash"], return_counts=True)
        if part.continues:
            last[1] = last[1] + counts
        else:
            yield from [(last[0], last[1])] if last else []
            last = [hashes, counts]
    yield from [(last[0], last[1])] if last else []


def cut(units: pa.Table, repeated: Path, *, length: int) -> tuple[pa.Table, pa.Table]:
    """Cut the spans of repeated windows out of units; a blank stays for each.

    Returns the units and their ledger rows, whose reasons say how many spans and characters.
    """
    texts: list[str] = units.column("text").to_pylist()
    owners, starts, hashes = _windows(texts, length)
    known, documents = _counts_of(hashes, repeated)
    is_known = np.isin(hashes, known)
    places, counts = starts[is_known], documents[np.searchsorted(known, hashes[is_known])]
    breaks = np.flatnonzero((np.diff(places) > 1) | (np.diff(owners[places]) > 0)) + 1
    runs = list(zip(np.split(places, breaks), np.split(counts, breaks), strict=True))
    spans: list[tuple[int, int]] = []
    while runs:
        run, shares = runs.pop()
        core = run[shares >= SHARE * shares.max(initial=1)].tolist()
        for begin, end in [(core[0], core[-1] + length)] if core else []:
            spans.append((begin, end))
            runs += [(run[rest], shares[rest]) for rest in (run <= begin - length, run >= end)]
    reasons: dict[int, list[int]] = {}
    first = np.cumsum([0, *map(len, texts)]).tolist()
    for begin, end in sorted(spans, reverse=True):
        unit = int(owners[begin])
        text, left, right = texts[unit], begin - first[unit], end - first[unit]
        head = _SENTENCE_END.match(text, left, right) if text[:left].strip() else None
        left = head.end() if head and head.end() < right else left
        texts[unit] = f"{text[:left]} {text[right:]}"
        reasons.setdefault(unit, []).append(right - left)
    edited = sorted(reasons)
    words = [f"span {len(reasons[n])}; {sum(reasons[n])} characters fewer" for n in edited]
    rows = ledger.rows(
        units.select(["id", "source"]).take(pa.array(edited, pa.int64())),
        stage="clean",
        rule=RULE,
        action="edit",
        reason=pa.array(words, pa.string()),
    )
    place = units.schema.get_field_index("text")
    return units.set_column(place, units.schema.field(place), pa.array(texts, pa.string())), rows


def _counts_of(hashes: Numbers, repeated: Path) -> tuple[Numbers, Numbers]:
    """Return the repeated windows among these, in order, and their documents.

    The file is read in pieces: what is repeated in a corpus may be much more than one table.
    """
    wanted = np.unique(hashes)
    found = [np.empty((2, 0), np.uint64)]
    with pq.ParquetFile(repeated) as file:
        for batch in file.iter_batches() if len(wanted) else ():
            known, documents = (column.to_numpy() for column in batch.columns)
            places = np.searchsorted(wanted, known).clip(max=len(wanted) - 1)
            found.append(np.stack([known, documents.astype(np.uint64)])[:, wanted[places] == known])
    known, documents = np.concatenate(found, axis=1)
    return known, documents


def _windows(texts: list[str], length: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the unit of each character, where windows start among all, and their hashes."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    owners = np.repeat(np.arange(len(texts)), list(map(len, texts)))
    powers = np.cumprod(np.full(len(codes), _BASE, np.uint64), dtype=np.uint64)
    inverse = pow(_BASE, -1, 2**64)
    backward = np.cumprod(np.full(len(codes), inverse, np.uint64), dtype=np.uint64)
    mixed = (codes.astype(np.uint64) + np.uint64(1)) ** np.uint64(3) * powers
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    last = max(len(codes) - length + 1, 0)
    starts = np.flatnonzero(owners[:last] == owners[length - 1 : length - 1 + last])
    return owners, starts, (sums[starts + length] - sums[starts]) * backward[starts]
