"""Statistics of named entity recognition: Tables 8 and 9."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.statistics.grid import grid, source_table
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally
from pipeline.report.record import Column, Table

_FORMS: Final = "_forms"


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the sentences by source (Table 8), and the entities by type (Table 9)."""
    sources = Tally(examples)
    for source, split in each(examples, "source", "split"):
        sources.add(source, split)
    return [
        source_table("ner-sources", "Sentences by source", sources, "Table 8"),
        _types(examples, spec),
    ]


def _types(examples: pa.Table, spec: TaskSpec) -> Table:
    """Return occurrences and distinct forms; the last row adds up the types' forms."""
    entities, forms = Tally(examples), defaultdict[tuple[str, str], set[str]](set)
    for split, fields, label in each(examples, "split", "fields", "label"):
        for span in label:
            entities.add(span["label"], split)
            for column in (split, TOTAL):
                forms[span["label"], column].add(fields["text"][span["start"] : span["end"]])

    def cell(row: str, column: str) -> int | float | None:
        name = column.removesuffix(_FORMS)
        if name == column or entities.count(row, name) is None:
            return entities.cell(row, name)
        return sum(len(forms[one, name]) for one in (entities.rows() if row == TOTAL else [row]))

    columns = {}
    for name in (*SPLITS, TOTAL):
        columns[name] = Column(name.capitalize())
        columns[name + _FORMS] = Column(f"{name.capitalize()}, distinct")
    return grid(
        "ner-types",
        "Entities by type: occurrences and distinct forms",
        heads=("Type",),
        rows={one.id: (f"{one.id} ({one.title.en})",) for one in spec.labels} | {TOTAL: ("Total",)},
        columns=columns,
        cell=cell,
        paper="Table 9",
        note=entities.note,
    )
