"""From the parts of one record of an export to a raw vote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import Part, Parts, given, join, parts_of, refused
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError, RecordError

#: The part that every form has beside those of its answer: a reason to report the item.
REPORT: Final = "report"
#: The key of a record under which the type of question that was asked for comes back.
ASKED: Final = "asked_type"


@dataclass(frozen=True)
class Export:
    """What an export is read as: its file, its task, its spec, and its round where it is given."""

    path: Path
    spec: TaskSpec
    round_: Round | None
    _parts: dict[str, tuple[Part, ...]] = field(default_factory=dict)

    def parts(self, round_: Round) -> tuple[Part, ...]:
        """Return the parts of a round of the spec; they are made once."""
        if round_.id not in self._parts:
            self._parts[round_.id] = parts_of(self.spec, round_)
        return self._parts[round_.id]

    def round_of(self, record: Mapping[str, Any]) -> Round:
        """Return the round that a record belongs to; raises RecordError for another one.

        `record` names its spec and its round, as `write` has sent them out.
        """
        name = record.get("spec")
        if not isinstance(name, str) or not self.spec.accepts(name):
            raise refused("spec", f"the record is not of spec {self.spec.name} or a patch of it")
        found = self.spec.round(str(record.get("round")))
        allowed = [r.id for r in self.spec.rounds] if self.round_ is None else [self.round_.id]
        if found is None or found.id not in allowed:
            raise refused("round", f"the record's round is none of: {', '.join(allowed)}")
        return found


def export(path: Path, task: Task, spec: TaskSpec, round_: Round | None) -> Export:
    """Return how to read an export; raises InputError where task, spec and round do not belong."""
    if spec.task != task.id:
        raise InputError(f"{path}: spec {spec.name} is not of task {task.id}")
    if round_ is not None and spec.round(round_.id) != round_:
        raise InputError(f"{path}: round {round_.id!r} is none of spec {spec.name}")
    return Export(path, spec, round_)


def item_of(record: Mapping[str, Any]) -> str:
    """Return the id of the item of a record; raises RecordError where there is none."""
    name = record.get("item")
    if not isinstance(name, str) or not name.strip():
        raise refused("item", "the record has no item id: keep the key `item` that was sent out")
    return name


def vote(
    record: Mapping[str, Any],
    *,
    annotator: str | None,
    parts: Parts,
    spec: TaskSpec,
    round_: Round,
    text: str = "",
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the vote that the parts of one annotator's answer make, in the keys of vote files.

    A report stands with the answer only where the answer is there and whole: who reports an item
    need not answer it. A question without a type is of the type that was asked for. Raises
    RecordError where neither is there.
    """
    report = parts.get(REPORT)
    answer_parts = {name: value for name, value in parts.items() if name != REPORT}
    if isinstance(record.get(ASKED), str) and given(answer_parts):
        answer_parts.setdefault("type", record[ASKED])
    made: dict[str, Any] = {
        "item": item_of(record),
        "annotator": annotator,
        "role": round_.role,
        "round": round_.id,
        "spec": record["spec"],
    }
    try:
        if report is None or given(answer_parts):
            made["label"] = join(answer_parts, spec, round_, text)
    except RecordError:
        if report is None:
            raise
    if report is not None:
        made[REPORT] = report
    return made | {key: value for key, value in (more or {}).items() if value is not None}


def votes_of(
    path: Path, line: int, votes: Callable[[], Iterator[dict[str, Any]]]
) -> Iterator[RawVote | Refused]:
    """Yield the votes of one record, or its fault."""
    try:
        for one in votes():
            yield RawVote(path.name, line, _storable(one))
    except RecordError as error:
        yield Refused(path.name, line, error.rule, error.reason)


def _storable(made: dict[str, Any]) -> dict[str, Any]:
    """Return a vote that can be stored: no infinity in it, and no half of a surrogate pair."""
    try:
        json.dumps(made, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        reason = "holds an infinite number or half of a surrogate pair, which is no character"
        raise refused("encoding", reason) from None
    return made
