"""Statistics of named entity recognition: Tables 8 and 9."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import commonest, f1, table_section
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import TOTAL, Tally, each, grid, source_table
from pipeline.report.record import Cell, Column, Section, Table

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


def _gazetteer(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what looking up the entities of train scores."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for split, fields, label in each(examples, "split", "fields", "label"):
        if split == "train":
            for one in label:
                names[fields["text"][one["start"] : one["end"]]][one["label"]] += 1
    known = {name: commonest(types) for name, types in names.items()}
    tallies = {split: _Matches() for split in SPLITS[1:]}
    for split, fields, label in each(examples, "split", "fields", "label"):
        if split in tallies:
            tallies[split].add(fields["text"], label, known)
    rows = [[split, *tally.row()] for split, tally in tallies.items() if tally.wanted and known]
    title = "What a list of names scores"
    lead = (
        "Every entity of train is looked for at the beginnings of words, the longest first, and"
        " gets the type that it mostly has in train. Test is made to hold entities that train does"
        " not have (Section 3.4.1), so that it should score less there."
    )
    if not rows:
        lead = "There is no train split to take names from, or no entity to find."
    columns = [
        *(Column("split", "text"), Column("entities"), Column("not in train", "share")),
        *(Column("precision", "share"), Column("recall", "share"), Column("macro F1", "share")),
    ]
    name = f"artefacts-{spec.task}-names"
    if not rows:
        return Section(name, title, lead)
    return table_section(name, title, lead, columns, rows)


class _Matches:
    """Entities wanted, found and right, by type."""

    def __init__(self) -> None:
        self.wanted: Counter[str] = Counter()
        self._given: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._unseen = 0

    def add(self, text: str, label: Sequence[Mapping[str, Any]], known: Mapping[str, str]) -> None:
        gold = {(one["start"], one["end"], one["label"]) for one in label}
        found = set(looked_up(text, known))
        self.wanted.update(kind for _, _, kind in gold)
        self._given.update(kind for _, _, kind in found)
        self._right.update(kind for _, _, kind in gold & found)
        self._unseen += sum(text[start:end] not in known for start, end, _ in gold)

    def row(self) -> list[Cell]:
        wanted, given, right = (x.total() for x in (self.wanted, self._given, self._right))
        kinds = sorted({*self.wanted, *self._given})
        scores = [f1(self._right[x], self.wanted[x], self._given[x]) for x in kinds]
        shares = [
            self._unseen / wanted,
            right / given if given else 0.0,
            right / wanted,
            sum(scores) / len(scores),
        ]
        return [wanted, *(round(one, 6) for one in shares)]


def looked_up(text: str, known: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield where known names stand at the beginning of a word, the longest first, none in two."""
    longest = max(map(len, known), default=0)
    start = 0
    while start < len(text):
        if start and text[start - 1].isalnum():
            start += 1
            continue
        ends = range(min(len(text), start + longest), start, -1)
        end = next((end for end in ends if text[start:end] in known), None)
        if end is not None:
            yield start, end, known[text[start:end]]
        start = end or start + 1


SIZE: Final = ("Table 8", "total")
LOOK: Final = "Types and sources should be alike in all splits."
LABELS: Final = Labels("Entity types", "entities", lambda _, label: [one["label"] for one in label])
LENGTHS: Final = (text_length("text", "Sentence"),)
ARTEFACTS: Final = (_gazetteer,)
