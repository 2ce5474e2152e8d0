"""Pairs of units that may be near-duplicates: those of one kind that share a band."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import store
from pipeline.core.mixing import mix
from pipeline.core.numbered import Numbers, NumberSet
from pipeline.core.partitions import Divided, Partitions, divide, shared_groups
from pipeline.core.pool import active
from pipeline.corpus.signatures import BANDS
from pipeline.corpus.unit_files import UnitFile, numbers_of

#: In a band shared by more units than this, each is compared with its neighbours alone.
CROWD: Final = 16
#: In such a band, a unit's neighbours are so many before and after it, and the first of all.
_NEAR: Final = 2
#: Pairs that are given at a time.
_GIVEN: Final = 2**16
_BAND: Final = [("key", "<u8"), ("n", "<i8")]
#: The first unit of a pair in the first bits, the second in the last.
_PAIR: Final = [("key", "<u8")]


class Candidates:
    """The pairs of units that share a band, and the set of units that are in any.

    Units of the set `left_out` are in none. A pair is of one kind and band: a key is a hash of both
    too. `memory` is what this process takes, in MiB.
    """

    def __init__(
        self, files: list[UnitFile], left_out: NumberSet, folder: Path, memory: int
    ) -> None:
        units = sum(file.rows for file in files)
        self.units = NumberSet(units)
        self._shift = np.uint64(64 - max(1, units).bit_length())
        self._seconds = (np.uint64(1) << self._shift) - np.uint64(1)
        self._pairs = Partitions(folder / "pairs", _PAIR, memory)
        for part in _bands(files, left_out, Partitions(folder / "bands", _BAND, memory)):
            for a, b in part:
                self._add(a, b)

    def _add(self, a: Numbers, b: Numbers) -> None:
        keys = a.astype(np.uint64) << self._shift | b.astype(np.uint64)
        self._pairs.add(keys.view(_PAIR))
        self.units.add(a)
        self.units.add(b)

    def batches(self) -> Iterator[Numbers]:
        """Yield every pair once, in order, some at a time, shape (pairs, 2)."""
        for part in self._pairs.parts():
            keys = np.sort(part.rows["key"])
            keys = keys[np.flatnonzero(np.diff(keys, prepend=~keys[:1]))]
            for n in range(0, len(keys), _GIVEN):
                some = keys[n : n + _GIVEN]
                pairs = np.stack([some >> self._shift, some & self._seconds], axis=1)
                yield pairs.astype(np.int64)


def _bands(
    files: list[UnitFile], left_out: NumberSet, bands: Partitions
) -> Iterator[Iterator[tuple[Numbers, Numbers]]]:
    staying = ((file, ~left_out.has(numbers_of(file))) for file in files)
    for divided in active().map_in_order(_hashes, staying):
        bands.add_divided(divided)
    crowd: Numbers = np.empty(0, np.int64)
    for part in bands.parts():
        rows, starts = shared_groups(part)
        numbers: Numbers = rows["n"]
        if part.continues:
            yield _further_pairs(crowd, numbers)
        else:
            yield _pairs(numbers, starts)
            crowd = numbers[:1]
        crowd = np.concatenate([crowd[:1], numbers[-_NEAR:]])


def _hashes(staying: tuple[UnitFile, NDArray[np.bool_]]) -> Divided:
    """Return a row for each band of each unit of a file that stays, band by band."""
    file, stays = staying
    table = store.read_table(file.signatures, "signatures", ("kind", "bands"))
    hashes = table.column("bands").combine_chunks().flatten().to_numpy().reshape(-1, BANDS)
    kinds = _kind_hashes(table.column("kind"))[stays]
    places = np.arange(1, BANDS + 1, dtype=np.uint64)[:, np.newaxis]
    rows = np.empty((BANDS, len(kinds)), _BAND)
    rows["key"] = mix(hashes[stays].T ^ mix(kinds ^ places))
    rows["n"] = numbers_of(file)[stays]
    return divide(rows.ravel())


def _kind_hashes(kinds: pa.ChunkedArray) -> NDArray[np.uint64]:
    names = kinds.combine_chunks().dictionary_encode()
    digests = [blake2b(n.encode(), digest_size=8).digest() for n in names.dictionary.to_pylist()]
    hashes: NDArray[np.uint64] = np.frombuffer(b"".join(digests), "<u8")[names.indices.to_numpy()]
    return hashes


def _pairs(numbers: Numbers, starts: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs within groups of numbers; `starts` is where the group of each begins."""
    places = np.arange(len(numbers)) - starts
    sizes = np.bincount(starts, minlength=len(numbers))[starts]
    for distance in range(1, CROWD):
        later = places >= distance
        if distance > _NEAR:
            later &= sizes <= CROWD
        ends = np.flatnonzero(later)
        yield numbers[ends - distance], numbers[ends]
    far = np.flatnonzero((sizes > CROWD) & (places > _NEAR))
    yield numbers[starts[far]], numbers[far]


def _further_pairs(crowd: Numbers, numbers: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of further units of a crowd, of which the first and the last are given."""
    near = np.concatenate([crowd[1:], numbers])
    for distance in range(1, _NEAR + 1):
        ends = np.arange(len(crowd) - 1, len(near))
        yield near[ends - distance], near[ends]
    yield np.repeat(crowd[:1], len(numbers)), numbers
