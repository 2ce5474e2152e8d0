"""Statistics of dependency parsing: Tables 13 and 14."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from pipeline.report.quality.published import published
from pipeline.report.quality.statistics.grid import grid, source_table
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import TOTAL, Tally, by_split
from pipeline.report.record import Table

_PAPER: Final = "Table 14"
#: The labels that LAS merges make up at most this share of the words of train.
TAIL: Final = 0.01


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the sentences by source (Table 13), and the words by relation (Table 14)."""
    sources, labels = Tally(examples), Tally(examples)
    for source, split, label in each(examples, "source", "split", "label"):
        sources.add(source, split)
        for deprel in label["deprels"]:
            labels.add(deprel, split)
    return [
        source_table("dp-sources", "Sentences by source", sources, "Table 13"),
        _labels(labels),
    ]


def tail(counts: Mapping[str, int]) -> frozenset[str]:
    """Return the rarest labels, as many as have at most 1 % of all words between them.

    Equally frequent labels are rarer the later their name. LAS merges them into OTHERS
    (Section 3.6.2).
    """
    most, found = TAIL * sum(counts.values()), set[str]()
    for label in sorted(sorted(counts, reverse=True), key=lambda one: counts[one]):
        most -= counts[label]
        if most < 0:
            break
        found.add(label)
    return frozenset(found)


def _labels(tally: Tally) -> Table:
    theirs = [row for row in published(_PAPER).rows if row != TOTAL]
    names = [*theirs, *(row for row in tally.rows() if row not in theirs)]
    merged, by = _merged(tally, names)
    rows = {name: (name, "OTHERS" if name in merged else "") for name in names}
    told = f"OTHERS: the rarest relations, 1 % of the words of {by} at most."
    return grid(
        "dp-labels",
        "Words by relation",
        heads=("Relation", "In LAS"),
        rows=rows | {TOTAL: ("Total", "")},
        columns=by_split(shares=True),
        cell=tally.cell,
        paper=_PAPER,
        note=" ".join(part for part in (told, tally.note) if part),
    )


def _merged(tally: Tally, names: list[str]) -> tuple[frozenset[str], str]:
    """Return the labels that LAS merges, by our train split or, where there is none, by KLUE's."""
    if tally.count(TOTAL, "train"):
        return tail({name: tally.count(name, "train") or 0 for name in names}), "train"
    theirs = published(_PAPER)
    counts = {name: int(theirs.cell(name, "train") or 0) for name in names}
    return tail(counts), "KLUE's train split"
