"""The project's own form: items with everything that is asked, one a line; votes in vote files.

An item: {"item", "task", "spec", "round", "role", "question", "fields", "form", "options",
"reports", "assigned", "wanted", "suggestion", "shown"}. A vote: {"item", "annotator", "label"} and,
where known, "report", "role", "round", "attempt", "at", "seconds", "spec" and the other columns of
the votes table; the label in the form of pipeline/contracts/task.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.exchange import files
from pipeline.annotation.exchange.answer_parts import exchange_fault, parts_of
from pipeline.annotation.exchange.formats import Export, item_of
from pipeline.annotation.exchange.rendering import RenderedItem, render_items
from pipeline.annotation.intake.columns import Columns
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.annotation.intake.votefile import read_votes
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

ITEMS: Final = "items.jsonl"
#: The ends of the names of files that are read as JSONL.
_LINES: Final = ("", ".jsonl", ".ndjson", ".txt")


def write(
    items: pa.Table,
    *,
    spec: TaskSpec,
    round_: Round,
    folder: Path,
    assigned: Mapping[str, tuple[str, ...]] | None = None,
    shown: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the items of a round with what is asked about them; returns the file.

    Raises InputError for items of another task, and for a folder that cannot be written.
    """
    choices = {part.name: [id_ for id_, _ in part.options] for part in parts_of(spec, round_)}
    asked: dict[str, Any] = {
        "task": spec.task,
        "spec": spec.name,
        "round": round_.id,
        "role": round_.role,
        "question": {"ko": round_.question.ko, "en": round_.question.en},
        "fields": None,
        "form": round_.answer,
        "options": {name: ids for name, ids in choices.items() if ids and name != "score"},
        "reports": [report.id for report in spec.reports],
        "assigned": [],
    }
    if spec.scale:
        asked["scale"] = [spec.scale.low, spec.scale.high]
    pages = render_items(items, spec=spec, round_=round_, assigned=assigned, shown=shown)
    texts = items.column("fields").to_pylist()
    rows = (
        _item(page, parsed(text), asked, shown or {})
        for page, text in zip(pages, texts, strict=True)
    )
    return [files.write_lines(folder / ITEMS, rows)]


def _item(
    page: RenderedItem, fields: Any, asked: Mapping[str, Any], shown: Mapping[str, Any]
) -> dict[str, Any]:
    row = {"item": page.item, **asked, "fields": fields, "assigned": list(page.assigned)}
    if "label" in asked["options"]:
        row["options"] = asked["options"] | {"label": [id_ for id_, _ in page.offered]}
    wanted, answer = page.texts.get("wanted"), shown.get(page.item)
    more = {"wanted": wanted, "suggestion": page.suggestion, "shown": answer}
    return row | {key: value for key, value in more.items() if value is not None}


def read(
    path: Path,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round | None = None,
    annotators: Mapping[str, str] | None = None,
    columns: Columns | None = None,
) -> Iterator[RawVote | Refused]:
    """Yield the votes of a file and the lines that give none.

    The file is JSONL, or has another form of `read_votes`; `columns` says where votes stand in it.
    With `annotators`, ids in the file are looked up there. With `round_`, votes that name no round
    are of it. Raises InputError for a file that cannot be read, or that holds no object.
    """
    export = Export(path, task, spec, round_)
    if columns is None and path.suffix.lower() in _LINES:
        for line, record in files.read_lines(path):
            yield from export.votes(line, _votes, record, round_, annotators)
        return
    for vote in read_votes(path, columns):
        if isinstance(vote, Refused):
            yield vote
        else:
            yield from export.votes(vote.line, _votes, vote.value, round_, annotators)


def _votes(
    record: dict[str, Any], round_: Round | None, annotators: Mapping[str, str] | None
) -> Iterator[dict[str, Any]]:
    item_of(record)
    unknown = set(record) - set(schemas.VOTES.names)
    if unknown:
        allowed = ", ".join(schemas.VOTES.names)
        raise exchange_fault(
            "control", f"a vote has {count(len(unknown), 'unknown key')}; allowed: {allowed}"
        )
    if record.get("label") is None and record.get("report") is None:
        raise exchange_fault("unanswered", "a vote has a label or a report")
    who = record.get("annotator")
    if who is not None and not isinstance(who, str):
        raise exchange_fault("annotator", "`annotator` is a text, or null where nobody is named")
    vote = dict(record)
    if who is not None and annotators is not None:
        vote["annotator"] = files.annotator_of(annotators, who)
    if round_ is not None:
        if vote.setdefault("round", round_.id) != round_.id:
            raise exchange_fault("round", f"the vote is not of round {round_.id}")
        vote.setdefault("role", round_.role)
    yield vote
