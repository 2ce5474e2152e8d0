"""What became of one item, what became of a vote that did not count, and both as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.errors import ConservationError
from pipeline.core.jsontext import canonical

STAGE: Final = "aggregation"
STATUSES: Final = ("gold", "unresolved", "removed")
Status = Literal["gold", "unresolved", "removed"]
#: Where an unresolved item waits, and for whom.
Queue = Literal["review", "votes", "expert", "top_annotators", "inspection", "revision", "privacy"]


@dataclass(frozen=True)
class Outcome:
    """The end of one item: gold with a label, unresolved in a queue, or removed with a reason.

    `votes` counts the votes that decided or tried to; `agreement` is the share of them that say
    what gold says, in [0, 1]. `evidence` is plain data; equal outcomes may share it.
    """

    status: Status
    rule: str
    votes: int = 0
    label: str | None = None
    reason: str | None = None
    queue: Queue | None = None
    agreement: float | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Note:
    """A vote that did not count: the item (its id), the rule, and why, without its content."""

    item: str
    rule: str
    reason: str


def gold_table(
    items: Sequence[str],
    outcomes: Sequence[Outcome],
    *,
    task: str,
    simulated: Sequence[bool],
    sources: Sequence[str | None],
) -> pa.Table:
    """Return the table GOLD, one row an item, in the order of the items."""
    texts: dict[int, str] = {}
    for one in outcomes:
        if id(one.evidence) not in texts:
            texts[id(one.evidence)] = canonical(one.evidence)
    columns: dict[str, Sequence[object]] = {
        name: [getattr(one, name) for one in outcomes]
        for name in ("status", "rule", "votes", "label", "reason", "queue", "agreement")
    }
    columns |= {
        "item": items,
        "task": [task] * len(items),
        "simulated": simulated,
        "evidence": [texts[id(one.evidence)] for one in outcomes],
        "source": sources,
    }
    return schemas.check(
        pa.table({n: columns[n] for n in schemas.GOLD.names}, schemas.GOLD), "gold"
    )


def ledger_table(gold: pa.Table, notes: Sequence[Note]) -> pa.Table:
    """Return the rows of the ledger, by item.

    An item removed is a row of action `drop` under the rule that removed it. A vote that did not
    count is a row of action `edit`: its item stays, its evidence is less. No row tells a label.
    """
    source = dict(zip(gold["item"].to_pylist(), gold["source"].to_pylist(), strict=True))
    rows = [
        (row["item"], row["rule"], "drop", row["reason"])
        for row in gold.select(["item", "status", "rule", "reason"]).to_pylist()
        if row["status"] == "removed"
    ]
    rows += [(one.item, one.rule, "edit", one.reason) for one in notes]
    names = ("unit", "rule", "action", "reason")
    made = [
        {**dict(zip(names, row, strict=True)), "source": source.get(row[0]) or "", "stage": STAGE}
        for row in sorted(rows)
    ]
    return schemas.build("ledger", made)


def check_conservation(items: Sequence[str], gold: pa.Table, ledger: pa.Table) -> None:
    """Check that every item came out once, with one end, and that the removed are in the ledger.

    Raises ConservationError with the numbers.
    """
    ends = gold["item"].to_pylist()
    if sorted(ends) != sorted(items):
        raise ConservationError(
            f"{len(items)} items in, {len(ends)} out; lost or invented:"
            f" {sorted(set(items) ^ set(ends))[:5]}"
        )
    status = gold["status"].to_pylist()
    labelled = gold["label"].is_valid().to_pylist()
    waits = gold["queue"].is_valid().to_pylist()
    for item, end, has_label, has_queue in zip(ends, status, labelled, waits, strict=True):
        if (
            end not in STATUSES
            or has_label != (end == "gold")
            or has_queue != (end == "unresolved")
        ):
            raise ConservationError(f"item {item} is neither gold, unresolved nor removed: {end}")
    left = [
        row["unit"]
        for row in ledger.select(["unit", "action"]).to_pylist()
        if row["action"] == "drop"
    ]
    removed = [item for item, end in zip(ends, status, strict=True) if end == "removed"]
    if sorted(left) != sorted(removed):
        raise ConservationError(f"{len(removed)} items removed, {len(left)} in the ledger")
