"""Files of units with made-up signatures, for tests of the joins that find duplicates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import schemas, store
from pipeline.corpus.signatures import BANDS
from pipeline.corpus.unit_files import UnitFile


def write_signed(
    folder: Path,
    bands: NDArray[np.uint64],
    exact: NDArray[np.uint64],
    *,
    at_a_time: int,
    kinds: NDArray[np.str_] | None = None,
) -> list[UnitFile]:
    """Write units whose bands, shape (units, BANDS), and digests are given; no text is long."""
    assert bands.shape == (len(exact), BANDS)
    (folder / "a" / "sign-0").mkdir(parents=True)
    files = []
    for n, first in enumerate(range(0, len(exact), at_a_time)):
        place = slice(first, first + at_a_time)
        rows = len(exact[place])
        names = pa.array([f"a-s{number:020x}" for number in range(first, first + rows)])
        kind = pa.repeat("sentence", rows) if kinds is None else pa.array(kinds[place].tolist())
        offsets = pa.array(np.arange(0, BANDS * rows + 1, BANDS, dtype=np.int32))
        table = pa.table(
            {
                "unit": names,
                "source": pa.repeat("a", rows),
                "kind": kind,
                "exact": pa.array([f"{digest:024x}" for digest in exact[place].tolist()]),
                "bands": pa.ListArray.from_arrays(offsets, bands[place].ravel()),
            },
            schema=schemas.SIGNATURES,
        )
        path = folder / "a" / "sign-0" / f"signatures-{n:05d}.parquet"
        store.write_parquet(path, table)
        files.append(UnitFile("a", f"a-{n:05d}", path, path, first, rows))
    return files
