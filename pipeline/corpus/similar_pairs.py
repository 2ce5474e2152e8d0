"""Near-duplicates among candidates: what sketches cannot rule out is compared by its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import store
from pipeline.core.mapped import Mapped
from pipeline.core.numbered import Numbers, NumberSet, Texts, TextWriter
from pipeline.core.pool import active
from pipeline.corpus.signatures import compared, normalise, shingle_hashes
from pipeline.corpus.sketches import SKETCH, may_reach, sketches
from pipeline.corpus.unit_files import UnitFile, numbers_of

#: Pairs that are compared at a time.
BATCH: Final = 2_000


def similar(
    files: list[UnitFile],
    units: NumberSet,
    candidates: Iterator[Numbers],
    folder: Path,
    threshold: float,
) -> Iterator[Numbers]:
    """Yield those candidates whose trigram Jaccard similarity reaches the threshold.

    Pairs are of numbers of `units`, shape (pairs, 2), and come in any order.
    """
    _write_texts(files, folder, units)
    likely = _batches(_likely(candidates, folder, threshold))
    yield from active().map(partial(_at_least, folder, threshold), likely)


def _write_texts(files: list[UnitFile], folder: Path, units: NumberSet) -> None:
    """Write the texts of units as they are compared, and their sketches, to be read by number."""
    wanted = ((file.units, units.has(numbers_of(file))) for file in files)
    with closing(TextWriter(folder, "texts")) as texts, (folder / "sketches").open("wb") as bits:
        for forms, sketched in active().map_in_order(_compared, wanted):
            texts.add(forms)
            bits.write(sketched.view(np.uint8).data)


def _compared(wanted: tuple[Path, NDArray[np.bool_]]) -> tuple[pa.ChunkedArray, NDArray[np.void]]:
    """Return texts of a file and their sketches; what is not wanted is empty."""
    path, chosen = wanted
    column = store.read_table(path, "units", ("text",)).column("text")
    texts = column.filter(pa.array(chosen)).to_pylist()
    forms = compared(texts, list(map(normalise, texts)))
    sketched = np.zeros(len(chosen), SKETCH)
    sketched[chosen] = sketches(forms)
    rest = iter(forms)
    spread = [next(rest) if there else "" for there in chosen.tolist()]
    return pa.chunked_array([pa.array(spread, pa.string())]), sketched


def _likely(candidates: Iterator[Numbers], folder: Path, threshold: float) -> Iterator[Numbers]:
    known = Mapped(folder / "sketches", SKETCH)
    for pairs in candidates:
        left, right = map(known.take, pairs.T)
        yield pairs[may_reach(left, right, threshold)]


def _batches(some: Iterator[Numbers]) -> Iterator[Numbers]:
    """Yield the same pairs, `BATCH` at a time."""
    waiting = np.empty((0, 2), np.int64)
    for pairs in some:
        waiting = np.concatenate([waiting, pairs])
        full = len(waiting) // BATCH * BATCH
        yield from (waiting[n : n + BATCH] for n in range(0, full, BATCH))
        waiting = waiting[full:]
    if len(waiting):
        yield waiting


def _at_least(folder: Path, threshold: float, pairs: Numbers) -> Numbers:
    numbers, places = np.unique(pairs, return_inverse=True)
    forms = Texts(folder, "texts").take(numbers).to_pylist()
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
