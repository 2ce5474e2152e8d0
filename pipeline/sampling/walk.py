"""A walk through the units of a source in keyed order, without holding the source in memory.

The order depends on seed, purpose and ids alone. The keys of all units are held (8 bytes each). The
units come in pools of bounded size, each read in one pass over the source, so that a walk that
stops early costs little.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas
from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs

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
    names = inputs.ids(call, source).to_pylist()
    return np.fromiter((draw(seed, purpose, name) for name in names), np.float64, len(names))


def _pool(call: Call, source: str, keys: Keys, low: float, high: float) -> Iterator[Row]:
    """Yield the units of a pool; `keys` are those of all units, in the order of `inputs.units`."""
    chosen: list[pa.Table] = []
    place = 0
    for table in inputs.units(call, source):
        own = keys[place : place + table.num_rows]
        place += table.num_rows
        inside = (own >= low) & (own < high)
        chosen.append(table.filter(pa.array(inside)).append_column("key", pa.array(own[inside])))
    pool = pa.concat_tables(chosen)
    order = pc.sort_indices(pool, sort_keys=[("key", "ascending"), ("id", "ascending")])
    for batch in pool.take(order).select(schemas.KEPT.names).to_batches(max_chunksize=inputs.ROWS):
        yield from batch.to_pylist()
