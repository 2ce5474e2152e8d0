"""Statistics of machine reading comprehension: Tables 18 and 19."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import Observation, categories, table_section
from pipeline.report.quality.artefacts_words import is_shown, mean, share, some
from pipeline.report.quality.distributions import Labels, Length, text_length
from pipeline.report.quality.statistics import SHARE, TOTAL, Tally, by_split, grid, iter_rows, ratio
from pipeline.report.record import Cell, Chart, Column, Section, Series, Table

#: The type of a question with answers in a file that does not tell type 1 from type 2.
UNTOLD: Final = "1 or 2"
_COUNTS: Final = {"documents": "Documents", "passages": "Passages", "questions": "Questions"}
#: Questions with their long passages of a split that are analysed at most: the standard error of
#: the mean of so many shares is below two points of a hundred.
_PASSAGES: Final = 600
#: Section 3.7.3: the ratio of type 2.
_SHARED: Final = {"2": 0.68}
_ALL: Final = "all"
#: Parts of equal length that passages are cut into.
_BARS: Final = 10
_LENGTHS: Final = {"passage": "Passage", "question": "Question", "answer": "Answer"}


def tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the questions by type (Table 18), and documents, passages and lengths (Table 19).

    A passage counts once a split, and its length too. A document is what an example was cut out
    of, or where that is not known all passages of a title. Lengths of answers are those of real
    ones, of all of a question's.
    """
    types, sizes = Tally(examples), _Sizes(examples)
    for split, fields, label, documents in iter_rows(
        examples, "split", "fields", "label", "documents"
    ):
        types.add(type_of(label), split)
        sizes.add(split, fields, label, " ".join(documents) or fields["title"])
    return [_types(types, spec), _counts(sizes), _lengths(sizes)]


def type_of(label: Mapping[str, Any]) -> str:
    """Return the type of a question as text."""
    return UNTOLD if label["type"] is None else str(label["type"])


class _Sizes:
    """Documents, passages, questions and answers of each split, and the characters of the texts."""

    def __init__(self, examples: pa.Table) -> None:
        self.things, self.characters = Tally(examples), Tally(examples)
        self.seen: set[tuple[str, str, bytes]] = set()

    def add(
        self, split: str, fields: Mapping[str, Any], label: Mapping[str, Any], document: str
    ) -> None:
        self.measure("question", split, label["question"])
        for answer in label["answers"]:
            self.measure("answer", split, answer["text"])
        if self.is_new("documents", split, document):
            self.things.add("documents", split)
        if self.is_new("passages", split, fields["context"]):
            self.measure("passage", split, fields["context"])

    def measure(self, row: str, split: str, text: str) -> None:
        self.things.add(f"{row}s", split)
        self.characters.add(row, split, len(text))

    def is_new(self, row: str, split: str, text: str) -> bool:
        """Tell whether the split did not have a text before, and remember it."""
        key, before = (row, split, sha256(text.encode()).digest()), len(self.seen)
        self.seen.add(key)
        return len(self.seen) > before

    def mean(self, row: str, column: str) -> float | None:
        return ratio(self.characters.count(row, column), self.things.count(f"{row}s", column))


def _types(tally: Tally, spec: TaskSpec) -> Table:
    names = {label.id: label.title.en for label in spec.labels if label.group == "question_type"}
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


def _counts(sizes: _Sizes) -> Table:
    return grid(
        "mrc-sizes",
        "Documents, passages and questions",
        heads=("",),
        rows={row: (title,) for row, title in _COUNTS.items()},
        columns=by_split(),
        cell=sizes.things.cell,
        paper="Table 19",
        note=sizes.things.note,
    )


def _lengths(sizes: _Sizes) -> Table:
    return grid(
        "mrc-lengths",
        "Mean lengths in characters",
        heads=("",),
        rows={row: (title,) for row, title in _LENGTHS.items()},
        columns={name: Column(column.name, "two") for name, column in by_split().items()},
        cell=sizes.mean,
        paper="Table 19",
        note=sizes.things.note,
    )


