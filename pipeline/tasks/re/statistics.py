"""Statistics of relation extraction: Table 11, and what Section 3.5.1 tells of the entities."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.statistics.grid import grid
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally, by_split, ratio
from pipeline.report.record import Column, Table

_ENTITIES: Final = ("subject", "object")
_PAPER: Final = "Section 3.5.1"


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return relations (Table 11), entity types and the mean length of a sentence by split."""
    relations, characters = Tally(examples), Counter[str]()
    types = {name: Tally(examples) for name in (*_ENTITIES, "both")}
    for split, fields, label in each(examples, "split", "fields", "label"):
        relations.add(label, split)
        characters.update({split: len(fields["sentence"]), TOTAL: len(fields["sentence"])})
        for name in _ENTITIES:
            types[name].add(fields[name]["type"], split)
            types["both"].add(fields[name]["type"], split)
    return [_relations(relations, spec), _types(types), _lengths(relations, characters)]


def _relations(tally: Tally, spec: TaskSpec) -> Table:
    return grid(
        "re-relations",
        "Sentences by relation",
        heads=("Relation",),
        rows={one: (one,) for one in spec.ids()} | {TOTAL: ("Total",)},
        columns=by_split(shares=True, total=False),
        cell=tally.cell,
        paper="Table 11",
    )


def _types(tallies: dict[str, Tally]) -> Table:
    both = tallies["both"]

    def cell(row: str, column: str) -> float | None:
        if column in SPLITS:
            return both.share(row, column)
        return tallies["both" if column == "share" else column].share(row, TOTAL)

    columns = {name: f"{name.capitalize()}s" for name in _ENTITIES}
    columns |= {split: split.capitalize() for split in SPLITS} | {"share": "All"}
    return grid(
        "re-entities",
        "Entities by type: shares of subjects, of objects, and of both by split",
        heads=("Type",),
        rows={one: (one,) for one in both.rows()},
        columns={name: Column(title, "share") for name, title in columns.items()},
        cell=cell,
        paper=_PAPER,
        note=both.note,
    )


def _lengths(tally: Tally, characters: Counter[str]) -> Table:
    def cell(_row: str, column: str) -> float | None:
        column = TOTAL if column == "length" else column
        return ratio(characters[column], tally.count(TOTAL, column))

    titles = {split: split.capitalize() for split in SPLITS} | {"length": "All"}
    return grid(
        "re-lengths",
        "Mean length of a sentence in characters, blanks included",
        heads=("",),
        rows={"sentence": ("Sentence",)},
        columns={name: Column(title, "two") for name, title in titles.items()},
        cell=cell,
        paper=_PAPER,
        note=tally.note,
    )
