"""A walk through the units of a source in keyed order, without holding the source in memory.

The order depends on seed, purpose and ids alone. A walk that stops early costs little: units come
in pools of growing size, each of them one pass over the ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas
from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs

#: How many units a walk begins with, unless it is told; each further pool is twice as large.
FIRST: Final = 8_192

Row = dict[str, Any]


def keyed(call: Call, source: str, *, purpose: str, first: int = FIRST) -> Iterator[Row]:
    """Yield the units of a source (rows of KEPT), by keyed draw and id.

    The seed is ``call.params["seed"]``. `first` is about how many units will be wanted.
    """
    seed, total = call.params["seed"], inputs.size(call, source)
    low, wanted = 0.0, max(first, 1)
    while low < 1.0 and total:
        high = min(1.0, low + wanted / total)
        yield from _pool(call, source, seed, purpose, low, high)
        low, wanted = high, wanted * 2


def _pool(
    call: Call, source: str, seed: int, purpose: str, low: float, high: float
) -> Iterator[Row]:
    found: list[pa.Table] = []
    keys: list[float] = []
    for table in inputs.units(call, source):
        drawn = [draw(seed, purpose, name) for name in table.column("id").to_pylist()]
        mask = [low <= key < high for key in drawn]
        keys += [key for key, taken in zip(drawn, mask, strict=True) if taken]
        found.append(table.filter(pa.array(mask, pa.bool_())))
    pool = pa.concat_tables(found) if found else schemas.empty("kept")
    order = pc.sort_indices(
        pool.append_column("key", pa.array(keys, pa.float64())),
        sort_keys=[("key", "ascending"), ("id", "ascending")],
    )
    for batch in pool.take(order).to_batches(max_chunksize=inputs.ROWS):
        yield from batch.to_pylist()
