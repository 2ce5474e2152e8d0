"""Patches applied to the rows of a release: every one fits, and makes no label worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import FILES, SPLITS, Split
from pipeline.core.jsontext import canonical
from pipeline.release.checks.contents import label_faults, misfits
from pipeline.release.errata.patches import SPLIT, Patch, value_at, with_value
from pipeline.release.tables import COLUMNS, Row, leaf

#: Columns that say what an example is, and not what is in it.
_FIXED = frozenset({"guid", "source"})


@dataclass
class Patched:
    """The tables of a config after its patches, by split, with all labels.

    `patches` are those of the config; `removed` the split by guid of examples that are out, `fits`
    those whose label fits its text now.
    """

    tables: dict[Split, pa.Table]
    patches: list[Patch] = field(default_factory=list)
    removed: dict[str, Split] = field(default_factory=dict)
    fits: set[str] = field(default_factory=set)

    @property
    def edited(self) -> set[str]:
        """Return the examples that are in, and were changed."""
        return {patch.guid for patch in self.patches} - self.removed.keys()


def apply(
    tables: Mapping[str, Patched],
    specs: Mapping[str, TaskSpec],
    patches: Sequence[Patch],
    file: Path,
) -> None:
    """Apply patches to the tables of all configs, in place.

    Raises InputError with file and line for the first patch whose example or field is not there,
    whose old value is another, or that makes a row invalid.
    """
    places = {
        guid: (config, split)
        for config, patched in tables.items()
        for split, table in patched.tables.items()
        for guid in table["guid"].to_pylist()
    }
    by_table: dict[tuple[str, Split], dict[str, list[Patch]]] = {}
    for patch in patches:
        if patch.guid not in places:
            raise patch.refuse(file, "the release has no such example; see the column guid")
        at = by_table.setdefault(places[patch.guid], {})
        at.setdefault(patch.guid, []).append(patch)
    for (config, split), by_guid in by_table.items():
        patched = tables[config]
        _apply(patched, split, specs[config], by_guid, file)
        patched.patches += [patch for of in by_guid.values() for patch in of]


def _apply(
    patched: Patched, split: Split, spec: TaskSpec, by_guid: Mapping[str, list[Patch]], file: Path
) -> None:
    table = patched.tables[split]
    chosen = pc.is_in(table["guid"], value_set=pa.array(sorted(by_guid), pa.string()))
    changed = [table.filter(pc.invert(chosen))]
    for row in table.filter(chosen).to_pylist():
        patches = by_guid[row["guid"]]
        if patches[0].removes:
            _require_old({SPLIT: FILES[split]}, patches[0], file)
            patched.removed[row["guid"]] = split
            continue
        new = _changed(row, patches, table.schema, spec, file)
        changed.append(new)
        old = pa.Table.from_pylist([row], schema=table.schema)
        if [*misfits(old, spec.task)] and not [*misfits(new, spec.task)]:
            patched.fits.add(row["guid"])
    patched.tables[split] = pa.concat_tables(changed).sort_by("guid").combine_chunks()


def _changed(
    row: Row, patches: Iterable[Patch], schema: pa.Schema, spec: TaskSpec, file: Path
) -> pa.Table:
    """Return the table of one row after its patches."""
    new = row
    last = None
    for last in patches:
        _require_old(row, last, file)
        new = with_value(new, last.field, last.new)
    assert last is not None
    before = pa.Table.from_pylist([row], schema=schema)
    try:
        after = pa.Table.from_pylist([new], schema=schema)
    except (pa.ArrowException, TypeError, ValueError):
        raise last.refuse(file, "the new value is not of the type of its column") from None
    for patch in patches:
        if canonical(value_at(after.to_pylist()[0], patch.field)) != canonical(patch.new):
            raise patch.refuse(file, "the new value is not of the type of its column")
    if fault := _worse(before, after, spec):
        raise last.refuse(file, f"the patched example {fault}; nothing is written")
    return after


def _require_old(row: Row, patch: Patch, file: Path) -> None:
    """Raise InputError for a field that a row lacks, or that has another value than `old`."""
    if patch.field.partition(".")[0] in _FIXED:
        raise patch.refuse(file, "guid and source say what an example is, and are not patched")
    try:
        value = value_at(row, patch.field)
    except (LookupError, ValueError):
        raise patch.refuse(
            file, f"the example has no such field; its columns are {', '.join(row)}"
        ) from None
    if canonical(value) != canonical(patch.old):
        raise patch.refuse(
            file, "the release has another value than `old`; is the patch for another version?"
        )


def _worse(before: pa.Table, after: pa.Table, spec: TaskSpec) -> str | None:
    """Say what is wrong with a row that was not wrong with it before."""
    for column in COLUMNS[spec.task].answer:
        if leaf(after, column).null_count > leaf(before, column).null_count:
            return f"has no {column}"
    known = set(label_faults(before, spec))
    for fault in label_faults(after, spec):
        if fault not in known:
            return f"has an invalid label:{fault.removeprefix(':')}"
    if [*misfits(after, spec.task)] and not [*misfits(before, spec.task)]:
        return "has a label that does not fit its text"
    return None


def sizes(patched: Patched) -> dict[Split, int]:
    """Return the number of examples of each split."""
    return {split: patched.tables[split].num_rows for split in SPLITS}
