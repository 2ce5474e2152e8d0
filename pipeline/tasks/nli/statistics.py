"""The numbers of NLI in the quality report.

Tables: how labels were validated (Table 5), and the sources (Table 6). Artefacts: how well a
classifier guesses labels from hypotheses, and which words premise and hypothesis share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.items import fact_counts
from pipeline.agreement.votes.selection import select
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import Observation, categories, table_section
from pipeline.report.quality.artefacts_words import association, is_shown, mean, share, some
from pipeline.report.quality.distributions import Labels, text_length
from pipeline.report.quality.statistics import (
    TOTAL,
    Tally,
    by_split,
    grid,
    iter_rows,
    order_rows,
    ratio,
)
from pipeline.report.record import Cell, Column, Section, Table
from pipeline.tasks.nli.before_split import scores_of
from pipeline.tasks.nli.diagnostics import calibration
from pipeline.tasks.nli.linear import Floats
from pipeline.tasks.nli.task import TASK

_PARTS = ("premise", "hypothesis")
_MEAN = "mean_of_sources"
#: The measures of the hypothesis-only classifier that are shown, and their titles.
_MEASURES: Final = {
    "accuracy": "accuracy",
    "log_loss": "log loss",
    "ece": "expected calibration error",
}
#: The most pairs of a split that are analysed: the standard error of the mean of so many shares is
#: below 0.01.
_MOST_PAIRS: Final = 4_000
#: The rows of Table 5: their titles, and the facts of an audit that they are.
_VALIDATION: Final = {
    "unanimous": ("Pairs whose labels are all equal", "unanimous"),
    "individual_equals_gold": (
        "Validators' labels = gold label",
        "individual_equals_gold_validators",
    ),
    "individual_equals_gold_of_all": (
        "Labels = gold label, the author's counted",
        "individual_equals_gold",
    ),
    "individual_equals_author": (
        "Validators' labels = author's label",
        "individual_equals_author_validators",
    ),
    "individual_equals_author_of_all": (
        "Labels = author's label, the author's counted",
        "individual_equals_author",
    ),
    "gold_equals_author": ("Gold label = author's label", "gold_equals_author"),
    "gold_differs_from_author": ("Gold label ≠ author's label", "gold_differs_from_author"),
    "no_gold": ("No gold label", "no_gold"),
}


def tables_of_votes(votes: pa.Table, *, spec: TaskSpec) -> list[Table]:
    """Return how labels were validated (Table 5) from those of pairs; none where there is no label.

    Shares of pairs are of all pairs with at least two labels; labels equal to gold are shares of
    the labels of pairs with gold. The last attempt of every annotator counts.
    """
    selection = select(votes, task=TASK, spec=spec)
    ratings = selection.ratings
    several = (np.bincount(ratings.unit) > 1)[ratings.unit]
    rows = selection.rows[several]
    if not len(rows):
        return []
    counts = fact_counts(replace(selection, ratings=ratings.only(several), rows=rows), spec)

    def cell(row: str, column: str) -> int | float | None:
        part, total = counts[_VALIDATION[row][1]]
        return total if column == "of" else ratio(part, total)

    table = grid(
        "nli-validation",
        "Validation of labels",
        heads=("Statistic",),
        rows={row: (title,) for row, (title, fact) in _VALIDATION.items() if fact in counts},
        columns={"share": Column("Share", "share"), "of": Column("Out of")},
        cell=cell,
        paper="Table 5",
    )
    return [table]


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the pairs by source, and the lengths of their parts (Table 6)."""
    tally, characters = Tally(examples), Counter[tuple[str, str]]()
    for source, split, fields in iter_rows(examples, "source", "split", "fields"):
        tally.add(source, split)
        for part in _PARTS:
            characters[source, part] += len(fields[part])
            characters[TOTAL, part] += len(fields[part])
    sources = order_rows(tally, "Table 6")

    def cell(row: str, column: str) -> int | float | None:
        if row == _MEAN:
            means = [cell(source, column) or 0 for source in sources if column in _PARTS]
            return round(sum(means) / len(means), 6) if means else None
        if column in _PARTS:
            return ratio(characters[row, column], tally.count(row, TOTAL))
        return tally.cell(row, column)

    lengths = {part: Column(f"{part.capitalize()}, mean length", "two") for part in _PARTS}
    rows = {source: (source,) for source in sources}
    table = grid(
        "nli-sources",
        "Sentence pairs by source, mean lengths in characters",
        heads=("Source",),
        rows=rows | {TOTAL: ("Total",), _MEAN: ("Mean of sources",)},
        columns=by_split() | lengths,
        cell=cell,
        paper="Table 6",
        note=tally.note,
    )
    return [table]


def _overlap(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return the share of the hypothesis that occurs in its premise, by label."""
    rows: list[list[Cell]] = []
    for split in SPLITS:
        shares: dict[str, list[float]] = defaultdict(list)
        for fields, label in some(examples, split, most=_MOST_PAIRS):
            part = share(fields["hypothesis"], fields["premise"])
            if part is not None:
                shares[label].append(part)
        rows += [
            [split, label, len(shares[label]), mean(shares[label])]
            for label in spec.ids()
            if is_shown(split, shares[label])
        ]
    return table_section(
        f"artefacts-{spec.task}-overlap",
        "Words of the premise in the hypothesis",
        "The share of the hypothesis's morphemes that also occur in the premise. Where it differs"
        " much between labels, word overlap alone predicts the label.",
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
    codes = (classes.index(label) for (label,) in iter_rows(examples, "label"))
    labels = np.fromiter(codes, np.int64, examples.num_rows)
    if scores is None:
        fields = [values for (values,) in iter_rows(examples, "fields")]
        hypotheses, premises = (
            [values[part] for values in fields] for part in ("hypothesis", "premise")
        )
        names = [classes[code] for code in labels.tolist()]
        scores = scores_of(hypotheses, premises, names, classes, seed=0)
    correct = scores.argmax(axis=1) == labels
    split_rows: list[list[Cell]] = []
    for split in SPLITS:
        is_own = pc.equal(examples["split"], split).to_numpy()
        own_labels = labels[is_own]
        if size := len(own_labels):
            accuracy = round(float(correct[is_own].mean()), 6)
            most_frequent = round(float(np.bincount(own_labels).max()) / size, 6)
            split_rows.append([split, size, accuracy, most_frequent])
    measures = calibration(scores, labels)
    name = "artefacts-nli-hypothesis"
    heads = [
        Column("split", "text"),
        Column("pairs"),
        Column("accuracy", "share"),
        Column("accuracy of the commonest label", "share"),
    ]
    rows: list[list[Cell]] = [[title, measures[key]] for key, title in _MEASURES.items()]
    columns = [Column("measure", "text"), Column("value", "four")]
    return Section(
        name,
        "What the hypothesis alone reveals",
        "A classifier that never sees the premise, scored on sets of pairs that it was not trained"
        " on (Section 3.3.1). Accuracy above that of the commonest label comes from the hypothesis"
        " alone. Dev and test take sets for which its predictions are nearest to uniform.",
        tables=[
            Table(f"{name}-splits", "By split", heads, split_rows),
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
        observe=lambda fields, label: Observation(label, len(fields["hypothesis"])),
        text="hypothesis",
    ),
    partial(association, field="hypothesis"),
    _overlap,
)
