"""Annotation tools: batches out to them, and their exports in as raw votes.

One shape each: `write(items, *, spec, round_, folder, assigned, shown)` returns the files it
wrote; `read(path, *, task, spec, round_, annotators)` yields raw votes and what could not be read,
under the rules `exchange.NAME@1`. docs/annotation-tools.md tells how each tool is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa

from pipeline.annotation.exchange.answer_parts import (
    Parts,
    exchange_fault,
    has_value,
    join,
    parts_of,
)
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import RecordError
from pipeline.core.files import refuse
from pipeline.core.registry import Registry


class Format(Protocol):
    """The export to a tool and the import from it: a module of this folder."""

    def write(
        self,
        items: pa.Table,
        *,
        spec: TaskSpec,
        round_: Round,
        folder: Path,
        assigned: Mapping[str, tuple[str, ...]] | None = None,
        shown: Mapping[str, Any] | None = None,
    ) -> list[Path]:
        """Write the items of a round for the tool; returns the files."""

    def read(
        self,
        path: Path,
        *,
        task: Task,
        spec: TaskSpec,
        round_: Round | None = None,
        annotators: Mapping[str, str] | None = None,
    ) -> Iterator[RawVote | Refused]:
        """Yield the votes of an export, and what could not be read."""


_HERE: Final = "pipeline.annotation.exchange"
FORMATS: Final[Registry[Format]] = Registry(
    "annotation tool",
    {
        "label-studio": f"{_HERE}.label_studio",
        "doccano": f"{_HERE}.doccano",
        "argilla": f"{_HERE}.argilla",
        "jsonl": f"{_HERE}.jsonl",
    },
)
#: Tools in which everybody can answer every item, whoever it was given to.
OPEN_TOOLS: Final = frozenset({"label-studio", "doccano", "argilla"})
#: The part that every form has beside those of its answer: a reason to report the item.
REPORT: Final = "report"
#: The key of a record under which the type of question that was asked for comes back.
ASKED: Final = "asked_type"


class Export:
    """What an export is read as: its file, its spec, its round where it is given, all parts."""

    def __init__(self, path: Path, task: Task, spec: TaskSpec, round_: Round | None) -> None:
        """Raise InputError where task, spec and round do not belong together."""
        is_strange = round_ is not None and spec.round(round_.id) != round_
        refuse(
            path,
            (spec.task != task.id, f"spec {spec.name} is not of task {task.id}"),
            (is_strange, f"the round is none of spec {spec.name}"),
        )
        self.name, self.spec, self.round_ = path.name, spec, round_
        self.parts = {round_.id: parts_of(spec, round_) for round_ in spec.rounds}

    def round_of(self, record: Mapping[str, Any]) -> Round:
        """Return the round that a record belongs to; raises RecordError for another one.

        `record` names its spec and its round, as `write` has sent them out.
        """
        name = record.get("spec")
        if not isinstance(name, str) or not self.spec.accepts(name):
            raise exchange_fault(
                "spec", f"the record is not of spec {self.spec.name} or a patch of it"
            )
        round_ = self.spec.round(str(record.get("round")))
        allowed = [r.id for r in self.spec.rounds] if self.round_ is None else [self.round_.id]
        if round_ is None or round_.id not in allowed:
            raise exchange_fault("round", f"the record's round is none of: {', '.join(allowed)}")
        return round_

    def vote(
        self,
        record: Mapping[str, Any],
        *,
        annotator: str | None,
        parts: Parts,
        round_: Round,
        text: str = "",
    ) -> dict[str, Any]:
        """Return the vote that the parts of one annotator's answer make, in keys of vote files.

        A report stands with the answer only where the answer is there and whole: who reports an
        item need not answer it. A question without a type is of the type that was asked for. Raises
        RecordError where neither is there.
        """
        answer = {name: value for name, value in parts.items() if name != REPORT}
        if isinstance(record.get(ASKED), str) and has_value(answer):
            answer.setdefault("type", record[ASKED])
        vote = {"item": item_of(record), "annotator": annotator, "role": round_.role}
        vote |= {"round": round_.id, "spec": record["spec"]}
        report = parts.get(REPORT)
        try:
            if report is None or has_value(answer):
                vote["label"] = join(answer, self.spec, round_, text)
        except RecordError:
            if report is None:
                raise
        return vote if report is None else vote | {REPORT: report}

    def votes(
        self, line: int, read: Callable[..., Iterator[dict[str, Any]]], record: Any, *more: Any
    ) -> Iterator[RawVote | Refused]:
        """Yield the votes that `read` makes of a record (and `more` arguments), or its fault.

        A record that could not be read is a RecordError itself.
        """
        try:
            if isinstance(record, RecordError):
                raise record
            for vote in read(record, *more):
                yield RawVote(self.name, line, _storable(vote))
        except RecordError as error:
            yield Refused(self.name, line, error.rule, error.reason)


def item_of(record: Mapping[str, Any]) -> str:
    """Return the id of the item of a record; raises RecordError where there is none."""
    name = record.get("item")
    if not isinstance(name, str) or not name.strip():
        raise exchange_fault(
            "item", "the record has no item id: keep the key `item` that was sent out"
        )
    return name


def _storable(vote: dict[str, Any]) -> dict[str, Any]:
    try:
        json.dumps(vote, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        reason = "holds an infinite number or half of a surrogate pair, which is no character"
        raise exchange_fault("encoding", reason) from None
    return vote
