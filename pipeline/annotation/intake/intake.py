"""Votes come in: each record of a file is a vote, or is quarantined with its line and the reason.

One annotator has one answer to an item in a round, role and attempt. The same answer again changes
nothing; of two that contradict each other, the first by file and line stays and the other is
quarantined. Taking a file in twice therefore changes nothing. With `replace`, an answer taken in
earlier makes way for the one of a newer export; within one reading the first still stays. A report
without an answer stands beside the annotator's answer, one for every reason.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.answers import Items
from pipeline.annotation.intake.validator import VoteValidator
from pipeline.annotation.intake.vote import REPLACED, RawVote, Refused, Vote, Within, own_work
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import ConservationError, RecordError
from pipeline.core.ids import record_id

STAGE: Final = "intake"
#: The source in the ledger of a record without a known item, or of an item without source.
SOURCE: Final = "votes"
_SORTED: Final = ("item", "round", "role", "attempt", "annotator", "seat", "label", "report")
#: Verdicts: `seat` names whose answer they are about, where an item has several.
_JUDGING: Final = frozenset({"inspector", "expert"})

_Key = tuple[Any, ...]
_Content = tuple[str | None, str | None]


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
    that were refused (quarantine) or took the place of an earlier answer (edit); `files` the names
    of what was read.
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
    with _uncollected():
        records = sorted(raw, key=lambda record: (record.file, record.line))
        ledger = _Ledger(validator.items)
        good = _valid_votes(records, validator, ledger)
        if spec is not None:
            good = _without_own(good, before, spec, ledger)
        settled = _Settled(before, ledger, replace=replace)
        for record, vote in good:
            settled.add(record, vote)
    quarantined = Counter(row["rule"] for row in ledger.rows if row["action"] == "quarantine")
    counts = VoteCounts(
        len(records),
        len(settled.new) - len(settled.gone),
        settled.unchanged,
        len(settled.gone),
        quarantined.total(),
        dict(sorted(quarantined.items())),
    )
    files = tuple(sorted({record.file for record in records}))
    return Taken(settled.table(), ledger.table(), counts, files)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector from looking through all votes again and again; they make no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _valid_votes(
    records: Iterable[RawVote | Refused], validator: VoteValidator, ledger: _Ledger
) -> list[tuple[RawVote, Vote]]:
    good: list[tuple[RawVote, Vote]] = []
    for record in records:
        if isinstance(record, Refused):
            ledger.refuse(record, RecordError(record.rule, record.reason))
            continue
        try:
            good.append((record, validator.validate(record.value)))
        except RecordError as fault:
            ledger.refuse(record, fault)
    return good


class _Ledger:
    """The rows of one reading; reasons hold nothing of the records."""

    def __init__(self, items: Items) -> None:
        self._items = items
        self.rows: list[dict[str, Any]] = []

    def refuse(self, record: RawVote | Refused, fault: RecordError) -> None:
        self._add(record, fault.rule, "quarantine", fault.reason)

    def replace(self, record: RawVote) -> None:
        self._add(record, REPLACED, "edit", "took the place of an earlier answer of the annotator")

    def _add(self, record: RawVote | Refused, rule: str, action: str, reason: str) -> None:
        item = record.value.get("item") if isinstance(record, RawVote) else None
        item = self._items.named(item) if isinstance(item, str) else None
        known = item is not None and self._items.listed and self._items.knows(item)
        self.rows.append(
            {
                "unit": item if known else record_id(SOURCE, record.file, record.line),
                "source": (self._items.source(str(item)) if known else None) or SOURCE,
                "stage": STAGE,
                "rule": rule,
                "action": action,
                "reason": reason,
                "file": record.file,
                "line": record.line,
            }
        )

    def table(self) -> pa.Table:
        rows = sorted(self.rows, key=lambda r: (r["file"], r["line"], r["rule"]))
        return schemas.build("ledger", rows)


def _without_own(
    good: list[tuple[RawVote, Vote]], before: pa.Table, spec: TaskSpec, ledger: _Ledger
) -> list[tuple[RawVote, Vote]]:
    """Quarantine answers by those who answered the item in a round that must be another's work."""
    others = {r.id: r.not_by for r in spec.rounds if r.not_by}
    if not others:
        return good
    columns = (before.column(n).to_pylist() for n in ("item", "annotator", "round", "role"))
    work = {row for row in zip(*columns, strict=True) if row[1] is not None}
    work |= {(v.item, v.annotator, v.round, v.role) for _, v in good if v.annotator is not None}
    owners = {(item, who, name) for item, who, name, _ in work}
    authors = {(item, who) for item, who, _, role in work if role == "author"}
    kept = []
    for record, vote in good:
        me = vote.item, vote.annotator
        bound = vote.annotator is not None and vote.role != "author" and vote.round in others
        if bound and (me in authors or any((*me, name) in owners for name in others[vote.round])):
            ledger.refuse(record, own_work())
        else:
            kept.append((record, vote))
    return kept


