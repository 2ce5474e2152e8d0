"""A vote of a file, the keys that it may have, and the rules that refuse a record."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.task import nfc, wrong
from pipeline.core import schemas


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
    """A record that gives no vote: where it stands, the rule, and why, without its content.

    `item` is what the record has as its item, as far as it could be read.
    """

    file: str
    line: int
    rule: str
    reason: str
    item: Any = None


def count_rules(refused: Mapping[str, int]) -> str:
    """Return how many records each rule refused, as in ``vote.key@1 (1,446), vote.label@1 (3)``."""
    return ", ".join(f"{rule} ({count:,})" for rule, count in sorted(refused.items()))


#: Why a vote is refused; a file's own faults (file.malformed@1, ...) are those of core/io.
RULES: Final = {
    "vote.key@1": "a key that votes do not have",
    "vote.task@1": "a vote of another task, or of another than the votes before it",
    "vote.spec@1": "given under a version of the spec that does not fit this one",
    "vote.item@1": "no item named",
    "vote.unknown_item@1": "an item that is not among those given out",
    "vote.pilot@1": "a pilot item in a main batch",
    "vote.annotator@1": "neither an annotator nor a seat",
    "vote.role@1": "a role that the spec does not have",
    "vote.round@1": "a round that the spec, or the batch, does not have",
    "vote.attempt@1": "no number of an attempt, or one too many",
    "vote.empty@1": "neither a label nor a report",
    "vote.form@1": "an answer of another form than the round wants",
    "vote.label@1": "a label outside the spec",
    "vote.range@1": "a number or a span out of range",
    "vote.tree@1": "a circle, no root or two roots in a tree",
    "vote.report@1": "a reason to report that the spec does not have",
    "vote.time@1": "a moment that is not ISO 8601",
    "vote.seconds@1": "a duration that is negative or no number",
    "vote.value@1": "a value of the wrong type for its key",
    "vote.unassigned@1": "an item that was not given to this annotator",
    "vote.own@1": "an answer about the annotator's own work",
    "vote.double@1": "a second answer that contradicts the first",
}
#: The rule of a vote that is kept though its item was not given to the annotator.
UNASSIGNED: Final = "vote.unassigned@1"
#: The rule of an edit: a newer answer took the place of an earlier one.
REPLACED: Final = "vote.replaced@1"


@dataclass(frozen=True)
class Within:
    """What a batch asks of its votes.

    `round` is the one it is about. With `assignments` (the table; without rows it asks nothing), an
    annotator answers only what they were given, unless the votes come out of an `open` tool, which
    cannot hold back: then other votes are kept and marked in the ledger. `barred` says who may not
    answer an item, and `pilot` which items are of a pilot and have no place here.
    """

    round: str | None = None
    assignments: pa.Table | None = None
    barred: Mapping[str, Collection[str]] = field(default_factory=dict)
    pilot: Collection[str] = frozenset()
    open: bool = False


#: Every key that a vote may have: the columns of a table of votes.
KEYS: Final = tuple(schemas.VOTES.names)


def moment(at: Any) -> datetime | None:
    """Return a moment of ISO 8601 in UTC; one without an offset is UTC already."""
    if at is None:
        return None
    try:
        time = at if isinstance(at, datetime) else datetime.fromisoformat(at)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (TypeError, ValueError, OverflowError):
        raise wrong("time", "`at` is no moment as in 2020-09-01T10:30:00+09:00") from None


#: Why a vote on an item of others is refused, or marked.
NOT_GIVEN: Final = "is about an item that was not given to this annotator"
#: Why an answer about one's own work is refused.
OWN_WORK: Final = "is about the annotator's own work, which others must judge"


def normal(name: str) -> str:
    """Return the name of a person, seat or item in its one form: NFC, without outer blanks."""
    return nfc(name).strip()


def is_number(value: Any) -> bool:
    """Tell whether a value is a finite number, which true and false are not."""
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return is_real and abs(value) <= sys.float_info.max
