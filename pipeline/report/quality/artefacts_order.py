"""What the order of words and of turns gives away: the next word as head, the state of before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.statistics.rows import each
from pipeline.report.record import Cell, Column, Section, Table


def next_word(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return what hanging every word on the next one scores (DP)."""
    sentences: Counter[str] = Counter()
    words: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for split, label in each(examples, "split", "label"):
        sentences[split] += 1
        words[split] += len(label["heads"])
        right[split] += on_next(label["heads"])
    rows: list[list[Cell]] = [
        [split, sentences[split], words[split], round(right[split] / words[split], 6)]
        for split in SPLITS
        if words[split]
    ]
    columns = [
        Column("split", "text"),
        Column("sentences"),
        Column("words"),
        Column("UAS", "share"),
    ]
    return _section(
        f"artefacts-{spec.task}-next",
        "What the order of words scores",
        "Every word hangs on the next one and the last is the root. Korean heads follow, so that"
        " this is a strong guess: a parser is worth what it scores above it. UAS is here the share"
        " of words with the right head.",
        columns,
        rows,
    )


def on_next(heads: Sequence[int]) -> int:
    """Return how many words hang on the word after them, the last one on the root (0)."""
    guessed = [*range(2, len(heads) + 1), 0]
    return sum(a == b for a, b in zip(heads, guessed, strict=True))


def repeated_states(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return how many states of user turns are the same as in the user turn before (DST)."""
    turns: Counter[str] = Counter()
    same: Counter[str] = Counter()
    empty: Counter[str] = Counter()
    for split, label in each(examples, "split", "label"):
        before: frozenset[str] = frozenset()
        for turn in label["turns"]:
            if turn["role"] == "user":
                state = frozenset(turn["state"])
                turns[split] += 1
                same[split] += state == before
                empty[split] += not state
                before = state
    rows: list[list[Cell]] = [
        [split, turns[split], *(round(found[split] / turns[split], 6) for found in (same, empty))]
        for split in SPLITS
        if turns[split]
    ]
    columns = [
        *(Column("split", "text"), Column("user turns")),
        *(Column("state as before", "share"), Column("state empty", "share")),
    ]
    return _section(
        f"artefacts-{spec.task}-before",
        "What the state of before scores",
        "How many user turns leave the state of the user turn before as it is (before the first, it"
        " is empty): the joint goal accuracy of a tracker that is told the right state of before"
        " and never reads on.",
        columns,
        rows,
    )


def _section(
    name: str, title: str, lead: str, columns: list[Column], rows: list[list[Cell]]
) -> Section:
    return Section(name, title, lead, tables=[Table(f"{name}-table", title, columns, rows)])