class _Settled:
    """The votes that stand: the earlier ones but those in `gone`, and `new`."""

    def __init__(self, before: pa.Table, ledger: _Ledger, *, replace: bool) -> None:
        self._before, self._ledger, self._replace = before, ledger, replace
        names = ("item", "round", "role", "attempt", "annotator", "seat", "label", "report")
        columns = (before.column(name).to_pylist() for name in names)
        #: What stands under each key: its content, its row, and the record of this reading.
        self._stands: dict[_Key, tuple[_Content, int, RawVote | None]] = {
            _key(*row): (row[6:], number, None)
            for number, row in enumerate(zip(*columns, strict=True))
        }
        self.new: list[Vote] = []
        self.gone: set[int] = set()
        self.unchanged = 0

    def add(self, record: RawVote, vote: Vote) -> None:
        content = vote.label, vote.report
        key = _key(
            vote.item, vote.round, vote.role, vote.attempt, vote.annotator, vote.seat, *content
        )
        standing = self._stands.get(key)
        if standing is None:
            self.new.append(vote)
            self._stands[key] = content, -1, record
            return
        there, row, first = standing
        if there == content:
            self.unchanged += 1
            self._stands[key] = content, row, first or record
        elif first is None and self._replace:
            self.gone.add(row)
            self.new.append(vote)
            self._stands[key] = content, -1, record
            self._ledger.replace(record)
        else:
            self._ledger.refuse(record, _double(first))

    def table(self) -> pa.Table:
        kept = self._before
        if self.gone:
            rows = [row for row in range(kept.num_rows) if row not in self.gone]
            kept = kept.take(pa.array(rows, pa.int64()))
        columns = list(zip(*self.new, strict=True)) or [()] * len(Vote._fields)
        new = pa.table(
            dict(zip(Vote._fields, columns, strict=True)), schema=schemas.TABLES["votes"]
        )
        every = pa.concat_tables([kept, new])
        order = every.sort_by([(name, "ascending") for name in _SORTED])
        return schemas.check(order.combine_chunks(), "votes")


def _key(
    item: str,
    round_: str,
    role: str,
    attempt: int,
    annotator: str | None,
    seat: str | None,
    label: str | None,
    report: str | None,
) -> _Key:
    """Return what an annotator has one answer to; anonymous ones are told apart by their seat."""
    place = seat if annotator is None or role in _JUDGING else None
    kind = None if label is not None else report
    return item, round_, role, attempt, annotator, place, kind


def _double(first: RawVote | None) -> RecordError:
    if first is None:
        reason = (
            "contradicts an answer of the annotator that was taken in before and stays; to take the"
            " newer answers, import with --replace"
        )
    else:
        reason = (
            "contradicts an answer of the annotator in the same reading, which stays: line"
            f" {first.line} of {first.file}"
        )
    return RecordError("vote.double@1", reason)
