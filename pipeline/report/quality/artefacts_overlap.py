"""How far the words that two texts share tell the answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts_scores import pearson
from pipeline.report.quality.artefacts_words import content, some
from pipeline.report.record import Cell, Column, Section, Table
from pipeline.tasks.mrc.statistics import type_of

#: Pairs, and questions with their long passages, of a split that are analysed at most: the standard
#: error of the mean of so many shares is below one and two points of a hundred.
PAIRS: Final = 4_000
PASSAGES: Final = 600
#: Means of fewer examples of test are not told: they would tell which of them has what answer.
LEAST: Final = 5
#: Section 3.7.3: the ratio of type 2.
_PAPER: Final = {"2": 0.68}
_ALL: Final = "all"


def share(text: str, other: str) -> float | None:
    """Return which share of a text's morphemes stands in the other; None where it has none.

    Particles, endings and marks are left out, as in Section 3.7.3.
    """
    own, known = content(text), set(content(other))
    return sum(word in known for word in own) / len(own) if own else None


def jaccard(left: str, right: str) -> float:
    """Return the Jaccard similarity of two texts' morphemes; 0 where neither has any."""
    a, b = set(content(left)), set(content(right))
    return len(a & b) / len(a | b) if a | b else 0.0


def pairs(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return the correlation of the score of two sentences with the morphemes they share (STS)."""
    rows: list[list[Cell]] = []
    for split in SPLITS:
        found = [
            (float(label["label"]), jaccard(fields["sentence1"], fields["sentence2"]))
            for fields, label in some(examples, split)
        ]
        if found:
            golds, shares = [gold for gold, _ in found], [likeness for _, likeness in found]
            r = pearson(golds, shares)
            mean = round(sum(shares) / len(shares), 6)
            rows.append([split, len(found), mean, None if r is None else round(r, 6)])
    return _section(
        spec.task,
        "What shared words score",
        "Pearson's correlation of the score with the Jaccard similarity of the two sentences'"
        " morphemes. Dev and test are drawn so that it tells little (Section 3.2.1): they should be"
        " below train.",
        [Column("pairs"), Column("mean similarity", "share"), Column("Pearson", "four")],
        rows,
    )


def hypotheses(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return which share of the hypothesis stands in its premise, by label (NLI)."""
    rows: list[list[Cell]] = []
    for split in SPLITS:
        found: dict[str, list[float]] = defaultdict(list)
        for fields, label in some(examples, split, most=PAIRS):
            part = share(fields["hypothesis"], fields["premise"])
            if part is not None:
                found[label].append(part)
        rows += [
            [split, label, len(found[label]), mean(found[label])]
            for label in spec.ids()
            if _told(split, found[label])
        ]
    return _section(
        spec.task,
        "Words of the premise in the hypothesis",
        "Which share of the hypothesis' morphemes stands in the premise. Where labels differ much,"
        " counting shared words is a guess at the label.",
        [Column("label", "text"), Column("pairs"), Column("shared", "share")],
        rows,
    )


def questions(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return which share of the question stands in its passage, by type (MRC)."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for split in SPLITS:
        for fields, label in some(examples, split, most=PASSAGES):
            part = share(label["question"], fields["context"])
            if part is not None:
                for name in (split, _ALL):
                    found[name, type_of(label)].append(part)
    there = [at for at, shares in found.items() if _told(at[0], shares)]
    ordered = sorted(there, key=lambda at: ([*SPLITS, _ALL].index(at[0]), at[1]))
    rows: list[list[Cell]] = [[*at, len(found[at]), mean(found[at])] for at in ordered]
    return _section(
        spec.task,
        "Words of the passage in the question",
        "Which share of the question's morphemes stands in the passage. The lower, the less is won"
        " by looking for the question's words.",
        [Column("type", "text"), Column("questions"), Column("shared", "share")],
        rows,
        published=[
            [_ALL, kind, None, _PAPER[kind]] if split == _ALL and kind in _PAPER else None
            for split, kind in ordered
        ],
        note="The paper (Section 3.7.3) tells 68 % for type 2 and 55 % to 59 % for types 1 and 3,"
        " counted with another analyser.",
    )


def _told(split: str, shares: Sequence[float]) -> bool:
    return len(shares) >= (LEAST if split == "test" else 1)


def mean(shares: Sequence[float]) -> float:
    """Return the mean of shares."""
    return round(sum(shares) / len(shares), 6)


def _section(
    task: str,
    title: str,
    lead: str,
    columns: list[Column],
    rows: list[list[Cell]],
    *,
    published: list[list[Cell] | None] | None = None,
    note: str = "",
) -> Section:
    name = f"artefacts-{task}-overlap"
    whole = [Column("split", "text"), *columns]
    table = Table(f"{name}-table", title, whole, rows, published=published, note=note)
    return Section(name, title, lead, tables=[table])
