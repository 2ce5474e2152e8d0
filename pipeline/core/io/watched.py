"""Reading that reports how far it is: in bytes of a plain file, else in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow.parquet as pq

from pipeline.core import steps
from pipeline.core.io import read_batches
from pipeline.core.io.batch import Batch, Quarantine
from pipeline.core.io.source import READABLE, Source


def watched_batches(
    source: Source,
    *,
    quarantine: Quarantine,
    columns: Sequence[str] = (),
    whole: bool = False,
    verb: str = "reading",
) -> Iterator[Batch]:
    """Yield what `read_batches` does; the file is a step, named by the verb and the file.

    A batch is reported when the next one is asked for: what is done with it belongs to the step.
    """
    batches = read_batches(source, quarantine=quarantine, columns=columns, whole=whole)
    first = next(batches, None)  # a file that cannot be read is refused before it is measured
    if first is None:
        return
    is_parquet, is_packed = source.form == "parquet", source.path.suffix.lower() in READABLE
    unit, total = "rows", None
    if is_parquet:
        total = pq.read_metadata(source.path).num_rows
    elif not is_packed:
        unit, total = "bytes", source.path.stat().st_size
    step = f"{verb} {source.path.name}, {unit}"
    with steps.running(step, total):
        batch: Batch | None = first
        while batch is not None:
            yield batch
            steps.advance(step, len(batch.data) if unit == "bytes" else len(batch))
            batch = next(batches, None)
