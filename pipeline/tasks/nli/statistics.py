"""Statistics of natural language inference: Tables 5 and 6."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import Seen, categories, table_section
from pipeline.report.quality.artefacts_words import association, is_shown, mean, share, some
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import TOTAL, Tally, by_split, each, grid, ordered, ratio
from pipeline.report.record import Cell, Column, Section, Table
from pipeline.tasks.nli.hypothesis_only.classifier import Floats, maker_of
from pipeline.tasks.nli.hypothesis_only.crossfit import crossfit, folds_of
from pipeline.tasks.nli.hypothesis_only.diagnostics import calibration
from pipeline.tasks.nli.validation import validation_table

_PARTS = ("premise", "hypothesis")
_MEAN = "mean_of_sources"
_MAJORITY: Final = "accuracy of the commonest label"
#: What is shown of the record of a hypothesis-only classifier.
_MEASURES: Final = {
    "accuracy": "accuracy",
    "majority": _MAJORITY,
    "log_loss": "log loss",
    "ece": "expected calibration error",
}
#: Pairs of a split that are analysed at most: the standard error of the mean of so many shares is
#: below one point of a hundred.
_PAIRS: Final = 4_000
#: As many as the split rule uses.
_FOLDS: Final = 5


def tables(
    examples: pa.Table, *, spec: TaskSpec, votes: pa.Table | None = None, **_: object
) -> list[Table]:
    """Return how the labels were validated (Table 5, with votes) and the sources (Table 6)."""
    checked = [] if votes is None else validation_table(votes, spec)
    return [*checked, _sources(examples)]


def _sources(examples: pa.Table) -> Table:
    tally, characters = Tally(examples), Counter[tuple[str, str]]()
    for source, split, fields in each(examples, "source", "split", "fields"):
        tally.add(source, split)
        for part in _PARTS:
            characters[source, part] += len(fields[part])
            characters[TOTAL, part] += len(fields[part])
    sources = ordered(tally, "Table 6")

    def cell(row: str, column: str) -> int | float | None:
        if row == _MEAN:
            means = [cell(source, column) or 0 for source in sources if column in _PARTS]
            return round(sum(means) / len(means), 6) if means else None
        if column in _PARTS:
            return ratio(characters[row, column], tally.count(row, TOTAL))
        return tally.cell(row, column)

    lengths = {part: Column(f"{part.capitalize()}, mean length", "two") for part in _PARTS}
    return grid(
        "nli-sources",
        "Sentence pairs by source, mean lengths in characters",
        heads=("Source",),
        rows={one: (one,) for one in sources} | {TOTAL: ("Total",), _MEAN: ("Mean of sources",)},
        columns=by_split() | lengths,
        cell=cell,
        paper="Table 6",
        note=tally.note,
    )


def _overlap(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return which share of the hypothesis stands in its premise, by label."""
    rows: list[list[Cell]] = []
    for split in SPLITS:
        found: dict[str, list[float]] = defaultdict(list)
        for fields, label in some(examples, split, most=_PAIRS):
            part = share(fields["hypothesis"], fields["premise"])
            if part is not None:
                found[label].append(part)
        rows += [
            [split, label, len(found[label]), mean(found[label])]
            for label in spec.ids()
            if is_shown(split, found[label])
        ]
    return table_section(
        f"artefacts-{spec.task}-overlap",
        "Words of the premise in the hypothesis",
        "Which share of the hypothesis' morphemes stands in the premise. Where labels differ much,"
        " counting shared words is a guess at the label.",
        [
            Column("split", "text"),
            Column("label", "text"),
            Column("pairs"),
            Column("shared", "share"),
        ],
        rows,
    )


def partial_input(examples: pa.Table, spec: TaskSpec, scores: Floats | None = None) -> Section:
    """Return how well the labels of pairs are guessed from hypotheses alone.

    `scores` are logarithms of probabilities (pairs x labels) that a classifier gives to pairs that
    it was not trained on; without them one is trained here (Section 3.3.1).
    """
    classes = list(spec.ids())
    labels = np.array([classes.index(label) for (label,) in each(examples, "label")], np.int64)
    if scores is None:
        fields = [own for (own,) in each(examples, "fields")]
        folds = folds_of([own["premise"] for own in fields], folds=_FOLDS, seed=0)
        texts = [own["hypothesis"] for own in fields]
        scores = crossfit(texts, labels, folds, maker_of("linear"), classes=len(classes))
    right, splits = scores.argmax(axis=1) == labels, np.array(examples["split"].to_pylist())
    by_split = {}
    for split in SPLITS:
        own_labels = labels[splits == split]
        if len(own_labels):
            by_split[split] = {
                "pairs": len(own_labels),
                "accuracy": round(float(right[splits == split].mean()), 6),
                "majority": round(float(np.bincount(own_labels).max()) / len(own_labels), 6),
            }
    return hypothesis_section({**calibration(scores, labels), "splits": by_split})


def hypothesis_section(record: Mapping[str, Any]) -> Section:
    """Return the measures of the record of a hypothesis-only classifier, as far as it has them."""
    name, title = "artefacts-nli-hypothesis", "What the hypothesis alone gives away"
    rows: list[list[Cell]] = [
        [told, record[key]] for key, told in _MEASURES.items() if key in record
    ]
    columns = [Column("measure", "text"), Column("value", "four")]
    splits: Mapping[str, Mapping[str, Any]] = record.get("splits", {})
    by_split: list[list[Cell]] = [
        [one, *(splits[one][key] for key in ("pairs", "accuracy", "majority"))]
        for one in SPLITS
        if one in splits
    ]
    heads = [Column("split", "text"), Column("pairs"), Column("accuracy", "share")]
    told = [Table(f"{name}-splits", "By split", [*heads, Column(_MAJORITY, "share")], by_split)]
    return Section(
        name,
        title,
        "A classifier that never sees the premise, scored on sets of pairs that it was not trained"
        " on (Section 3.3.1). What it scores above the commonest label, the hypothesis gives away."
        " Dev and test are chosen among the sets that it can tell least of.",
        tables=[
            *(told if by_split else ()),
            Table(f"{name}-table", "All pairs", columns, rows),
        ],
    )


SIZE: Final = ("Table 6", "total")
LOOK: Final = "Labels should be even in every split, and hypotheses shorter than premises."
LABELS: Final = Labels("Labels", "pairs", lambda _, label: [label])
LENGTHS: Final = (text_length("premise", "Premise"), text_length("hypothesis", "Hypothesis"))
ARTEFACTS: Final = (
    partial(
        categories,
        seen=lambda fields, label: Seen(label, len(fields["hypothesis"])),
        text="hypothesis",
    ),
    partial(association, field="hypothesis"),
    _overlap,
)
