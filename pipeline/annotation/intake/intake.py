"""Votes come in: each record of a file is a vote, or is quarantined with its line and the reason.

One annotator has one answer to an item in a round, role and attempt. The same answer again changes
nothing; of two that contradict each other, the first by file and line stays and the other is
quarantined. Taking a file in twice therefore changes nothing. With `replace`, an answer taken in
earlier makes way for the one of a newer export; within one reading the first still stays. A report
without an answer stands beside the annotator's answer, one for every reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.intake.answers import Items
from pipeline.annotation.intake.rows import Rows
from pipeline.annotation.intake.standing import Note, Standing, decide_standing
from pipeline.annotation.intake.validator import NO_TASK, VoteValidator
from pipeline.annotation.intake.vote import (
    NOT_GIVEN,
    OWN_WORK,
    UNASSIGNED,
    RawVote,
    Refused,
    Within,
)
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task, mask
from pipeline.core import schemas
from pipeline.core.errors import ConservationError, RecordError
from pipeline.core.ids import record_id

STAGE: Final = "intake"
#: The source in the ledger of a record without a known item, or of an item without source.
SOURCE: Final = "votes"
#: The rules by which votes are refused that are about items of another task or of a pilot.
_OF_OTHERS: Final = frozenset({"vote.task@1", "vote.pilot@1"})


@dataclass(frozen=True)
class VoteCounts:
    """Records of one reading: read = new + unchanged + replaced + quarantined."""

    read: int
    new: int
    unchanged: int
    replaced: int
    quarantined: int
    rules: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ConservationError when records were lost or invented."""
        if self.read != self.new + self.unchanged + self.replaced + self.quarantined:
            raise ConservationError(
                f"{self.read} records read, but {self.new} new + {self.unchanged} unchanged"
                f" + {self.replaced} replaced + {self.quarantined} quarantined"
            )


@dataclass(frozen=True)
class Taken:
    """What became of one reading.

    `votes` are all there are now, the earlier ones included; `ledger` the records of this reading
    that were refused (quarantine), took the place of an earlier answer (edit), or are about an item
    of others (keep); `files` the names of what was read. `refused_items` are those about which a
    record was refused.
    """

    votes: pa.Table
    ledger: pa.Table
    counts: VoteCounts
    files: tuple[str, ...]
    refused_items: frozenset[str] = frozenset()


def intake(
    raw: Iterable[RawVote | Refused],
    *,
    task: Task | None = None,
    spec: TaskSpec | None = None,
    items: pa.Table | None = None,
    level: str | None = None,
    existing: pa.Table | None = None,
    simulated: bool = False,
    within: Within | None = None,
    replace: bool = False,
) -> Taken:
    """Take in votes, for a task with its spec or on a level of measurement (nominal, interval ...).

    `items` are the ones given out, without them any item id is taken; `existing` are the votes
    taken in earlier. The order of `raw` does not matter: files go by name, records by line. Raises
    InputError when the task needs its items and has none.
    """
    validator = VoteValidator(task, spec, items, level, within or Within(), simulated=simulated)
    before = existing if existing is not None else schemas.empty("votes")
    ledger = _Ledger(validator.items)
    files: set[str] = set()
    rows, read = Rows(), 0
    for record in raw:
        read += 1
        files.add(record.file)
        try:
            if isinstance(record, Refused):
                raise RecordError(record.rule, record.reason)
            rows.add(validator.validate(record.value), record.file, record.line)
        except RecordError as fault:
            item = validator.item_of(record)
            ledger.add(record.file, record.line, item, fault.rule, fault.reason)
    new = rows.table()
    if task is None:
        new = _of_one_task(new, ledger)
    if spec is not None:
        new = _without_own(new, before, spec, ledger)
    standing = decide_standing(before, new, ledger.noting(new), replace=replace)
    _mark_unassigned(new, standing, validator, ledger)
    quarantined = Counter(row["rule"] for row in ledger.rows if row["action"] == "quarantine")
    counts = VoteCounts(
        read=read,
        new=int(standing.accepted.sum()) - len(standing.gone),
        unchanged=standing.unchanged,
        replaced=len(standing.gone),
        quarantined=quarantined.total(),
        rules=dict(sorted(quarantined.items())),
    )
    decisions = sorted(ledger.rows, key=itemgetter("file", "line", "rule"))
    return Taken(
        standing.table(before, new),
        schemas.build("ledger", decisions),
        counts,
        tuple(sorted(files)),
        frozenset(ledger.refused_items),
    )


