"""The scores on control items for people, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flows.view.console import print_table
from pipeline.annotation.qualification.control import PARTS

#: So many annotators are listed.
_LISTED: Final = 30


def show_control(record: Mapping[str, Any] | None) -> None:
    """Print every annotator's score on control items, the lowest first."""
    if record is None:
        return
    people = record["annotators"]
    order = sorted(people, key=lambda who: (people[who]["low"] is None, people[who]["low"], who))
    rows = [
        (
            who,
            f"{people[who]['n']:,} of {people[who]['assigned']:,}",
            _share(people[who]["share"]),
            _interval(people[who]),
            *(_share(people[who][part]["share"]) for part in PARTS),
            f"{people[who]['reported']:,}",
        )
        for who in order[:_LISTED]
    ]
    parts = (part.replace("_", " ") for part in PARTS)
    heads = ("annotator", "answered", "right", "95 % interval", *parts, "reported")
    title = "Control items, the lowest scores first"
    if len(people) > _LISTED:
        title += f" ({_LISTED} of {len(people):,}; --json has all)"
    print_table(title, heads, rows)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"


def _interval(score: Mapping[str, Any]) -> str:
    return "" if score["low"] is None else "{low:.2f} to {high:.2f}".format(**score)
