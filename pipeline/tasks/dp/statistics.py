"""Statistics of dependency parsing: Tables 13 and 14."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.artefacts import table_section
from pipeline.report.quality.distributions import Labels, Length, text_length
from pipeline.report.quality.statistics import (
    TOTAL,
    Tally,
    by_split,
    grid,
    iter_rows,
    paper_table,
    ratio,
    source_table,
)
from pipeline.report.record import Column, Section, Table

_PAPER: Final = "Table 14"
#: The labels that LAS merges make up at most this share of the words of train.
TAIL: Final = 0.01


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the sentences by source (Table 13), and the words by relation (Table 14)."""
    rows = iter_rows(examples, "split", "label")
    labels = Tally(
        examples, ((deprel, split) for split, label in rows for deprel in label["deprels"])
    )
    return [
        source_table("dp-sources", "Sentences by source", examples, "Table 13"),
        _labels(labels),
    ]


def tail(counts: Mapping[str, int]) -> frozenset[str]:
    """Return the rarest labels, as many as have at most 1 % of all words between them.

    Equally frequent labels are rarer the later their name. LAS merges them into OTHERS
    (Section 3.6.2).
    """
    rarest_first = sorted(sorted(counts, reverse=True), key=lambda label: counts[label])
    sums = accumulate(counts[label] for label in rarest_first)
    most = TAIL * sum(counts.values())
    return frozenset(label for label, n in zip(rarest_first, sums, strict=True) if n <= most)


def _labels(tally: Tally) -> Table:
    names = list(dict.fromkeys([*paper_table(_PAPER).rows, *tally.rows()]))
    names.remove(TOTAL)
    merged, by = _rare_relations(tally, names)
    rows = {name: (name, "OTHERS" if name in merged else "") for name in names}
    note = f"OTHERS: the rarest relations, 1 % of the words of {by} at most."
    return grid(
        "dp-labels",
        "Words by relation",
        heads=("Relation", "In LAS"),
        rows=rows | {TOTAL: ("Total", "")},
        columns=by_split(shares=True),
        cell=tally.cell,
        paper=_PAPER,
        note=f"{note} {tally.note}".rstrip(),
    )


def _rare_relations(tally: Tally, names: list[str]) -> tuple[frozenset[str], str]:
    if tally.count(TOTAL, "train"):
        return tail({name: tally.count(name, "train") or 0 for name in names}), "train"
    theirs = paper_table(_PAPER)
    return tail({n: int(theirs.cell(n, "train") or 0) for n in names}), "KLUE's train split"


def _next_word(examples: pa.Table, spec: TaskSpec) -> Section:
    tally = Tally(examples)
    for split, label in iter_rows(examples, "split", "label"):
        tally.add("sentences", split)
        tally.add("words", split, len(label["heads"]))
        order = [*range(2, len(label["heads"]) + 1), 0]
        tally.add("right", split, sum(a == b for a, b in zip(label["heads"], order, strict=True)))
    return table_section(
        f"artefacts-{spec.task}-next",
        "What the order of words scores",
        "Every word hangs on the next one and the last is the root. Korean heads follow, so that"
        " this is a strong guess: a parser is worth what it scores above it. UAS is here the share"
        " of words with the right head.",
        [Column("split", "text"), Column("sentences"), Column("words"), Column("UAS", "share")],
        [
            [
                *(split, tally.count("sentences", split), tally.count("words", split)),
                ratio(tally.count("right", split), tally.count("words", split)),
            ]
            for split in tally.splits
            if tally.count("words", split)
        ],
    )


SIZE: Final = ("Table 13", "total")
LOOK: Final = "Relations and sources should be alike in all splits."
LABELS: Final = Labels("Relations", "words", lambda _, label: label["deprels"])
LENGTHS: Final = (
    text_length("text", "Sentence"),
    Length("words", "Sentence", "words", lambda fields, _: [len(fields["words"])]),
)
ARTEFACTS: Final = (_next_word,)
