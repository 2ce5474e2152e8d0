"""What of a batch is answered, and what is missing from whom."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pipeline.annotation.batches.batch import Batch
from pipeline.core import schemas


def progress(batch: Batch) -> dict[str, Any]:
    """Return what a batch has and what it lacks, in the keys of `klue status --json`.

    An item is complete when everybody it was given to answered or reported it; where nobody was
    given it, when it has `per_item` answers of different people. `assigned` and `answered` count
    answers wanted and given, `unassigned` those to items of others, `quarantined` refused records.
    `annotators` are the shares of those who were given items; `missing` lists what each has still
    to answer, in the annotator's own order.
    """
    card = batch.card
    answered, reported = _answer_pairs(batch)
    ordered = batch.assignments.sort_by([("annotator", "ascending"), ("ordinal", "ascending")])
    queues: dict[str, list[str]] = schemas.group(schemas.rows(ordered, "annotator", "item"))
    wanted = Counter(item for queue in queues.values() for item in queue)
    asked = {(who, item) for who, queue in queues.items() for item in queue}
    if not queues:
        wanted = Counter(dict.fromkeys(batch.items.column("item").to_pylist(), card.per_item))
        asked = answered
    have = Counter(item for _, item in answered & asked)
    complete = sum(have[item] >= count for item, count in wanted.items())
    untouched = sum(not have[item] for item in wanted)
    annotators = [
        {
            "annotator": who,
            "assigned": len(queue),
            "answered": sum((who, item) in answered for item in queue),
            "reported": sum((who, item) in reported for item in queue),
            "missing": [item for item in queue if (who, item) not in answered],
        }
        for who, queue in queues.items()
    ]
    return {
        "task": card.task,
        "batch": card.name,
        "kind": card.kind,
        "round": card.round,
        "spec": card.spec,
        "per_item": card.per_item,
        "items": batch.items.num_rows,
        "complete": complete,
        "partial": len(wanted) - complete - untouched,
        "untouched": untouched,
        "assigned": wanted.total(),
        "answered": sum(min(have[item], count) for item, count in wanted.items()),
        "reported": len(reported),
        "unassigned": len(answered - asked),
        "quarantined": batch.ledger.column("action").to_pylist().count("quarantine"),
        "taken_out": card.taken_out,
        "annotators": annotators,
    }


def _answer_pairs(batch: Batch) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (annotator or seat, item) of what was answered or reported, and of the reports."""
    asked = batch.card.round, batch.card.role  # the role is not an expert's, say
    columns = ("round", "role", "annotator", "seat", "item", "report")
    votes = [
        (who if who is not None else f"seat {seat}", item, report)
        for round_, role, who, seat, item, report in schemas.rows(batch.votes, *columns)
        if (round_, role) == asked
    ]
    reported = {(who, item) for who, item, report in votes if report is not None}
    return {(who, item) for who, item, _ in votes}, reported