class _Ledger:
    """The rows of one reading; reasons hold nothing of the records."""

    def __init__(self, items: Items) -> None:
        self._items = items
        self.rows: list[dict[str, Any]] = []
        self.refused_items: set[str] = set()

    def add(
        self,
        file: str,
        line: int,
        item: str | None,
        rule: str,
        reason: str,
        action: str = "quarantine",
    ) -> None:
        is_ours = self._items.listed or rule not in _OF_OTHERS
        known = item is not None and self._items.knows(item) and is_ours
        if known and action == "quarantine":
            self.refused_items.add(str(item))
        self.rows.append(
            {
                "unit": item if known else record_id(SOURCE, file, line),
                "source": (self._items.source(str(item)) if known else None) or SOURCE,
                "stage": STAGE,
                "rule": rule,
                "action": action,
                "reason": reason,
                "file": file,
                "line": line,
            }
        )

    def noting(self, votes: pa.Table) -> Note:
        """Return what adds a row about a vote of a table, by its number."""

        def note(number: int, rule: str, reason: str, action: str) -> None:
            file, line, item = (votes[name][number].as_py() for name in ("file", "line", "item"))
            self.add(file, line, item, rule, reason, action)

        return note


def _of_one_task(votes: pa.Table, ledger: _Ledger) -> pa.Table:
    """Return the votes of the first task that any names, and those that name none."""
    first = next((name for name in votes["task"].unique().to_pylist() if name != NO_TASK), NO_TASK)
    note = ledger.noting(votes)
    fits = pc.is_in(votes["task"], pa.array([first, NO_TASK])).to_numpy()
    for number in np.flatnonzero(~fits).tolist():
        reason = f"is of task {mask(votes['task'][number].as_py())}, the votes before of another"
        note(number, "vote.task@1", reason, "quarantine")
    return votes if fits.all() else votes.filter(pa.array(fits))


def _mark_unassigned(
    votes: pa.Table, standing: Standing, validator: VoteValidator, ledger: _Ledger
) -> None:
    note = ledger.noting(votes)
    columns = schemas.rows(votes, "item", "annotator", "role") if validator.assigns else ()
    for number, (vote, is_first) in enumerate(zip(columns, standing.first, strict=False)):
        if is_first and validator.is_unassigned(*vote):
            note(number, UNASSIGNED, f"{NOT_GIVEN}; taken, since the tool is open", "keep")


def _without_own(votes: pa.Table, before: pa.Table, spec: TaskSpec, ledger: _Ledger) -> pa.Table:
    others = {r.id: r.not_by for r in spec.rounds if r.not_by}
    if not others:
        return votes
    columns = ("item", "annotator", "round", "role")
    rows = list(schemas.rows(votes, *columns))
    work = {*schemas.rows(before, *columns), *rows}
    owners = {(item, who, name) for item, who, name, _ in work}
    authors = {(item, who) for item, who, _, role in work if role == "author"}
    accepted, note = np.ones(len(rows), bool), ledger.noting(votes)
    for number, (item, who, round_, role) in enumerate(rows):
        bound = who is not None and role != "author" and round_ in others
        is_author = (item, who) in authors
        if bound and (is_author or any((item, who, name) in owners for name in others[round_])):
            note(number, "vote.own@1", OWN_WORK, "quarantine")
            accepted[number] = False
    return votes if accepted.all() else votes.filter(pa.array(accepted))
