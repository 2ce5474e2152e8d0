"""Columns of wos. A state names the domains of a goal: both are null in a test file."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.tables import TEXT, TEXTS, Card, Columns, Row, schema

_TURN: Final = pa.struct([("role", TEXT), ("text", TEXT), ("state", TEXTS)])


def _to_row(example: Example) -> Row:
    return {
        "guid": example.id,
        "domains": example.fields["domains"],
        "dialogue": [{**turn, "state": turn.get("state", [])} for turn in example.label["turns"]],
        "source": example.source,
    }


def _from_row(row: Row) -> Example:
    fields = {} if row["domains"] is None else {"domains": row["domains"]}
    turns = [
        {name: value for name, value in turn.items() if value is not None}
        for turn in row["dialogue"]
    ]
    return Example(row["guid"], row["source"], fields, {"turns": turns})


def _is_valid(row: Row) -> bool:
    turns = row["dialogue"]
    states = [state for turn in turns for state in turn["state"]]
    return (
        bool(turns)
        and all(not turn["state"] for turn in turns if turn["role"] != "user")
        and all(len(state.split("-", 2)) == 3 for state in states)
    )


COLUMNS: Final = Columns(
    task="dst",
    schema=schema(guid=TEXT, domains=TEXTS, dialogue=pa.list_(_TURN), source=TEXT),
    answer=("domains", "dialogue.state"),
    hidden_in_test=("domains", "dialogue.state"),
    to_row=_to_row,
    from_row=_from_row,
    label_names="dialogue.state",
    label_of=lambda state: "-".join(state.split("-", 2)[:2]),
    allowed=lambda spec: [slot.id for slot in spec.slots if slot.informable],
    is_valid=_is_valid,
)
CARD: Final = Card(
    "text-generation",
    "dialogue-modeling",
    written=True,
    redrawn="the goal of each dialogue",
    split="By goal: validation and test have goals that no train dialogue has.",
    promises=(
        "Dialogues on counterfactual goals, and on goals drawn over instances of the "
        "knowledge base that train goals never use, are in validation and test only.",
    ),
)
