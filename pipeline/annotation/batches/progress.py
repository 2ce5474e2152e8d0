"""What `klue status` says of a batch: what is answered, what is missing, and from whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.batch import Batch


@dataclass(frozen=True)
class Share:
    """An annotator's part of a batch; `missing` lists the items in the annotator's own order."""

    annotator: str
    assigned: int
    answered: int
    reported: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    """Where a batch stands.

    An item is complete when everybody it was given to answered or reported it; where nobody was
    given it, when it has `per_item` answers of different people. `assigned` and `answered` count
    answers wanted and given; `quarantined` counts the refused records of the files read last.
    """

    task: str
    batch: str
    kind: str
    round: str
    spec: str
    per_item: int
    items: int
    complete: int
    partial: int
    untouched: int
    assigned: int
    answered: int
    reported: int
    quarantined: int
    taken_out: int
    annotators: tuple[Share, ...]


def progress(batch: Batch) -> Progress:
    """Count what a batch has and what it lacks."""
    card = batch.card
    given, reported = _given(batch)
    queues: dict[str, list[str]] = {}
    wanted: Counter[str] = Counter()
    pairs = _queue(batch.assignments)
    for who, item in pairs:
        queues.setdefault(who, []).append(item)
        wanted[item] += 1
    shares = tuple(_share(who, queues[who], given, reported) for who in sorted(queues))
    if not queues:
        wanted = Counter(dict.fromkeys(batch.items.column("item").to_pylist(), card.per_item))
    have = Counter(item for _, item in (given.intersection(pairs) if queues else given))
    complete = sum(have[item] >= many for item, many in wanted.items())
    untouched = sum(not have[item] for item in wanted)
    return Progress(
        task=card.task,
        batch=card.name,
        kind=card.kind,
        round=card.round,
        spec=card.spec,
        per_item=card.per_item,
        items=batch.items.num_rows,
        complete=complete,
        partial=len(wanted) - complete - untouched,
        untouched=untouched,
        assigned=wanted.total(),
        answered=sum(min(have[item], many) for item, many in wanted.items()),
        reported=len(reported),
        quarantined=_count(batch.ledger, "quarantine"),
        taken_out=card.taken_out,
        annotators=shares,
    )


def _queue(assignments: pa.Table) -> list[tuple[str, str]]:
    """Return (annotator, item), each annotator's in order."""
    ordered = assignments.sort_by([("annotator", "ascending"), ("ordinal", "ascending")])
    columns = (ordered.column(name).to_pylist() for name in ("annotator", "item"))
    return list(zip(*columns, strict=True))


def _given(batch: Batch) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (annotator or seat, item) of what was answered or reported, and of the reports."""
    of_round = pc.equal(batch.votes.column("round"), batch.card.round)
    of_role = pc.equal(batch.votes.column("role"), batch.card.role)  # not an expert's, say
    votes = batch.votes.filter(pc.and_(of_round, of_role))
    names = ("annotator", "seat", "item", "report")
    rows = list(zip(*(votes.column(name).to_pylist() for name in names), strict=True))
    given = {(who if who is not None else f"seat {seat}", item) for who, seat, item, _ in rows}
    reports = {
        (who if who is not None else f"seat {seat}", item)
        for who, seat, item, report in rows
        if report is not None
    }
    return given, reports


def _share(
    who: str, queue: list[str], given: set[tuple[str, str]], reported: set[tuple[str, str]]
) -> Share:
    missing = tuple(item for item in queue if (who, item) not in given)
    reports = sum((who, item) in reported for item in queue)
    return Share(who, len(queue), len(queue) - len(missing), reports, missing)


def _count(ledger: pa.Table, action: str) -> int:
    return int(pc.sum(pc.equal(ledger.column("action"), action)).as_py() or 0)
