"""Statistics of machine reading comprehension: Tables 18 and 19."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.statistics.grid import grid
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import SHARE, TOTAL, Tally, by_split, ratio
from pipeline.report.record import Column, Table

#: The type of a question with answers in a file that does not tell type 1 from type 2.
UNTOLD: Final = "1 or 2"
_COUNTS: Final = {"documents": "Documents", "passages": "Passages", "questions": "Questions"}
_LENGTHS: Final = {"passage": "Passage", "question": "Question", "answer": "Answer"}


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the questions by type (Table 18), and documents, passages and lengths (Table 19).

    A passage counts once a split, and its length too. A document is what an example was cut out
    of, or where that is not known all passages of a title. Lengths of answers are those of real
    ones, of all of a question's.
    """
    types, found = Tally(examples), _Found(Tally(examples), Tally(examples), Tally(examples))
    for split, fields, label, documents in each(examples, "split", "fields", "label", "documents"):
        types.add(type_of(label), split)
        found.add(split, fields, label, " ".join(documents) or fields["title"])
    return [_types(types, spec), _counts(found), _lengths(found)]


def type_of(label: Mapping[str, Any]) -> str:
    """Return the type of a question as text."""
    return UNTOLD if label["type"] is None else str(label["type"])


@dataclass
class _Found:
    """Things counted, how many of them were measured, and the sums of their lengths."""

    things: Tally
    measured: Tally
    characters: Tally
    seen: set[tuple[str, str, bytes]] = field(default_factory=set)

    def add(
        self, split: str, fields: Mapping[str, Any], label: Mapping[str, Any], document: str
    ) -> None:
        self.things.add("questions", split)
        self.measure("question", split, label["question"])
        for answer in label["answers"]:
            self.measure("answer", split, answer["text"])
        if self.is_new("documents", split, document):
            self.things.add("documents", split)
        if self.is_new("passages", split, fields["context"]):
            self.things.add("passages", split)
            self.measure("passage", split, fields["context"])

    def measure(self, row: str, split: str, text: str) -> None:
        self.measured.add(row, split)
        self.characters.add(row, split, len(text))

    def is_new(self, row: str, split: str, text: str) -> bool:
        key = (row, split, sha256(text.encode()).digest())
        new = key not in self.seen
        self.seen.add(key)
        return new

    def mean(self, row: str, column: str) -> float | None:
        return ratio(self.characters.count(row, column), self.measured.count(row, column))


def _types(tally: Tally, spec: TaskSpec) -> Table:
    names = {one.id: one.title.en for one in spec.labels if one.group == "question_type"}
    if UNTOLD in tally.rows():
        names[UNTOLD] = "Answerable, type not told"
    rows = {name: (name, title) for name, title in names.items()}

    def cell(row: str, column: str) -> int | float | None:
        told = UNTOLD not in names or row not in ("1", "2") or tally.count(row, TOTAL)
        return tally.cell(row, column) if told else None

    return grid(
        "mrc-types",
        "Questions by type",
        heads=("Type", "Title"),
        rows=rows | {TOTAL: ("Total", "")},
        columns=by_split() | {TOTAL + SHARE: Column("Share", "share")},
        cell=cell,
        paper="Table 18",
        note=tally.note,
    )


def _counts(found: _Found) -> Table:
    return grid(
        "mrc-sizes",
        "Documents, passages and questions",
        heads=("",),
        rows={row: (title,) for row, title in _COUNTS.items()},
        columns=by_split(),
        cell=found.things.cell,
        paper="Table 19",
        note=found.things.note,
    )


def _lengths(found: _Found) -> Table:
    columns = {name: Column(column.name, "two") for name, column in by_split().items()}
    return grid(
        "mrc-lengths",
        "Mean lengths in characters",
        heads=("",),
        rows={row: (title,) for row, title in _LENGTHS.items()},
        columns=columns,
        cell=found.mean,
        paper="Table 19",
        note=found.things.note,
    )
