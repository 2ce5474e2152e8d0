"""Units that repeat an earlier one of their source and kind, found in a set memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from pipeline.core import store
from pipeline.core.mixing import mix
from pipeline.core.numbered import Numbers
from pipeline.core.partitions import Partitions, Rows, in_order, shared_groups
from pipeline.corpus.unit_files import UnitFile, kind_codes, numbers_of

#: `key` and `rest` are the digest of a unit's normalised text with its source and kind.
_UNIT: Final = [("key", "<u8"), ("rest", "<u8"), ("n", "<i8")]


def find_repeats(
    files: list[UnitFile], folder: Path, memory: int
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the numbers of units that repeat one, in order, and of the first unit of that text."""
    units = sum(file.rows for file in files)
    repeats = _unordered(files, folder, memory)
    yield from in_order(repeats, folder / "repeats", memory, below=units)


def _unordered(
    files: list[UnitFile], folder: Path, memory: int
) -> Iterator[tuple[Numbers, Numbers]]:
    units, codes = Partitions(folder / "exact", _UNIT, memory), dict[str, int]()
    sources = {name: n for n, name in enumerate(sorted({file.source for file in files}))}
    for file in files:
        units.add(_digests(file, sources[file.source], codes))
    first: Rows = np.empty(0, _UNIT)
    for part in units.parts():
        rows, starts = shared_groups(part)
        if not len(rows):
            continue
        originals = rows[starts]
        if part.continues:
            originals[:] = first[0]
        first = originals[-1:]
        is_repeat = (originals["rest"] == rows["rest"]) & (originals["n"] != rows["n"])
        yield rows["n"][is_repeat], originals["n"][is_repeat]


def _digests(file: UnitFile, source: int, codes: dict[str, int]) -> Rows:
    table = store.read_table(file.signatures, "signatures", ("kind", "exact"))
    digests = bytes.fromhex("".join(table.column("exact").to_pylist()))
    parts = np.frombuffer(digests, [("high", ">u8"), ("low", ">u4")])
    rows = np.empty(file.rows, _UNIT)
    rows["rest"] = parts["low"]
    rows["rest"] <<= np.uint64(32)
    rows["rest"] |= kind_codes(table, codes) << np.uint64(16) | np.uint64(source)
    rows["key"] = parts["high"].astype(np.uint64) ^ mix(rows["rest"])
    rows["n"] = numbers_of(file)
    return rows
