"""The scores on control items as a table of the audit's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.report.page import Cell, Column, Table, estimate, table

_PARTS: Final = ("first_third", "middle_third", "last_third")


def control_items(record: Mapping[str, Any]) -> Table | None:
    """Return a row an annotator, the lowest scores first; None where no control item was hidden."""
    control = record.get("control_items")
    if not control:
        return None
    people = control["annotators"]
    order = sorted(people, key=lambda who: (people[who]["low"] is None, people[who]["low"], who))
    columns = [
        Column("annotator"),
        Column("given", "control items in the annotator's list", "count"),
        Column("answered", form="count"),
        Column("reported", "reported instead of answered", "count"),
        Column("right", "share of the answers", "number"),
        Column("95 % interval", "Wilson's, of the share", "line"),
        *(Column(part.replace("_", " "), "share right, by time", "number") for part in _PARTS),
        Column("course", "right (1) and wrong (0) answers in their order", "line"),
    ]
    return table(columns, [_row(who, people[who]) for who in order])


def _row(who: str, person: Mapping[str, Any]) -> list[Any]:
    shares = [Cell(person[part]["share"], why="no answer") for part in _PARTS]
    course = "".join(str(int(answer["right"])) for answer in person["answers"])
    score = estimate({**person, "value": person["share"]})
    counts = (person[name] for name in ("assigned", "n", "reported"))
    return [who, *counts, *score, *shares, Cell(course or None)]
