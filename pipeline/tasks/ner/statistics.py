"""Statistics of named entity recognition: Tables 8 and 9."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import fsum
from typing import Final

import pyarrow as pa

from pipeline.contracts.answers import span_tuples
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import commonest, f1, table_section
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import TOTAL, Tally, grid, iter_rows, source_table
from pipeline.report.record import Cell, Column, Section, Table

_FORMS: Final = "_forms"


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the sentences by source (Table 8), and the entities by type (Table 9)."""
    return [
        source_table("ner-sources", "Sentences by source", examples, "Table 8"),
        _types(examples, spec),
    ]


def _types(examples: pa.Table, spec: TaskSpec) -> Table:
    """Return occurrences and distinct forms; the last row adds up the types' forms."""
    entities, forms = Tally(examples), defaultdict[tuple[str, str], set[str]](set)
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        for start, end, kind in span_tuples(label):
            entities.add(kind, split)
            for column in (split, TOTAL):
                forms[kind, column].add(fields["text"][start:end])

    def cell(row: str, column: str) -> int | float | None:
        name = column.removesuffix(_FORMS)
        if name == column or entities.count(row, name) is None:
            return entities.cell(row, name)
        return sum(len(forms[kind, name]) for kind in (entities.rows() if row == TOTAL else [row]))

    columns = {}
    for name in (*SPLITS, TOTAL):
        columns[name] = Column(name.capitalize())
        columns[name + _FORMS] = Column(f"{name.capitalize()}, distinct")
    return grid(
        "ner-types",
        "Entities by type: occurrences and distinct forms",
        heads=("Type",),
        rows={kind.id: (f"{kind.id} ({kind.title.en})",) for kind in spec.labels}
        | {TOTAL: ("Total",)},
        columns=columns,
        cell=cell,
        paper="Table 9",
        note=entities.note,
    )


def _gazetteer(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what looking up the entities of train scores."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        for start, end, kind in span_tuples(label) if split == "train" else ():
            names[fields["text"][start:end]][kind] += 1
    known = {name: commonest(types) for name, types in names.items()}
    counts = {split: defaultdict[str, Counter[str]](Counter) for split in SPLITS[1:]}
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        if split in counts:
            gold, guesses = set(span_tuples(label)), set(looked_up(fields["text"], known))
            for what, spans in (("gold", gold), ("guessed", guesses), ("right", gold & guesses)):
                counts[split][what].update(kind for _, _, kind in spans)
            counts[split]["unseen"].update(
                kind for start, end, kind in gold if fields["text"][start:end] not in known
            )
    rows = [[split, *row] for split, own in counts.items() if known and (row := _scores(own))]
    name, title = f"artefacts-{spec.task}-names", "What a list of names scores"
    if not rows:
        lead = "There is no train split to take names from, or no entity to find."
        return Section(name, title, lead)
    lead = (
        "Every entity of train is looked for at the beginnings of words, the longest first, and"
        " gets the type that it mostly has in train. Test is made to hold entities that train does"
        " not have (Section 3.4.1), so that it should score less there."
    )
    columns = [
        *(Column("split", "text"), Column("entities"), Column("not in train", "share")),
        *(Column("precision", "share"), Column("recall", "share"), Column("macro F1", "share")),
    ]
    return table_section(name, title, lead, columns, rows)


def _scores(counts: Mapping[str, Counter[str]]) -> list[Cell]:
    """Return the cells of a split, by counts of types; none for a split without entity."""
    gold, guessed, right = (counts[what] for what in ("gold", "guessed", "right"))
    if not gold:
        return []
    scores = [f1(right[kind], gold[kind], guessed[kind]) for kind in gold | guessed]
    shares = [
        counts["unseen"].total() / gold.total(),
        right.total() / guessed.total() if guessed else 0.0,
        right.total() / gold.total(),
        fsum(scores) / len(scores),
    ]
    return [gold.total(), *(round(share, 6) for share in shares)]


def looked_up(text: str, known: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield where known names stand at the beginning of a word, the longest first, none in two."""
    longest, free_from = max(map(len, known), default=0), 0
    for start in range(len(text)):
        if start < free_from or (start and text[start - 1].isalnum()):
            continue
        ends = range(min(len(text), start + longest), start, -1)
        end = next((end for end in ends if text[start:end] in known), None)
        if end is not None:
            yield start, end, known[text[start:end]]
            free_from = end


SIZE: Final = ("Table 8", "total")
LOOK: Final = "Types and sources should be alike in all splits."
LABELS: Final = Labels(
    "Entity types", "entities", lambda _, label: [span["label"] for span in label]
)
LENGTHS: Final = (text_length("text", "Sentence"),)
ARTEFACTS: Final = (_gazetteer,)
