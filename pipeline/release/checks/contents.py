"""Tables have their columns and rows, guids one split each, and labels are those of the spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core import schemas
from pipeline.core.errors import KlueError, RecordError
from pipeline.core.files import reason_of
from pipeline.core.io.parquet import BoundedFile
from pipeline.core.wording import count, verb
from pipeline.release import originals
from pipeline.release.checks.subject import Subject
from pipeline.release.manifest import Entry, TaskEntry
from pipeline.release.soft_labels import SOFT_LABEL, label_order, soft_fault
from pipeline.release.tables import COLUMNS, Row, leaf

#: The ledger of what an import of official files kept as published.
KEPT: Final = "import"
MISFIT: Final = "official.kept.places@1"
_OF_LEDGER: Final = {"constraints": schemas.CONSTRAINTS, "leaks": schemas.LEAKS}


def tables(subject: Subject) -> Iterator[str]:
    """Compare the columns and the number of rows of every Parquet file, and miss none of them."""
    listed = subject.manifest.files
    for config, entry in subject.manifest.tasks.items():
        task = TASKS.get(entry.task)
        if task is None or task.config != config:
            yield f"the manifest has {entry.task!r} under {config!r}, which is no task of this tool"
        paths = [f"{config}/{FILES[split]}.parquet" for split in SPLITS]
        paths += [f"votes/{config}.parquet"]
        paths += [f"ledger/{config}/{name}.parquet" for name in _OF_LEDGER]
        yield from (f"{path} is not listed" for path in paths if path not in listed)
    for path, file in listed.items():
        if path.endswith(".parquet"):
            yield from _table(subject, path, file)


def guids(subject: Subject) -> Iterator[str]:
    """Look for guids that are there twice, out of order, in two splits or withdrawn; count them."""
    withdrawn = {entry.id for entry in subject.manifest.withdrawn}
    for config, entry in subject.manifest.tasks.items():
        by_split = subject.guids[config]
        for split, names in by_split.items():
            listed = entry.splits.get(split)
            if listed != len(names):
                examples = count(len(names), "example")
                yield f"{config} {split} has {examples}, the manifest says {listed}"
            if len(set(names)) < len(names):
                yield f"{config} {split} has a guid twice"
            if any(left > right for left, right in pairwise(names)):
                yield f"{config} {split} is not in order of its guids"
            if gone := sorted(withdrawn.intersection(names)):
                yield f"{config} {split} has {gone[0]}, which the manifest lists as withdrawn"
        for left, right in combinations(SPLITS, 2):
            if both := sorted(set(by_split[left]) & set(by_split[right])):
                yield f"{config}: {both[0]} is in {left} and in {right}"


def labels(subject: Subject) -> Iterator[str]:
    """Look for rows without a label, and for labels that the spec does not have."""
    for config, entry in subject.manifest.tasks.items():
        spec = _spec(entry)
        for path, table in subject.labelled_tables(config):
            for column in COLUMNS[entry.task].answer:
                if leaf(table, column).null_count:
                    yield f"{path} has rows without {column}"
            if spec is not None:
                yield from (f"{path}{fault}" for fault in label_faults(table, spec))


def labels_detail(subject: Subject) -> str:
    """Say which configs were annotated by another spec than this tool's."""
    tasks = subject.manifest.tasks.items()
    skipped = [f"{config} ({entry.spec})" for config, entry in tasks if _spec(entry) is None]
    if not skipped:
        return "as the specs have them"
    return (
        "as the specs have them; another spec than this tool's, names not compared:"
        f" {', '.join(skipped)}"
    )


def places(subject: Subject) -> Iterator[str]:
    """Look for spans, heads, answers and states that do not fit the text they are about.

    Those of official files that the ledger of their import names are known.
    """
    known = _known_misfits(subject)
    for config, entry in subject.manifest.tasks.items():
        for path, table in subject.labelled_tables(config):
            for guid in misfits(table, entry.task):
                if guid not in known:
                    yield f"{path}: the label of {guid} does not fit its text"


def places_detail(subject: Subject) -> str:
    """Say how many labels of official files are known not to fit their text."""
    known = len(_known_misfits(subject))
    kept = (
        f"; {known:,} of official files {verb(known, 'does', 'do')} not, as published"
        if known
        else ""
    )
    return f"every span, head, answer and state fits its text{kept}"


def _known_misfits(subject: Subject) -> set[str]:
    """Return the examples that an import of official files kept though their label misfits."""
    paths = (f"ledger/{config}/{KEPT}.parquet" for config in subject.manifest.tasks)
    tables = (subject.table(path) for path in paths if path in subject.manifest.files)
    rows = (row for table in tables for row in schemas.rows(table, "unit", "rule"))
    return {unit for unit, rule in rows if rule == MISFIT}


