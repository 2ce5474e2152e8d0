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

import pyarrow as pa

from pipeline.annotation.intake.answers import Items
from pipeline.annotation.intake.validator import VoteValidator
from pipeline.annotation.intake.vote import (
    NOT_GIVEN,
    OWN_WORK,
    REPLACED,
    UNASSIGNED,
    RawVote,
    Refused,
    Within,
)
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import ConservationError, RecordError
from pipeline.core.ids import record_id

STAGE: Final = "intake"
#: The source in the ledger of a record without a known item, or of an item without source.
SOURCE: Final = "votes"
#: The columns that tell votes apart, in the order by which votes are sorted.
_COLUMNS: Final = ("item", "round", "role", "attempt", "annotator", "seat", "label", "report")

_Row = tuple[Any, ...]
#: A row of the votes table.
_Vote = dict[str, Any]


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
    of others (keep); `files` the names of what was read.
    """

    votes: pa.Table
    ledger: pa.Table
    counts: VoteCounts
    files: tuple[str, ...]


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
    records = sorted(raw, key=lambda record: (record.file, record.line))
    ledger = _Ledger(validator.items)
    good: list[tuple[RawVote, _Vote]] = []
    for record in records:
        try:
            if isinstance(record, Refused):
                raise RecordError(record.rule, record.reason)
            good.append((record, validator.validate(record.value)))
        except RecordError as fault:
            ledger.add(record, fault.rule, fault.reason)
    if spec is not None:
        good = _without_own(good, before, spec, ledger)
    standing = _Standing(before, ledger, replace=replace)
    for record, vote in good:
        if standing.add(record, vote) and validator.is_unassigned(vote):
            ledger.add(record, UNASSIGNED, f"{NOT_GIVEN}; taken, since the tool is open", "keep")
    quarantined = Counter(row["rule"] for row in ledger.rows if row["action"] == "quarantine")
    counts = VoteCounts(
        read=len(records),
        new=len(standing.new) - len(standing.gone),
        unchanged=standing.unchanged,
        replaced=len(standing.gone),
        quarantined=quarantined.total(),
        rules=dict(sorted(quarantined.items())),
    )
    files = tuple(sorted({record.file for record in records}))
    rows = sorted(ledger.rows, key=itemgetter("file", "line", "rule"))
    return Taken(standing.table(), schemas.build("ledger", rows), counts, files)


class _Ledger:
    """The rows of one reading; reasons hold nothing of the records."""

    def __init__(self, items: Items) -> None:
        self._items = items
        self.rows: list[dict[str, Any]] = []

    def add(
        self, record: RawVote | Refused, rule: str, reason: str, action: str = "quarantine"
    ) -> None:
        item = record.value.get("item") if isinstance(record, RawVote) else None
        item = self._items.id_of(item) if isinstance(item, str) else ""
        known = self._items.listed and self._items.knows(item)
        self.rows.append(
            {
                "unit": item if known else record_id(SOURCE, record.file, record.line),
                "source": (self._items.source(item) if known else None) or SOURCE,
                "stage": STAGE,
                "rule": rule,
                "action": action,
                "reason": reason,
                "file": record.file,
                "line": record.line,
            }
        )


def _without_own(
    good: list[tuple[RawVote, _Vote]], before: pa.Table, spec: TaskSpec, ledger: _Ledger
) -> list[tuple[RawVote, _Vote]]:
    others = {r.id: r.not_by for r in spec.rounds if r.not_by}
    if not others:
        return good
    columns = ("item", "annotator", "round", "role")
    work = {*schemas.rows(before, *columns), *(itemgetter(*columns)(vote) for _, vote in good)}
    owners = {(item, who, name) for item, who, name, _ in work}
    authors = {(item, who) for item, who, _, role in work if role == "author"}
    accepted = []
    for record, vote in good:
        item, who, round_, role = itemgetter(*columns)(vote)
        bound = who is not None and role != "author" and round_ in others
        is_author = (item, who) in authors
        if bound and (is_author or any((item, who, name) in owners for name in others[round_])):
            ledger.add(record, "vote.own@1", OWN_WORK)
        else:
            accepted.append((record, vote))
    return accepted


class _Standing:
    """The votes that stand: the earlier ones but those in `gone`, and `new`."""

    def __init__(self, before: pa.Table, ledger: _Ledger, *, replace: bool) -> None:
        self._before, self._ledger, self._replace = before, ledger, replace
        #: What stands under each key: label and report, its row, and the record of this reading.
        self._by_key: dict[_Row, tuple[_Row, int, RawVote | None]] = {
            _key(row): (row[-2:], number, None)
            for number, row in enumerate(schemas.rows(before, *_COLUMNS))
        }
        self.new: list[_Vote] = []
        self.gone: set[int] = set()
        self.unchanged = 0

    def add(self, record: RawVote, vote: _Vote) -> bool:
        """Take a vote or refuse it; returns whether it is the first of its kind."""
        row: _Row = _ROW_OF(vote)
        key, content = _key(row), row[-2:]
        earlier, number, first = self._by_key.get(key, (None, -1, None))
        if earlier == content:
            self.unchanged += 1
            self._by_key[key] = content, number, first or record
        elif earlier is None or (first is None and self._replace):
            self.new.append(vote)
            self._by_key[key] = content, -1, record
            if earlier is not None:
                self.gone.add(number)
                reason = "took the place of an earlier answer of the annotator"
                self._ledger.add(record, REPLACED, reason, action="edit")
        else:
            reason = (
                "contradicts an answer of the annotator that was taken in before and stays; to take"
                " the newer answers, import with --replace"
            )
            if first is not None:
                reason = (
                    "contradicts an answer of the annotator in the same reading, which stays: line"
                    f" {first.line} of {first.file}"
                )
            self._ledger.add(record, "vote.double@1", reason)
        return earlier is None

    def table(self) -> pa.Table:
        before = self._before
        if self.gone:
            before = before.filter(
                pa.array([row not in self.gone for row in range(before.num_rows)])
            )
        new = pa.Table.from_pylist(self.new, schema=schemas.VOTES)
        every = pa.concat_tables([before, new]).sort_by([(name, "ascending") for name in _COLUMNS])
        return schemas.check(every.combine_chunks(), "votes")


_ROW_OF: Final = itemgetter(*_COLUMNS)


def _key(row: _Row) -> _Row:
    """Return what an annotator has one answer to; anonymous ones are told apart by their seat.

    The seat of a verdict names whose answer it is about, where an item has several.
    """
    item, round_, role, attempt, annotator, seat, label, report = row
    place = seat if annotator is None or role in ("inspector", "expert") else None
    return item, round_, role, attempt, annotator, place, None if label is not None else report
