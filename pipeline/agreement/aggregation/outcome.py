"""What became of each item and of each vote that does not count: as tables, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import ConservationError
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count

STAGE: Final = "aggregation"
#: Of an item that is open though votes about it came: they were refused when they were read.
REFUSED: Final = "gold.votes_refused@1"
#: The ends of an item: its status, whether it has a label, and whether it waits in a queue.
_ENDS: Final = {("gold", True, False), ("unresolved", False, True), ("removed", False, False)}
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


def queue_outcome(
    rule: str, votes: int, reason: str, queue: Queue, evidence: Mapping[str, Any]
) -> Outcome:
    """Return the outcome of an item that waits in a queue."""
    return Outcome("unresolved", rule, votes, reason=reason, queue=queue, evidence=evidence)


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
    **columns: Sequence[object],
) -> pa.Table:
    """Return the table GOLD, one row an item, in the order of the items.

    `columns` are what outcomes do not hold: simulated, source, soft_label and others.
    """
    evidence = {id(outcome.evidence): outcome.evidence for outcome in outcomes}
    texts = {key: canonical(value) for key, value in evidence.items()}
    absent = [None] * len(outcomes)
    columns |= {
        name: [getattr(outcome, name) for outcome in outcomes]
        for name in ("status", "rule", "votes", "label", "reason", "queue", "agreement")
    }
    columns |= {
        "item": items,
        "task": [task] * len(items),
        "evidence": [texts[id(outcome.evidence)] for outcome in outcomes],
    }
    table = pa.table({n: columns.get(n, absent) for n in schemas.GOLD.names}, schemas.GOLD)
    return schemas.check(table, "gold")


def ledger_table(gold: pa.Table, notes: Sequence[Note]) -> pa.Table:
    """Return the rows of the ledger, by item.

    An item removed is a row of action `drop` under the rule that removed it. A vote that did not
    count is a row of action `edit`: its item stays, its evidence is less. No row holds a label.
    """
    source = dict(schemas.rows(gold, "item", "source"))
    rows = [
        (item, rule, "drop", reason)
        for item, status, rule, reason in schemas.rows(gold, "item", "status", "rule", "reason")
        if status == "removed"
    ]
    rows += [(note.item, note.rule, "edit", note.reason) for note in notes]
    names = ("unit", "rule", "action", "reason", "source", "stage")
    full = ((*row, source.get(row[0]) or "", STAGE) for row in sorted(rows))
    return schemas.build("ledger", [dict(zip(names, row, strict=True)) for row in full])


def refusal_rows(gold: pa.Table, votes_ledger: pa.Table) -> pa.Table:
    """Return rows of the ledger (keep) of items without gold about which votes were refused.

    `votes_ledger` is what the stage before says of votes that it refused.
    """
    refused = Counter(
        unit
        for unit, action in schemas.rows(votes_ledger, "unit", "action")
        if action == "quarantine"
    )
    rows: list[dict[str, object]] = [
        {
            "unit": item,
            "source": source or "",
            "stage": STAGE,
            "rule": REFUSED,
            "action": "keep",
            "reason": f"{reason}; {count(refused[item], 'vote')} about it refused",
        }
        for item, status, reason, source in schemas.rows(gold, "item", "status", "reason", "source")
        if status == "unresolved" and refused[item]
    ]
    return schemas.build("ledger", rows)


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
    for item, status, label, queue in schemas.rows(gold, "item", "status", "label", "queue"):
        if (status, label is not None, queue is not None) not in _ENDS:
            raise ConservationError(
                f"item {item} is neither gold, unresolved nor removed: {status}"
            )
    dropped = ledger.filter(pc.equal(ledger["action"], "drop"))["unit"].to_pylist()
    removed = gold.filter(pc.equal(gold["status"], "removed"))["item"].to_pylist()
    if sorted(dropped) != sorted(removed):
        raise ConservationError(f"{len(removed)} items removed, {len(dropped)} in the ledger")


def summarise(
    outcomes: Sequence[Outcome], notes: Sequence[Note], judged: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the counts of a run.

    `items`, `resolved`, `unresolved`, `removed`; `by_rule` and the status of each; `by_queue` of
    the unresolved; `by_reason` of the unresolved and the removed; `excluded` annotators with their
    numbers, and `judged` with everybody's; `left_out` votes by rule.
    """
    status = Counter(outcome.status for outcome in outcomes)
    rules = schemas.group((outcome.rule, outcome.status) for outcome in outcomes)
    return {
        "items": len(outcomes),
        "resolved": status["gold"],
        "unresolved": status["unresolved"],
        "removed": status["removed"],
        "by_rule": {rule: _count(ends) for rule, ends in sorted(rules.items())},
        "by_queue": _count(outcome.queue for outcome in outcomes),
        "by_reason": _count(outcome.reason for outcome in outcomes),
        "excluded": [person for person in judged if person["excluded"]],
        "judged": list(judged),
        "left_out": _count(note.rule for note in notes),
    }


def _count(names: Iterable[str | None]) -> dict[str, int]:
    return dict(sorted(Counter(name for name in names if name).items()))


def matches(gold: pa.Table, items: pa.Table | None, task: Task) -> int | None:
    """Count the items whose aggregated label equals the one their file gives.

    None where the items give no label. A file's label equals if it is the same JSON, or the same
    answer of a category task (a topic and a list of one topic). One true score is left out: a mean
    of votes cannot equal it.
    """
    if items is None:
        return None
    labels = {
        name: label
        for name, label in schemas.rows(items, "item", "gold")
        if label is not None and (task.kind != "number" or label.startswith("{"))
    }
    if not labels:
        return None
    return sum(
        label is not None and name in labels and _equal(label, labels[name], task)
        for name, label in schemas.rows(gold, "item", "label")
    )


def _equal(ours: str, given: str, task: Task) -> bool:
    if ours == given:
        return True
    left, right = parsed(ours), parsed(given)
    if task.kind == "category":
        left, right = (x[0] if isinstance(x, list) and x else x for x in (left, right))
    if task.kind == "labels":
        left, right = sorted(left), sorted(right)
    return canonical(left) == canonical(right)
