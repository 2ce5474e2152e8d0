"""The reason of a refusal as a list: what is wrong, and on which line of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

#: A fault of a row, as `klue score` words it: FILE line 3: what is wrong.
_LINE: Final = re.compile(
    r"(?P<file>.*?)\s?(?P<unit>line|row) (?P<number>[\d,]{1,15}): (?P<text>.*)", re.DOTALL
)
#: A fault of the whole file, such as a guid without prediction.
_FILE: Final = re.compile(r"\S{1,80}\.(?:jsonl|parquet)(?:\.\w+)?: (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Fault:
    """One fault; `place` is None for a fault of no line, `unit` is a line or a row of Parquet."""

    text: str
    place: int | None = None
    unit: Literal["line", "row"] = "line"


@dataclass(frozen=True)
class Refusal:
    """Why a file was refused: in a sentence, fault by fault, and what more there is."""

    summary: str
    faults: Sequence[Fault]
    more: str


def refusal(reason: str) -> Refusal:
    """Return a reason in its parts; a reason of one line is all summary."""
    first, *lines = reason.strip().split("\n")
    listed = [line.strip() for line in lines if line.strip()]
    more = listed.pop() if listed and re.fullmatch(r"and [\d,]+ faults more", listed[-1]) else ""
    whole = _FILE.fullmatch(first.strip())
    return Refusal(
        whole["text"] if whole else first.strip(), [_fault(line) for line in listed], more
    )


def _fault(line: str) -> Fault:
    if match := _LINE.fullmatch(line):
        number = int(match["number"].replace(",", "") or 0)
        return Fault(match["text"], number, "row" if match["unit"] == "row" else "line")
    whole = _FILE.fullmatch(line)
    return Fault(whole["text"] if whole else line)
