"""Columns of wos. A state names the domains of a goal: both are null in a test file."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.columns import TEXT, TEXTS, Columns, Row, schema

_TURN: Final = pa.struct([("role", TEXT), ("text", TEXT), ("state", TEXTS)])


def _row(one: Example) -> Row:
    return {
        "guid": one.id,
        "domains": one.fields["domains"],
        "dialogue": [{**turn, "state": turn.get("state", [])} for turn in one.label["turns"]],
        "source": one.source,
    }


def _back(row: Row) -> Example:
    fields = {} if row["domains"] is None else {"domains": row["domains"]}
    turns = [_known(turn) for turn in row["dialogue"]]
    return Example(row["guid"], row["source"], fields, {"turns": turns})


def _known(turn: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in turn.items() if value is not None}


COLUMNS: Final = Columns(
    task="dst",
    schema=schema(guid=TEXT, domains=TEXTS, dialogue=pa.list_(_TURN), source=TEXT),
    answer=("domains", "dialogue.state"),
    betraying=("domains", "dialogue.state"),
    row=_row,
    back=_back,
)
