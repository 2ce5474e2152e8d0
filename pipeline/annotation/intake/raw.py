"""A vote as a file gives it, before anybody believed it; and one that could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RawVote:
    """One vote of an export, in the keys of the project's own vote files.

    `value` has `item`, `annotator` (None: anonymous) and `label` or `report`, and may have role,
    round, attempt, seat, at (ISO 8601), seconds, spec, source, task, simulated. `line` is the line
    or record of the file, from 1.
    """

    file: str
    line: int
    value: dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """A record that gives no vote: where it stands, the rule, and why, without its content."""

    file: str
    line: int
    rule: str
    reason: str
