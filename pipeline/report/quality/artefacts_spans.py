"""Spans that can be guessed: entities by their names, answers by their place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts_overlap import LEAST
from pipeline.report.quality.artefacts_scores import commonest, f1
from pipeline.report.quality.statistics.rows import each
from pipeline.report.record import Cell, Chart, Column, Section, Series, Table

Span = tuple[int, int, str]
#: Parts of equal length that passages are cut into.
PARTS: Final = 10
FIRST: Final = 0.2


def gazetteer(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what looking up the entities of train scores (NER)."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for split, fields, label in each(examples, "split", "fields", "label"):
        if split == "train":
            for one in label:
                names[fields["text"][one["start"] : one["end"]]][one["label"]] += 1
    known = {name: commonest(types) for name, types in names.items()}
    tallies = {split: _Tally() for split in SPLITS[1:]}
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
    tables = [Table(f"{name}-table", title, columns, rows)] if rows else []
    return Section(name, title, lead, tables=tables)


class _Tally:
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


def looked_up(text: str, known: Mapping[str, str]) -> Iterator[Span]:
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


def positions(examples: pa.Table, spec: TaskSpec) -> Section | None:
    """Return where in the passage answers start (MRC)."""
    places: dict[str, list[float]] = defaultdict(list)
    for split, fields, label in each(examples, "split", "fields", "label"):
        if label["answers"]:
            first = min(one["start"] for one in label["answers"])
            places[split].append(first / len(fields["context"]))
    there = [split for split in SPLITS if len(places[split]) >= (LEAST if split == "test" else 1)]
    if not there:
        return None
    title = "Where answers stand"
    name = f"artefacts-{spec.task}-places"
    rows: list[list[Cell]] = [
        [
            *(split, len(places[split])),
            _share(sum(place < FIRST for place in places[split]), places[split]),
            _share(sum(places[split]), places[split]),
        ]
        for split in there
    ]
    columns = [
        *(Column("split", "text"), Column("answers")),
        *(Column("start in the first fifth", "share"), Column("mean place", "share")),
    ]
    chart = Chart(
        id=f"{name}-chart",
        title="Where in the passage answers start",
        kind="histogram",
        x="place, from 0 (its beginning) to 1",
        y="share of the split's answers",
        series=[Series(split, *_histogram(places[split])) for split in there],
        width=1 / PARTS,
        form="share",
    )
    lead = (
        "The first wording of each answer, by its place in the passage. Spread evenly, a fifth of"
        " them would start in the first fifth and the mean would be a half; a model may learn any"
        " other habit."
    )
    return Section(
        name, title, lead, tables=[Table(f"{name}-table", title, columns, rows)], charts=[chart]
    )


def _histogram(places: Sequence[float]) -> tuple[list[Cell], list[float | None]]:
    counts = Counter(min(int(place * PARTS), PARTS - 1) for place in places)
    middles: list[Cell] = [round((part + 0.5) / PARTS, 6) for part in range(PARTS)]
    return middles, [_share(counts[part], places) for part in range(PARTS)]


def _share(part: float, whole: Sequence[float]) -> float:
    return round(part / len(whole), 6)
