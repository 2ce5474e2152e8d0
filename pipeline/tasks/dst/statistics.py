"""Statistics of dialogue state tracking: Table 26."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.report.quality.statistics.grid import grid
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import Tally, by_split, ratio
from pipeline.report.record import Column, Table

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
