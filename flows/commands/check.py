"""Returned answers -> what speaks against them: what `klue check` does (Sections 3.7.1, 3.8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.votes import Loaded, load, task_and_spec
from flows.view.console import emit_json, print_line, print_table, say
from pipeline.annotation.batches.batch import folder_of, list_batches, read_card
from pipeline.contracts.returned import CHECKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task, answered
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

Row = dict[str, Any]
#: So many findings are printed one by one.
SHOWN: Final = 200
_COUNTS: Final = ("answers", "faults", "hints")
#: Whose answer to which item is meant, in which round and attempt.
_KEYS: Final = ("item", "annotator", "round", "attempt")
#: The forms of answers that are checked.
_FORMS: Final = ("reading", "dialogue")


@dataclass(frozen=True)
class Check:
    """What `klue check` was asked for."""

    task: str
    batch: str | None = None
    votes: Path | None = None
    items: Path | None = None
    work: Path = Path("data/work")
    specs: Path | None = None


def check(request: Check, *, as_json: bool) -> None:
    """Check the answers of a batch or a vote file; print what speaks against them."""
    if request.task not in CHECKS:
        raise InputError(
            f"task {request.task!r} has no check of returned answers; tasks that have one:"
            f" {', '.join(CHECKS)}"
        )
    task, spec = task_and_spec(request.task, request.specs)
    find = CHECKS[task.id]
    loaded = _loaded(request, task, spec)
    for line in loaded.messages:
        say(line)
    rows = loaded.items.to_pylist() if loaded.items is not None else []
    items = {row["item"]: (parsed(row["fields"]), _meta(row)) for row in rows}
    answers = [pair for pair in _answers(loaded.votes, spec) if pair[0]["item"] in items]
    findings = [
        {**key, "rule": one.rule, "detail": one.detail, "hint": one.is_hint}
        for key, answer in answers
        for one in find(answer, *items[key["item"]], spec)
    ]
    faults = [row for row in findings if not row["hint"]]
    record = {
        "task": task.id,
        "spec": spec.name,
        "answers": len(answers),
        "with_faults": len({tuple(row[key] for key in _KEYS) for row in faults}),
        "by_rule": dict(sorted(Counter(row["rule"] for row in findings).items())),
        "by_annotator": _by_annotator([key for key, _ in answers], findings),
        "findings": findings,
        "refused": dict(loaded.refused),
    }
    if as_json:
        emit_json(record)
    else:
        _show(record)


def _loaded(request: Check, task: Task, spec: TaskSpec) -> Loaded:
    if request.votes is not None:
        if request.batch is not None:
            raise InputError("give --batch or --votes, not both")
        if request.items is None and not request.votes.is_dir():
            raise InputError("--votes needs --items FILE: what the answers are about")
        return load(request.votes, task=task, spec=spec, items=request.items)
    if request.items is not None:
        raise InputError("--items goes with --votes; a batch has its items")
    folder = folder_of(request.work, task.id, request.batch or _only_batch(request.work, task.id))
    read_card(folder)  # tells which batches there are if this one is not
    return load(folder, task=task, spec=spec)


def _only_batch(work: Path, task: str) -> str:
    names = [card.name for card in list_batches(work, task)]
    if len(names) != 1:
        there = f"there are {', '.join(names)}" if names else "there is none"
        raise InputError(f"--batch: which batch of {task}? {there}")
    return names[0]


def _meta(item: Row) -> Row:
    meta = parsed(item["meta"]) if item["meta"] is not None else None
    return meta if isinstance(meta, dict) else {}


def _answers(votes: pa.Table, spec: TaskSpec) -> Iterator[tuple[Row, Any]]:
    """Yield whose answer to which item each is, and the answer: a verdict's if it corrects one.

    They come by item, round, attempt and annotator.
    """
    rounds = {one.id: one for one in spec.rounds if answered(spec, one) in _FORMS}
    order = [(name, "ascending") for name in ("item", "round", "attempt", "annotator", "seat")]
    for row in votes.sort_by(order).to_pylist():
        if row["round"] in rounds and row["label"] is not None:
            answer = parsed(row["label"])
            if rounds[row["round"]].answer == "verdict":
                answer = answer.get("answer")
            if answer is not None:
                who = row["annotator"] if row["annotator"] is not None else row["seat"]
                yield {**{key: row[key] for key in _KEYS}, "annotator": who}, answer


def _by_annotator(answers: list[Row], findings: list[Row]) -> list[Row]:
    total = Counter(row["annotator"] or "" for row in answers)
    faults = Counter(row["annotator"] or "" for row in findings if not row["hint"])
    hints = Counter(row["annotator"] or "" for row in findings if row["hint"])
    return [
        {"annotator": who, "answers": n, "faults": faults[who], "hints": hints[who]}
        for who, n in sorted(total.items())
    ]


def _show(record: Row) -> None:
    findings = record["findings"]
    for row in findings[:SHOWN]:
        hint, who = "hint " if row["hint"] else "", row["annotator"] or "(nobody)"
        print_line(f"{row['item']} {who}: {hint}{row['rule']}: {row['detail']}")
    if len(findings) > SHOWN:
        print_line(f"and {len(findings) - SHOWN:,} more findings; --json has all")
    print_line(
        f"{record['answers']:,} answers of {record['spec']}: {record['with_faults']:,} with faults,"
        f" {len(findings):,} findings"
    )
    rules = record["by_rule"].items()
    print_table("By rule", ("rule", "findings"), ((rule, f"{n:,}") for rule, n in rules))
    print_table(
        "By annotator",
        ("annotator", *_COUNTS),
        (
            (row["annotator"] or "(nobody)", *(f"{row[key]:,}" for key in _COUNTS))
            for row in record["by_annotator"]
        ),
    )
