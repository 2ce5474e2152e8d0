"""The units of all sources, numbered in corpus order: by the paths of their signatures, then rows.

A number stands for a unit in joins, and tells its shard: that of the file whose rows it is among.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.core import store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.numbered import Numbers, Texts, TextWriter
from pipeline.core.stage import Call

#: Pairs of numbers of units are kept in 64 bits.
MOST: Final = 2**32 - 1


class UnitFile(NamedTuple):
    """A file of units with its signatures, row by row; `first` is the number of its first unit."""

    source: str
    shard: str
    signatures: Path
    units: Path
    first: int
    rows: int


def unit_files(call: Call) -> list[UnitFile]:
    """Return the files of units and signatures that a call reads, in corpus order.

    Raises StoreError for signatures of other units than are there, and InputError for more units
    than joins have numbers for.
    """
    units = {_label(path, "units"): path for path in _tables(call, "units")}
    signatures = sorted(_tables(call, "signatures"), key=str)
    counts = [pq.read_metadata(path).num_rows for path in signatures]
    files = []
    for path, first, rows in zip(signatures, accumulate(counts, initial=0), counts, strict=False):
        source, label = _label(path, "signatures")
        units_path = units.get((source, label))
        if units_path is None or pq.read_metadata(units_path).num_rows != rows:
            raise StoreError(
                f"{path}: are not the signatures of the units of {source}; remove the folders of"
                f" {source} in the store and run again"
            )
        files.append(UnitFile(source, f"{source}-{label}", path, units_path, first, rows))
    if sum(counts) > MOST:
        raise InputError(
            f"the sources have {sum(counts):,} units; duplicates are looked for among at most"
            f" {MOST:,}: build some of the sources alone"
        )
    return files


def _tables(call: Call, name: str) -> list[Path]:
    return [path for folder in call.inputs for path in store.tables(folder, name)]


def _label(path: Path, name: str) -> tuple[str, str]:
    return path.parent.parent.name, path.stem.removeprefix(f"{name}-")


def kind_codes(table: pa.Table, codes: dict[str, int]) -> NDArray[np.uint64]:
    """Return the kind of each unit as a number; kinds that `codes` lacks get the next one."""
    kinds = table.column("kind").combine_chunks().dictionary_encode()
    numbers = [codes.setdefault(kind, len(codes)) for kind in kinds.dictionary.to_pylist()]
    found: NDArray[np.uint64] = np.array(numbers, np.uint64)[kinds.indices.to_numpy()]
    return found


def numbers_of(file: UnitFile) -> Numbers:
    """Return the numbers of the units of a file."""
    return np.arange(file.first, file.first + file.rows, dtype=np.int64)


def write_ids(files: list[UnitFile], folder: Path) -> None:
    """Write the ids of all units, to be read by number."""
    with closing(TextWriter(folder, "ids")) as ids:
        for file in files:
            ids.add(store.read_table(file.units, "units", ("id",)).column("id"))


def write_by_shard(
    folder: Path, files: list[UnitFile], ids: Texts, **column: Iterator[tuple[Numbers, Numbers]]
) -> None:
    """Write SHARD.parquet for each file: unit and a column, the id of the other number of a pair.

    The pairs come some at a time, in the order of the first numbers.
    """
    ((name, pairs),) = column.items()
    folder.mkdir(exist_ok=True)
    schema = pa.schema({key: pa.string() for key in ("unit", name)})
    for file, parts in _by_file(files, pairs):
        columns = ([ids.take(numbers) for numbers in part] for part in parts)
        tables = [pa.table(pair, schema=schema) for pair in columns]
        store.write_parquet(
            folder / f"{file.shard}.parquet", pa.concat_tables([schema.empty_table(), *tables])
        )


def _by_file(
    files: list[UnitFile], pairs: Iterator[tuple[Numbers, Numbers]]
) -> Iterator[tuple[UnitFile, list[tuple[Numbers, Numbers]]]]:
    """Yield every file with the pairs whose first numbers are of its units."""
    left, held = deque(files), list[tuple[Numbers, Numbers]]()
    for units, others in pairs:
        begin = 0
        while (end := int(np.searchsorted(units, left[0].first + left[0].rows))) < len(units):
            yield left.popleft(), [*held, (units[begin:end], others[begin:end])]
            held, begin = [], end
        held.append((units[begin:], others[begin:]))
    for file in left:
        yield file, held
        held = []
