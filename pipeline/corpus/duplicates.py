"""Stage `dedup`: exact duplicates leave, near-duplicates share a cluster id.

Exact means equal after normalisation, within one source and one kind of unit; the first in the
source's order stays; with `exact: keep` all stay, in its cluster. Near-duplicates (trigram
Jaccard at or above the threshold) of one kind stay, over all sources, so that later splits can keep
a cluster together.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.core import ledger, schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.join_memory import MEMORY
from pipeline.core.numbered import Numbers, NumberSet, Texts
from pipeline.core.partitions import scratch
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards
from pipeline.corpus.candidate_pairs import Candidates
from pipeline.corpus.clusters import Clusters
from pipeline.corpus.exact_repeats import find_repeats
from pipeline.corpus.similar_pairs import similar
from pipeline.corpus.unit_files import unit_files, write_by_shard, write_ids

EXACT = "duplicate.exact@1"


def _prepare(call: Call, folder: Path) -> None:
    """Write `exact/SHARD.parquet` (unit, original) and `clusters/SHARD.parquet` (unit, cluster).

    Joins take as much memory as `call.arguments["memory"]` says, in MiB.
    """
    with scratch(folder) as place:
        _join(call, folder, place)


def _join(call: Call, folder: Path, place: Path) -> None:
    files, memory = unit_files(call), call.arguments.get("memory", MEMORY)
    units = sum(file.rows for file in files)
    all_stay = call.params.get("exact") == "keep"
    write_ids(files, place)
    ids, repeated, clusters = Texts(place, "ids"), NumberSet(units), Clusters(place, units)
    repeats = find_repeats(files, place, memory)
    leaving = _mark(repeats, repeated, clusters if all_stay else None)
    write_by_shard(folder / "exact", files, ids, original=leaving)
    candidates = Candidates(files, repeated, place, memory)
    pairs = candidates.batches()
    for some in similar(files, candidates.units, pairs, place, call.params["threshold"]):
        clusters.add(some)
    write_by_shard(folder / "clusters", files, ids, cluster=clusters.names(ids))


def _mark(
    repeats: Iterator[tuple[Numbers, Numbers]], repeated: NumberSet, clusters: Clusters | None
) -> Iterator[tuple[Numbers, Numbers]]:
    """Add units that repeat one to the set, and yield them; with `clusters`, put them there."""
    for numbers, originals in repeats:
        repeated.add(numbers)
        if clusters is None:
            yield numbers, originals
        else:
            clusters.add(np.stack([numbers, originals], axis=1))


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    folder = store.partial_of(call.folder)
    originals = _lookup(folder / "exact" / f"{shard.label}.parquet")
    clusters = _lookup(folder / "clusters" / f"{shard.label}.parquet")
    repeated = pc.is_in(units.column("id"), value_set=pa.array(sorted(originals), pa.string()))
    dropped = units.filter(repeated)
    units_dropped = dropped.column("id").to_pylist()
    reason = pa.array([f"repeats {originals[unit]}" for unit in units_dropped], pa.string())
    rows = ledger.rows(dropped, stage="dedup", rule=EXACT, action="drop", reason=reason)
    kept = units.filter(pc.invert(repeated))
    names = [clusters.get(unit, unit) for unit in kept.column("id").to_pylist()]
    kept = kept.append_column(schemas.KEPT.field("cluster"), pa.array(names, pa.string()))
    return Outcome(
        units.num_rows, {"kept": kept, "ledger": rows}, units.column("id").combine_chunks()
    )


def _lookup(path: Path) -> dict[str, str]:
    """Return the second column of a file by the first."""
    try:
        with pq.ParquetFile(path) as file:
            units, others = file.read(use_threads=False).columns
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            f"{path}: damaged ({type(error).__name__}); remove the folder {path.parents[1].name}"
            " around it and run again"
        ) from None
    return dict(zip(units.to_pylist(), others.to_pylist(), strict=True))


STAGE = Stage(
    name="dedup",
    main="kept",
    invariant="filter",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
    prepare=_prepare,
)
