"""Statistics of dialogue state tracking: Table 26."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.report.quality.artefacts import table_section
from pipeline.report.quality.distributions import Labels, Length
from pipeline.report.quality.statistics import Tally, by_split, grid, iter_rows, ratio
from pipeline.report.record import Column, Section, Table

_COUNTS: Final = {
    "dialogues": "Dialogues",
    "single_domain": "On a single domain",
    "multi_domain": "On several domains",
    "counterfactual": "On counterfactual goals",
    "turns": "Turns of user and system",
    "tokens": "Tokens (words between blanks)",
}
#: Means by row: the title, and what is divided by what.
_MEANS: Final = {
    "turns_per_dialogue": ("Turns a dialogue", "turns", "dialogues"),
    "tokens_per_turn": ("Tokens a turn", "tokens", "turns"),
}


def tables(examples: pa.Table, **_: object) -> list[Table]:
    """Return the dialogues, turns and tokens by split, and their means (Table 26).

    A turn is what one side says at a time. Goals that are not known make no counterfactual count.
    """
    tally, known = Tally(examples), False
    for split, fields, label, meta in iter_rows(examples, "split", "fields", "label", "meta"):
        tally.add("dialogues", split)
        tally.add("single_domain" if len(fields["domains"]) == 1 else "multi_domain", split)
        tally.add("turns", split, len(label["turns"]))
        tally.add("tokens", split, sum(len(turn["text"].split()) for turn in label["turns"]))
        known = known or "counterfactual" in (meta or {})
        tally.add("counterfactual", split, int(bool((meta or {}).get("counterfactual"))))
    counts = grid(
        "dst-sizes",
        "Dialogues, turns and tokens",
        heads=("",),
        rows={row: (title,) for row, title in _COUNTS.items()},
        columns=by_split(),
        cell=lambda row, column: (
            tally.cell(row, column) if known or row != "counterfactual" else None
        ),
        paper="Table 26",
        note=tally.note,
    )
    means = grid(
        "dst-means",
        "Means of dialogues and turns",
        heads=("",),
        rows={row: (title,) for row, (title, _, _) in _MEANS.items()},
        columns={name: Column(column.name, "two") for name, column in by_split().items()},
        cell=lambda row, column: ratio(*(tally.count(name, column) for name in _MEANS[row][1:])),
        paper="Table 26",
        note=tally.note,
    )
    return [counts, means]


def _repeated_states(examples: pa.Table, spec: TaskSpec) -> Section:
    tally = Tally(examples)
    for split, label in iter_rows(examples, "split", "label"):
        before: frozenset[str] = frozenset()
        for turn in label["turns"]:
            if turn["role"] == "user":
                state = frozenset(turn["state"])
                tally.add("turns", split)
                tally.add("same", split, state == before)
                tally.add("empty", split, not state)
                before = state
    turns = {split: tally.count("turns", split) for split in tally.splits}
    return table_section(
        f"artefacts-{spec.task}-before",
        "What the state of before scores",
        "How many user turns leave the state of the user turn before as it is (before the first, it"
        " is empty): the joint goal accuracy of a tracker that is told the right state of before"
        " and never reads on.",
        [
            *(Column("split", "text"), Column("user turns")),
            *(Column("state as before", "share"), Column("state empty", "share")),
        ],
        [
            [split, count, *(ratio(tally.count(row, split), count) for row in ("same", "empty"))]
            for split, count in turns.items()
            if count
        ],
    )


SIZE: Final = ("Table 26", "dialogues")
LOOK: Final = "Domains and lengths should be alike in all splits."
LABELS: Final = Labels("Domains", "domains of dialogues", lambda fields, _: fields["domains"])
LENGTHS: Final = (
    Length("dialogue", "Dialogue", "turns", lambda _, label: [len(label["turns"])]),
    Length("turn", "Turn", "characters", lambda _, label: [len(t["text"]) for t in label["turns"]]),
)
ARTEFACTS: Final = (_repeated_states,)
