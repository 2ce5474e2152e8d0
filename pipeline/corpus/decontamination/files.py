"""Files of texts written again without the rows that hold texts of a benchmark.

Rows are searched by the batch, over a pool of processes; files are read and written by one, in
their order, so that the same bytes come out whatever the number of processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import orjson
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import store
from pipeline.core.io import Batch, Quarantined, Source, open_writer, read_batches
from pipeline.core.pool import Workers
from pipeline.corpus.decontamination.benchmark import Benchmark
from pipeline.corpus.decontamination.guard import load_guard
from pipeline.corpus.decontamination.rules import find_matches
from pipeline.corpus.decontamination.tally import FileCounts, Tally

#: Beside the files: the ledger, the rows that could not be read, the contaminated examples.
REMOVED: Final = "removed.jsonl"
QUARANTINE: Final = "quarantine.jsonl"
CONTAMINATED: Final = "contaminated.jsonl"


@dataclass(frozen=True)
class CorpusFile:
    """A file of a corpus, and its name in the ledger and below the folder that is written."""

    name: str
    source: Source


def search(texts: pa.StringArray | None, *, guarded: Path, rule: str) -> pa.Table | None:
    """Return the MATCHES of texts with a table GUARDED, or None for the end of a file."""
    if texts is None:
        return None
    return find_matches(texts.to_pylist(), load_guard(guarded, rule).rule)


def decontaminate_files(
    files: Sequence[CorpusFile],
    out: Path,
    *,
    guarded: Path,
    rule: str,
    workers: Workers,
    advance: Callable[[Batch], object] = lambda _: None,
) -> Tally:
    """Write files again into a folder without the rows that match `guarded`, and the ledgers.

    `guarded` is a file of the table GUARDED; `advance` is called with each batch that is done.
    Raises InputError for a file that cannot be read as a whole.
    """
    tally, waiting = Tally(Benchmark(store.read_table(guarded, "guarded"))), deque[Batch]()
    with (out / REMOVED).open("wb") as ledger, (out / QUARANTINE).open("wb") as rejects:
        texts = _read_texts(files, tally, waiting, rejects)
        results = workers.map_in_order(partial(search, guarded=guarded, rule=rule), texts)
        for file in files:
            (out / file.name).parent.mkdir(parents=True, exist_ok=True)
            with open_writer(file.source, out / file.name) as writer:
                while (matches := next(results)) is not None:
                    batch = waiting.popleft()
                    writer.write(batch.filter(_rows_to_keep(batch, matches)))
                    _write_lines(ledger, tally.add(file.name, batch, matches))
                    advance(batch)
    with (out / CONTAMINATED).open("wb") as stream:
        _write_lines(stream, tally.contaminated_rows())
    if not (out / QUARANTINE).stat().st_size:
        (out / QUARANTINE).unlink()
    return tally


def _read_texts(
    files: Sequence[CorpusFile], tally: Tally, waiting: deque[Batch], rejects: BinaryIO
) -> Iterator[pa.StringArray | None]:
    """Yield the texts of each batch, which then waits for its matches, and None after each file."""
    for file in files:
        counts = tally.files[file.name] = FileCounts()

        def quarantine(row: Quarantined, file: CorpusFile = file) -> None:
            tally.files[file.name].quarantined[row.rule] += 1
            _write_lines(rejects, [{"file": file.name, **row._asdict()}])

        for batch in read_batches(file.source, quarantine=quarantine, whole=True):
            counts.rows += len(batch)
            waiting.append(batch)
            yield batch.texts
        yield None


def _rows_to_keep(batch: Batch, matches: pa.Table) -> NDArray[np.bool_]:
    keep = np.ones(len(batch), np.bool_)
    keep[matches["row"].to_numpy()] = False
    return keep


def _write_lines(stream: BinaryIO, rows: Iterable[dict[str, Any]]) -> None:
    stream.writelines(orjson.dumps(row) + b"\n" for row in rows)
