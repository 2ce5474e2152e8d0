"""The tables that a sampling call reads: units, documents, sections, infoboxes of a source.

The inputs of such a call are the output folders of corpus stages. Tables are found by name and,
where a folder belongs to one source, by source. Rows are streamed in batches.

`keyed_walk` yields units in keyed order, which depends on seed, purpose and ids alone. The keys of
all units are held (8 bytes each). The units come in pools of bounded size, each read in one pass
over the source, so that a walk that stops early costs little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.ids import draw
from pipeline.core.stage import Call

#: Rows that are held at a time.
ROWS: Final = 16_384

Table = Literal["documents", "sections", "infoboxes", "translations", "ledger"]


def units(call: Call, source: str) -> Iterator[pa.Table]:
    """Yield the kept units of a source (columns of KEPT) that feed the call's task, in their order.

    ``call.params["sources"][source]["kind"]`` is the kind of unit (sentence, whole).
    """
    yield from _read(_files(call, "kept"), "kept", _feeds(call, source))


def ids(call: Call, source: str) -> pa.Array:
    """Return the ids of the units that `units` yields; none for a source that is not there."""
    known = source in call.params["sources"]
    return _ids(_files(call, "kept"), _feeds(call, source)) if known else _ids([])


def row_ids(call: Call, source: str, name: Table) -> pa.Array:
    """Return the ids of the rows that `rows` yields."""
    return _ids(_files(call, name, source))


def rows(
    call: Call, source: str, name: Table, *, columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """Yield the rows of a table that a stage of that source wrote, in their order.

    If `columns` are given, only they are read: the texts of documents are most of their size.
    """
    yield from _read(_files(call, name, source), name, None, columns)


def translations(call: Call, source: str) -> Iterator[pa.Table]:
    """Yield the translations of a source's units, from any folder of the call."""
    yield from _read(_files(call, "translations"), "translations", pc.field("source") == source)


def _feeds(call: Call, source: str) -> pc.Expression:
    kind = call.params["sources"][source]["kind"]
    return (pc.field("source") == source) & (pc.field("kind") == kind)


def _ids(files: list[str], wanted: pc.Expression | None = None) -> pa.Array:
    if not files:
        return pa.array([], pa.string())
    return _dataset(files).to_table(columns=["id"], filter=wanted)["id"].combine_chunks()


def _dataset(files: list[str], schema: pa.Schema | None = None) -> Any:
    import pyarrow.dataset  # planning does without

    return pyarrow.dataset.dataset(files, schema=schema)


def _files(call: Call, name: str, source: str | None = None) -> list[str]:
    """Return the files of a table among the call's inputs; folders are STORE/SOURCE/STAGE-X."""
    folders = [f for f in call.inputs if source is None or f.parent.name == source]
    return [str(path) for folder in folders for path in store.tables(folder, name)]


def _read(
    files: list[str],
    name: str,
    wanted: pc.Expression | None,
    columns: Sequence[str] | None = None,
) -> Iterator[pa.Table]:
    if not files:
        return
    try:
        scan = _dataset(files, schemas.TABLES[name]).scanner(
            columns=None if columns is None else list(columns),
            filter=wanted,
            batch_size=ROWS,
            batch_readahead=1,
            fragment_readahead=1,
        )
        for batch in scan.to_batches():
            if batch.num_rows:
                table = pa.Table.from_batches([batch])
                yield schemas.check(table, name) if columns is None else table
    except (OSError, pa.ArrowException) as error:
        folder = Path(files[0]).parent
        raise StoreError(
            f"{folder}: damaged ({type(error).__name__}); remove it and run again"
        ) from None


#: Units in the first pool by default; each further pool is twice as large, up to MOST.
FIRST: Final = 8_192
MOST: Final = 65_536

Row = dict[str, Any]
Keys = npt.NDArray[np.float64]


def keyed_walk(call: Call, source: str, *, purpose: str, first: int = FIRST) -> Iterator[Row]:
    """Yield the units of a source (rows of KEPT), by keyed draw and id.

    The seed is ``call.params["seed"]``. `first` is about how many units will be wanted.
    """
    keys = _keys(call, source, purpose)
    for low, high in pools(keys, first=first):
        yield from _pool(call, source, keys, low, high)


def pools(keys: Keys, *, first: int = FIRST) -> Iterator[tuple[float, float]]:
    """Yield bounds (low, high) of keys, so that low <= key < high holds for a pool of units each.

    Together they hold every key, in ascending order.
    """
    ordered, begin, size = np.sort(keys), 0, min(max(first, 1), MOST)
    while begin < len(ordered):
        end = begin + size
        high = float(ordered[end]) if end < len(ordered) else 1.0
        yield float(ordered[begin]), high
        begin = int(np.searchsorted(ordered, high, side="left")) if high < 1.0 else len(ordered)
        size = min(2 * size, MOST)


def _keys(call: Call, source: str, purpose: str) -> Keys:
    seed = call.params["seed"]
    names = ids(call, source).to_pylist()
    return np.fromiter((draw(seed, purpose, name) for name in names), np.float64, len(names))


def _pool(call: Call, source: str, keys: Keys, low: float, high: float) -> Iterator[Row]:
    """Yield the units of a pool; `keys` are those of all units, in the order of `inputs.units`."""
    chosen: list[pa.Table] = []
    place = 0
    for table in units(call, source):
        batch_keys = keys[place : place + table.num_rows]
        place += table.num_rows
        inside = (batch_keys >= low) & (batch_keys < high)
        chosen.append(
            table.filter(pa.array(inside)).append_column("key", pa.array(batch_keys[inside]))
        )
    pool = pa.concat_tables(chosen)
    order = pc.sort_indices(pool, sort_keys=[("key", "ascending"), ("id", "ascending")])
    for batch in pool.take(order).select(schemas.KEPT.names).to_batches(max_chunksize=ROWS):
        yield from batch.to_pylist()