def misfits(table: pa.Table, task: str) -> Iterator[str]:
    """Yield the guids of the rows whose label does not fit their text."""
    is_valid = COLUMNS[task].is_valid
    if is_valid is not None:
        yield from (row["guid"] for row in _rows(table) if not _is_valid(is_valid, row))


def _table(subject: Subject, path: str, entry: Entry) -> Iterator[str]:
    try:
        with BoundedFile(subject.file(path)) as file:
            schema, rows = file.schema, file.metadata.num_rows
            more = set(file.metadata.metadata or ()) - {b"ARROW:schema"}
    except (OSError, pa.ArrowException) as error:
        yield f"{path} cannot be read ({reason_of(error)})"
        return
    wanted = _schema(subject, path, schema)
    if wanted is None:
        yield f"{path} is no table of a release"
        return
    if not schema.equals(wanted):
        yield f"{path} {_schema_difference(schema, wanted)}"
    if more or schema.metadata:
        yield f"{path} carries metadata that no release has"
    if rows != entry.rows:
        yield f"{path} has {count(rows, 'row')}, listed: {entry.rows}"


def _schema(subject: Subject, path: str, found: pa.Schema) -> pa.Schema | None:
    """Return the schema of the table at a path; None where no table should be."""
    first, *rest = path.removesuffix(".parquet").split("/")
    entry = subject.manifest.tasks.get(first)
    if entry is not None and entry.task in COLUMNS:
        is_split = rest in [[file] for file in FILES.values()]
        return COLUMNS[entry.task].schema_like(found) if is_split else None
    if first == originals.FOLDER and len(rest) == 1 and rest[0] in subject.manifest.tasks:
        return schemas.ORIGINALS
    if first == "votes" and len(rest) == 1 and rest[0] in subject.manifest.tasks:
        return schemas.VOTES
    if first == "ledger" and len(rest) == 2 and rest[0] in ("corpus", *subject.manifest.tasks):
        return _OF_LEDGER.get(rest[1], schemas.LEDGER)
    return None


def _schema_difference(schema: pa.Schema, wanted: pa.Schema) -> str:
    lacking = [name for name in wanted.names if name not in schema.names]
    more = [name for name in schema.names if name not in wanted.names]
    if lacking or more:
        return f"lacks the columns {lacking} and has {more} beside its own"
    if schema.names != wanted.names:
        return "has its columns in another order"
    other = [field.name for field in wanted if not schema.field(field.name).equals(field)]
    return f"has other types in {other}"


def _spec(entry: TaskEntry) -> TaskSpec | None:
    """Return this tool's spec if it is the one that the release was annotated by."""
    try:
        spec = load_spec(entry.task)
    except KlueError:
        return None
    return spec if (spec.name, spec.digest) == (entry.spec, entry.spec_digest) else None


def label_faults(table: pa.Table, spec: TaskSpec) -> Iterator[str]:
    """Yield what is wrong with the labels of a table by a spec."""
    columns, names = COLUMNS[spec.task], table.column_names
    if columns.fault is not None:
        for row in _rows(table):
            if reason := columns.fault(row, spec):
                yield f": {row['guid']} {reason}"
    order = label_order(columns, spec)
    for row in _rows(table.select(["guid", SOFT_LABEL])) if order and SOFT_LABEL in names else ():
        one = columns.label_names is not None and TASKS[spec.task].kind == "category"
        if reason := soft_fault(row[SOFT_LABEL], labels=len(order), sums_to_one=one):
            yield f": {row['guid']} {reason}"
    if columns.label_names is not None:
        values = leaf(table, columns.label_names).combine_chunks()
        while pa.types.is_list(values.type):
            values = values.flatten()
        known = (value for value in pc.unique(values).to_pylist() if value is not None)
        used = {columns.label_of(value) for value in known} - {""}
        if strange := used - set(columns.allowed(spec)):
            are = verb(len(strange), "that is none", "that are not those")
            yield f" has {count(len(strange), 'label')} {are} of {spec.name}"


def _is_valid(is_valid: Callable[[Row], bool], row: Row) -> bool:
    try:
        return is_valid(row)
    except (TypeError, ValueError, KeyError, IndexError, RecordError):
        return False


def _rows(table: pa.Table) -> Iterator[Row]:
    for batch in table.to_batches(max_chunksize=1_024):
        yield from batch.to_pylist()