def _overlap(examples: pa.Table, spec: TaskSpec) -> Section:
    by_split: dict[tuple[str, str], list[float]] = defaultdict(list)
    for split in SPLITS:
        for fields, label in some(examples, split, most=_PASSAGES):
            part = share(label["question"], fields["context"])
            if part is not None:
                for name in (split, _ALL):
                    by_split[name, type_of(label)].append(part)
    there = [at for at, shares in by_split.items() if is_shown(at[0], shares)]
    ordered = sorted(there, key=lambda at: ([*SPLITS, _ALL].index(at[0]), at[1]))
    rows: list[list[Cell]] = [[*at, len(by_split[at]), mean(by_split[at])] for at in ordered]
    return table_section(
        f"artefacts-{spec.task}-overlap",
        "Words of the passage in the question",
        "Which share of the question's morphemes stands in the passage. The lower, the less is won"
        " by looking for the question's words.",
        [
            Column("split", "text"),
            Column("type", "text"),
            Column("questions"),
            Column("shared", "share"),
        ],
        rows,
        published=[
            [_ALL, kind, None, _SHARED[kind]] if split == _ALL and kind in _SHARED else None
            for split, kind in ordered
        ],
        note="The paper (Section 3.7.3) tells 68 % for type 2 and 55 % to 59 % for types 1 and 3,"
        " counted with another analyser.",
    )


def _positions(examples: pa.Table, spec: TaskSpec) -> Section | None:
    places: dict[str, list[float]] = defaultdict(list)
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        if label["answers"]:
            first = min(answer["start"] for answer in label["answers"])
            places[split].append(first / len(fields["context"]))
    there = [split for split in SPLITS if is_shown(split, places[split])]
    if not there:
        return None
    name = f"artefacts-{spec.task}-places"
    section = table_section(
        name,
        "Where answers stand",
        "The first wording of each answer, by its place in the passage. Spread evenly, a fifth of"
        " them would start in the first fifth and the mean would be a half; a model may learn any"
        " other habit.",
        [
            *(Column("split", "text"), Column("answers")),
            *(Column("start in the first fifth", "share"), Column("mean place", "share")),
        ],
        [
            [
                *(split, len(places[split])),
                _share(sum(place < 1 / 5 for place in places[split]), places[split]),
                _share(sum(places[split]), places[split]),
            ]
            for split in there
        ],
    )
    chart = Chart(
        id=f"{name}-chart",
        title="Where in the passage answers start",
        kind="histogram",
        x="place, from 0 (its beginning) to 1",
        y="share of the split's answers",
        series=[Series(split, *_histogram(places[split])) for split in there],
        width=1 / _BARS,
        form="share",
    )
    return replace(section, charts=[chart])


def _histogram(places: Sequence[float]) -> tuple[list[Cell], list[float | None]]:
    counts = Counter(min(int(place * _BARS), _BARS - 1) for place in places)
    middles: list[Cell] = [round((part + 0.5) / _BARS, 6) for part in range(_BARS)]
    return middles, [_share(counts[part], places) for part in range(_BARS)]


def _share(part: float, values: Sequence[float]) -> float:
    return round(part / len(values), 6)


def _observe(_fields: Mapping[str, Any], label: Mapping[str, Any]) -> Observation:
    return Observation("answerable" if label["answers"] else "unanswerable", len(label["question"]))


SIZE: Final = ("Table 19", "questions")
LOOK: Final = "Question types and lengths should be alike in all splits."
LABELS: Final = Labels("Question types", "questions", lambda _, label: [type_of(label)])
LENGTHS: Final = (
    text_length("context", "Passages, each as often as it has questions"),
    Length("question", "Question", "characters", lambda _, label: [len(label["question"])]),
    Length(
        "answer",
        "Answer",
        "characters",
        lambda _, label: [len(a["text"]) for a in label["answers"]],
    ),
)
ARTEFACTS: Final = (partial(categories, observe=_observe, text="question"), _overlap, _positions)
