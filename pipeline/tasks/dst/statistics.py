"""Statistics of dialogue state tracking: Table 26."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.artefacts import table_section
from pipeline.report.quality.distributions import Labels, Length
from pipeline.report.quality.statistics import Tally, by_split, each, grid, ratio
from pipeline.report.record import Cell, Column, Section, Table

_COUNTS: Final = {
    "dialogues": "Dialogues",
    "single_domain": "On a single domain",
    "multi_domain": "On several domains",
    "counterfactual": "On counterfactual goals",
    "turns": "Turns of user and system",
    "tokens": "Tokens (words between blanks)",
}
#: What is divided by what.
_MEANS: Final = {
    "turns_per_dialogue": ("turns", "dialogues"),
    "tokens_per_turn": ("tokens", "turns"),
}


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the dialogues, turns and tokens by split, and their means (Table 26).

    A turn is what one side says at a time. Goals that are not known make no counterfactual count.
    """
    found = Tally(examples)
    told = False
    for split, fields, label, meta in each(examples, "split", "fields", "label", "meta"):
        found.add("dialogues", split)
        found.add("single_domain" if len(fields["domains"]) == 1 else "multi_domain", split)
        found.add("turns", split, len(label["turns"]))
        found.add("tokens", split, sum(len(turn["text"].split()) for turn in label["turns"]))
        told = told or "counterfactual" in (meta or {})
        found.add("counterfactual", split, int(bool((meta or {}).get("counterfactual"))))
    return [_counts(found, told), _means(found)]


def _counts(found: Tally, told: bool) -> Table:
    def cell(row: str, column: str) -> int | float | None:
        return None if row == "counterfactual" and not told else found.cell(row, column)

    return grid(
        "dst-sizes",
        "Dialogues, turns and tokens",
        heads=("",),
        rows={row: (title,) for row, title in _COUNTS.items()},
        columns=by_split(),
        cell=cell,
        paper="Table 26",
        note=found.note,
    )


def _means(found: Tally) -> Table:
    def cell(row: str, column: str) -> float | None:
        part, whole = _MEANS[row]
        return ratio(found.count(part, column), found.count(whole, column))

    titles = {"turns_per_dialogue": "Turns a dialogue", "tokens_per_turn": "Tokens a turn"}
    return grid(
        "dst-means",
        "Means of dialogues and turns",
        heads=("",),
        rows={row: (title,) for row, title in titles.items()},
        columns={name: Column(one.name, "two") for name, one in by_split().items()},
        cell=cell,
        paper="Table 26",
        note=found.note,
    )


def _repeated_states(examples: pa.Table, spec: TaskSpec) -> Section:
    """Return how many states of user turns are the same as in the user turn before."""
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
    return table_section(
        f"artefacts-{spec.task}-before",
        "What the state of before scores",
        "How many user turns leave the state of the user turn before as it is (before the first, it"
        " is empty): the joint goal accuracy of a tracker that is told the right state of before"
        " and never reads on.",
        columns,
        rows,
    )


def _turns(_fields: Mapping[str, Any], label: Mapping[str, Any]) -> list[int]:
    return [len(turn["text"]) for turn in label["turns"]]


SIZE: Final = ("Table 26", "dialogues")
LOOK: Final = "Domains and lengths should be alike in all splits."
LABELS: Final = Labels("Domains", "domains of dialogues", lambda fields, _: fields["domains"])
LENGTHS: Final = (
    Length("dialogue", "Dialogue", "turns", lambda _, label: [len(label["turns"])]),
    Length("turn", "Turn", "characters", _turns),
)
ARTEFACTS: Final = (_repeated_states,)
