"""Pairs of near-duplicates among units: candidates by shared bands, each compared by its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.core import store
from pipeline.core.mixing import mix
from pipeline.core.numbered import Numbers, NumberSet, Texts
from pipeline.core.partitions import Partitions, Rows, shared_groups
from pipeline.corpus.signatures import BANDS, shingle_hashes
from pipeline.corpus.unit_files import UnitFile, kind_codes, numbers_of

#: In a band shared by more units than this, each is compared with its neighbours alone.
CROWD: Final = 16
#: In such a band, a unit's neighbours are so many before and after it, and the first of all.
_NEAR: Final = 2
#: Pairs that are compared at a time.
BATCH: Final = 1_000
_BAND: Final = [("key", "<u8"), ("n", "<i8")]
_PAIR: Final = [("key", "<u8"), ("a", "<i8"), ("b", "<i8")]


class Candidates:
    """The pairs of units that share a band, and the set of units that are in any.

    Units of the set `left_out` are in none. A pair is of one kind and band: a
    key is a hash of both too.
    """

    def __init__(
        self, files: list[UnitFile], left_out: NumberSet, folder: Path, memory: int
    ) -> None:
        self.units = NumberSet(sum(file.rows for file in files))
        self._pairs = Partitions(folder / "pairs", _PAIR, memory)
        for part in _bands(files, left_out, Partitions(folder / "bands", _BAND, memory)):
            for a, b in part:
                self._add(a, b)

    def _add(self, a: Numbers, b: Numbers) -> None:
        rows = np.empty(len(a), _PAIR)
        rows["key"] = mix(mix(a.astype(np.uint64)) ^ b.astype(np.uint64))
        rows["a"], rows["b"] = a, b
        self._pairs.add(rows)
        self.units.add(a)
        self.units.add(b)

    def batches(self) -> Iterator[Numbers]:
        """Yield every pair once, few at a time, shape (pairs, 2)."""
        for part in self._pairs.parts():
            rows = part.rows[np.lexsort((part.rows["b"], part.rows["a"]))]
            is_new = np.ones(len(rows), bool)
            is_new[1:] = (rows["a"][1:] != rows["a"][:-1]) | (rows["b"][1:] != rows["b"][:-1])
            pairs = np.stack([rows["a"][is_new], rows["b"][is_new]], axis=1)
            yield from (pairs[n : n + BATCH] for n in range(0, len(pairs), BATCH))


def _bands(
    files: list[UnitFile], left_out: NumberSet, bands: Partitions
) -> Iterator[Iterator[tuple[Numbers, Numbers]]]:
    codes: dict[str, int] = {}
    for file in files:
        bands.add(_hashes(file, left_out, codes))
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


def _hashes(file: UnitFile, left_out: NumberSet, codes: dict[str, int]) -> Rows:
    """Return a row for each band of each unit, band by band."""
    table = store.read_table(file.signatures, "signatures", ("kind", "bands"))
    hashes = table.column("bands").combine_chunks().flatten().to_numpy().reshape(-1, BANDS)
    numbers = numbers_of(file)
    stays = ~left_out.has(numbers)
    kinds = kind_codes(table, codes)[stays] << np.uint64(8)
    places = np.arange(1, BANDS + 1, dtype=np.uint64)[:, np.newaxis]
    rows = np.empty((BANDS, len(kinds)), _BAND)
    rows["key"] = mix(hashes[stays].T ^ mix(kinds | places))
    rows["n"] = numbers[stays]
    flat: Rows = rows.ravel()
    return flat


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


def at_least(folder: Path, threshold: float, pairs: Numbers) -> Numbers:
    """Return those pairs whose trigram Jaccard similarity reaches the threshold."""
    numbers, places = np.unique(pairs, return_inverse=True)
    with Texts(folder, "texts") as texts:
        forms = texts.take(numbers.tolist())
    chosen: Numbers = pairs[similarities(forms, places.reshape(-1, 2)) >= threshold]
    return chosen


def similarities(forms: Sequence[str], pairs: Numbers) -> NDArray[np.float64]:
    """Return the Jaccard similarity, from 0 to 1, of the shingles of pairs of texts.

    Texts are given as they are `compared`; pairs are of their places, shape (pairs, 2).
    """
    hashes, starts = shingle_hashes(forms)
    many = np.diff(starts, append=len(hashes))
    known, shingles = np.unique(hashes, return_inverse=True)
    members = np.unique(np.repeat(np.arange(len(forms)), many) * len(known) + shingles)
    ends = np.searchsorted(members, np.arange(len(forms) + 1) * len(known))
    left, right = pairs.T
    firsts, sizes = ends[:-1], np.diff(ends)
    begins = np.cumsum(sizes[left]) - sizes[left]
    places = np.arange(sizes[left].sum()) + np.repeat(firsts[left] - begins, sizes[left])
    wanted = members[places] + np.repeat((right - left) * len(known), sizes[left])
    found = members[np.minimum(np.searchsorted(members, wanted), len(members) - 1)] == wanted
    common = np.add.reduceat(found, begins, dtype=np.int64)
    similar: NDArray[np.float64] = common / (sizes[left] + sizes[right] - common)
    return similar
