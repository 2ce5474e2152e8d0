"""Control items of a batch: which are hidden (`klue export`), and how they were answered."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from flows.commands.batch_items import Content
from flows.commands.votes import gold_labels, load_items
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.batch import CARD, Batch
from pipeline.annotation.batches.control import ControlPlan
from pipeline.annotation.batches.rounds import items_of
from pipeline.annotation.qualification.agreement import number_of_gold
from pipeline.annotation.qualification.control import control_record
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, Round, TaskSpec, control_file
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.files import refuse
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.wording import count, verb


def control_plan(
    path: Path | None,
    task: Task,
    spec: TaskSpec,
    round_: Round,
    content: Content,
    *,
    work: Path,
    specs: Path | None,
) -> ControlPlan | None:
    """Return the control items of a main batch of this round, or None where the spec hides none.

    `path` is the file that the export names. Answers that are given again have none. Where a round
    shows the answers of an earlier one, those of control items lie in their fields, as in pilots.
    Raises InputError for items without a right answer, and for those that lack an earlier one.
    """
    control = spec.control_items
    if control is None or spec.control_round != round_ or content.attempt > 1:
        return None
    file, earlier = path or control_file(spec, specs or SPECS), _reviewed(round_, spec)
    refuse(
        f"round {round_.id} of {spec.name}",
        (
            content.shown is not None and earlier is None,
            "shows the answers of its own items, and control items have none; name another round in"
            " `control_items.round`",
        ),
        (
            file is None,
            "hides control items; name their file with --control-items FILE, or in the spec"
            " (control_items.from)",
        ),
    )
    assert file is not None
    items = _load(file, task, round_, work)
    gold = right_answers(items, task, spec, round_, option=f"control items of {file}")
    field = schemas.ITEMS.field("gold")
    normal = items.set_column(items.schema.get_field_index("gold"), field, [gold])
    shown: dict[str, Any] = {}
    if content.shown is not None and earlier is not None:
        normal, shown = _earlier_answers(normal, content.items, task, spec, earlier)
    return ControlPlan(schemas.check(normal, "items"), control.share, spec.pilot.likeness, shown)


def _reviewed(round_: Round, spec: TaskSpec) -> Round | None:
    """Return the round whose answers a round shows: those that inspectors judged before."""
    earlier = spec.round(round_.after or "")
    while earlier is not None and earlier.answer == "verdict":
        earlier = spec.round(earlier.after or "")
    return earlier


def _earlier_answers(
    control: pa.Table, items: pa.Table, task: Task, spec: TaskSpec, round_: Round
) -> tuple[pa.Table, dict[str, Any]]:
    """Take the answers of an earlier round out of the fields of control items.

    They are the fields that the batch's items do not have. Raises InputError where they are none.
    """
    usual = {name for fields in items.column("fields").to_pylist() for name in parsed(fields)}
    rows, shown = [], {}
    for row in control.to_pylist():
        fields = parsed(row["fields"])
        answer = {name: fields.pop(name) for name in fields.keys() - usual}
        try:
            shown[row["item"]] = task.parse(answer, fields, spec, round_)
        except RecordError as error:
            raise InputError(
                f"control item {row['item']}: its fields hold no answer of round {round_.id}, which"
                f" this round shows: {error.reason}"
            ) from None
        rows.append({**row, "fields": canonical(fields)})
    return schemas.build("items", rows), shown


def _load(path: Path, task: Task, round_: Round, work: Path) -> pa.Table:
    """Read items with gold, or gold.parquet, whose items lie in the batches of the task."""
    if path.suffix != ".parquet" or not path.is_file():
        return load_items(path, task, round_=round_)
    try:
        is_gold = "status" in pq.read_schema(path).names
    except (OSError, pa.ArrowException):
        is_gold = False
    if not is_gold:
        return load_items(path, task, round_=round_)
    labels = gold_labels(path, "--control-items")
    known = items_of(batches.read_where(work, task.id, lambda card: card.kind == "main"))
    rows = [row for row in known.to_pylist() if row["item"] in labels]
    lost = sorted(labels.keys() - {row["item"] for row in rows})
    refuse(
        path,
        (not labels, "holds no gold; give other items"),
        (
            lost,
            f"{len(lost)} of {count(len(labels), 'item')} {verb(len(lost), 'is', 'are')} in no"
            f" batch below {work}, so that their texts"
            f" are not known, the first is {next(iter(lost), '')}; give items with `gold` instead",
        ),
    )
    return schemas.build("items", [{**r, "gold": canonical(labels[r["item"]])} for r in rows])


def right_answers(
    items: pa.Table, task: Task, spec: TaskSpec, round_: Round, *, option: str
) -> list[str]:
    """Return the gold of items as answers of a round, in canonical JSON.

    Raises InputError where an item has none; `option` names what the items are for.
    """
    answers: list[str] = []
    faults = []
    for item, fields, gold in schemas.rows(items, "item", "fields", "gold"):
        try:
            if gold is None:
                raise RecordError("item.gold@1", "has no `gold`")
            answers.append(canonical(_right_answer(parsed(gold), fields, task, spec, round_)))
        except RecordError as error:
            faults.append((item, error.reason))
    if faults:
        raise InputError(
            f"{option}: {len(faults)} of {count(items.num_rows, 'item')}"
            f" {verb(len(faults), 'has', 'have')} no right answer of round"
            f" {round_.id} as `gold`, the first is {faults[0][0]}: {faults[0][1]}"
        )
    return answers


def _right_answer(gold: Any, fields: str, task: Task, spec: TaskSpec, round_: Round) -> Any:
    if task.kind != "number":
        return task.parse(gold, parsed(fields), spec, round_)
    try:  # a mean, which is no answer of one person
        number_of_gold(gold, task)
    except (KeyError, TypeError, ValueError):
        raise RecordError("item.gold@1", "`gold` is no number") from None
    return gold


def control_of(path: Path) -> dict[str, Any] | None:
    """Return the scores on control items of a batch's folder, or of all batches of a task's."""
    if not path.is_dir():
        return None
    folders = (
        [path] if (path / CARD).is_file() else sorted(p.parent for p in path.glob(f"*/{CARD}"))
    )
    return scores(map(batches.read, folders))


def scores(read: Iterable[Batch]) -> dict[str, Any] | None:
    """Return the scores on control items of batches of one task."""
    with_control = [batch for batch in read if batch.card.control_items]
    return (
        control_record(with_control, task_of(with_control[0].card.task)) if with_control else None
    )
