"""Statistics of relation extraction: Table 11, and the figures of Section 3.5.1 on entities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import Key, Observation, categories, table_section
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import (
    SHARE,
    TOTAL,
    Tally,
    by_split,
    grid,
    iter_rows,
    paper_table,
    ratio,
)
from pipeline.report.record import Column, Section, Table

_ENTITIES: Final = ("subject", "object")
_PAPER: Final = "Section 3.5.1"
_NONE: Final = "no_relation"


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return relations (Table 11), entity types and the mean length of a sentence by split."""
    relations, characters = Tally(examples), Tally(examples)
    types = {name: Tally(examples) for name in (*_ENTITIES, "both")}
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        relations.add(label, split)
        characters.add("sentence", split, len(fields["sentence"]))
        for name in _ENTITIES:
            types[name].add(fields[name]["type"], split)
            types["both"].add(fields[name]["type"], split)
    return [_relations(relations, spec), _types(types), _lengths(relations, characters)]


def _relations(tally: Tally, spec: TaskSpec) -> Table:
    return grid(
        "re-relations",
        "Sentences by relation",
        heads=("Relation",),
        rows={name: (name,) for name in spec.ids()} | {TOTAL: ("Total",)},
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
        rows={name: (name,) for name in both.rows()},
        columns={name: Column(title, "share") for name, title in columns.items()},
        cell=cell,
        paper=_PAPER,
        note=both.note,
    )


def _lengths(tally: Tally, characters: Tally) -> Table:
    def cell(row: str, column: str) -> float | None:
        column = TOTAL if column == "length" else column
        return ratio(characters.count(row, column), tally.count(TOTAL, column))

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


def _no_relation(examples: pa.Table, spec: TaskSpec) -> Section:
    pairs = Tally(examples, iter_rows(examples, "label", "split"))
    theirs = paper_table("Table 11")
    cells = {
        split: ((TOTAL, split), (_NONE, split), (_NONE, split + SHARE)) for split in pairs.splits
    }
    return table_section(
        f"artefacts-{spec.task}-none",
        "Pairs in no relation",
        "Always answering no_relation has its share as accuracy, and a micro F1 of 0.",
        [Column("split", "text"), Column("pairs"), Column(_NONE), Column(_NONE, "share")],
        [[split, *(pairs.cell(*at) for at in cells[split])] for split in cells],
        paper="Table 11",
        published=[[split, *(theirs.cell(*at) for at in cells[split])] for split in cells],
    )


def _observe(fields: Mapping[str, Any], label: str) -> Observation:
    types = (fields["subject"]["type"], fields["object"]["type"])
    return Observation(label, len(fields["sentence"]), types)


SIZE: Final = ("Table 11", "total")
LOOK: Final = (
    "Dev and test should have a larger share of no_relation, as their pairs are drawn uniformly."
)
LABELS: Final = Labels("Relations", "sentences", lambda _, label: [label])
LENGTHS: Final = (text_length("sentence", "Sentence"),)
_TYPES: Final = Key(
    "entity types",
    "Another guess is the commonest relation for the types of the two entities.",
    "micro F1 of relations",
    _NONE,
)
ARTEFACTS: Final = (
    partial(categories, observe=_observe, text="sentence", key=_TYPES),
    _no_relation,
)
