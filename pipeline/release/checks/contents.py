"""The tables have their columns and rows; guids are unique, in order, and in one split each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core import schemas
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import Entry
from pipeline.release.tables import COLUMNS

_OF_LEDGER: Final = {"constraints": schemas.CONSTRAINTS, "leaks": schemas.LEAKS}
#: All that a file says of itself beside its rows: Arrow's form of its schema.
_ARROW: Final = b"ARROW:schema"


def tables(subject: Subject) -> Check:
    """Compare the columns and the number of rows of every Parquet file, and miss none of them."""
    parquet = {p: e for p, e in subject.manifest.files.items() if p.endswith(".parquet")}
    faults = [*_absent(subject), *(f for p, e in parquet.items() for f in _table(subject, p, e))]
    return judged("tables", faults, f"{len(parquet):,} tables with their columns and rows")


def guids(subject: Subject) -> Check:
    """Look for guids that are there twice, out of order, or in two splits, and count them."""
    many = sum(len(found) for one in subject.guids.values() for found in one.values())
    faults = (fault for config, _ in subject.configs for fault in _guids(subject, config))
    return judged("guids", faults, f"{many:,} guids, each once, in order")


def _absent(subject: Subject) -> Iterator[str]:
    for config, entry in subject.configs:
        task = TASKS.get(entry.task)
        if task is None or task.config != config:
            yield f"the manifest has {entry.task!r} under {config!r}, which is no task of this tool"
        paths = [f"{config}/{FILES[split]}.parquet" for split in SPLITS]
        paths += [f"votes/{config}.parquet"]
        paths += [f"ledger/{config}/{name}.parquet" for name in _OF_LEDGER]
        yield from (f"{path} is not listed" for path in paths if path not in subject.manifest.files)


def _table(subject: Subject, path: str, entry: Entry) -> Iterator[str]:
    wanted = _schema(subject, path)
    if wanted is None:
        yield f"{path} is no table of a release"
        return
    try:
        with pq.ParquetFile(subject.folder / path) as file:
            found, rows = file.schema_arrow, file.metadata.num_rows
            more = set(file.metadata.metadata or ()) - {_ARROW}
    except (OSError, pa.ArrowException) as error:
        yield f"{path} cannot be read ({type(error).__name__})"
        return
    if not found.equals(wanted):
        yield f"{path} {_columns(found, wanted)}"
    if more or found.metadata:
        yield f"{path} carries metadata that no release has"
    if rows != entry.rows:
        yield f"{path} has {rows:,} rows, {entry.rows} are listed"


def _schema(subject: Subject, path: str) -> pa.Schema | None:
    """Return the schema of what lies at a path; None where no table should lie."""
    first, *rest = path.removesuffix(".parquet").split("/")
    entry = subject.manifest.tasks.get(first)
    if entry is not None and entry.task in COLUMNS:
        return COLUMNS[entry.task].schema if rest in [[one] for one in FILES.values()] else None
    if first == "votes" and len(rest) == 1 and rest[0] in subject.manifest.tasks:
        return schemas.VOTES
    if first == "ledger" and len(rest) == 2 and rest[0] in ("corpus", *subject.manifest.tasks):
        return _OF_LEDGER.get(rest[1], schemas.LEDGER)
    return None


def _columns(found: pa.Schema, wanted: pa.Schema) -> str:
    lacking = [name for name in wanted.names if name not in found.names]
    more = [name for name in found.names if name not in wanted.names]
    if lacking or more:
        return f"lacks the columns {lacking} and has {more} beside its own"
    if found.names != wanted.names:
        return "has its columns in another order"
    other = [one.name for one in wanted if not found.field(one.name).equals(one)]
    return f"has other types in {other}"


def _guids(subject: Subject, config: str) -> Iterator[str]:
    found = subject.guids[config]
    for split, names in found.items():
        told = subject.manifest.tasks[config].splits.get(split)
        if told != len(names):
            yield f"{config} {split} has {len(names):,} examples, the manifest tells {told}"
        if len(set(names)) < len(names):
            yield f"{config} {split} has a guid twice"
        if any(left > right for left, right in pairwise(names)):
            yield f"{config} {split} is not in order of its guids"
    for left, right in combinations(SPLITS, 2):
        both = sorted(set(found[left]) & set(found[right]))
        if both:
            yield f"{config}: {both[0]} is in {left} and in {right}"
