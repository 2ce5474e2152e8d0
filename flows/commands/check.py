"""Returned answers -> what speaks against them: what `klue check` does (Sections 3.7.1, 3.8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.votes import Loaded, load, task_and_spec
from flows.view.console import Result, print_line, print_table, say
from pipeline.annotation.batches.batch import folder_of, list_batches, read_card
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.intake.votefile import read_votes
from pipeline.contracts.returned import CHECKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task, answer_form
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

Row = dict[str, Any]
#: The item, who answered it, and at which attempt.
_Key = tuple[str, str, int]
#: So many findings are printed one by one.
SHOWN: Final = 200
_COUNTS: Final = ("answers", "faults", "hints")
#: Whose answer to which item is meant, in which round and attempt.
_KEYS: Final = ("item", "annotator", "round", "attempt")
#: The forms of answers that are checked.
_FORMS: Final = ("reading", "dialogue")


def check(
    task: str,
    *,
    batch: str | None = None,
    votes: Path | None = None,
    items: Path | None = None,
    work: Path,
    specs: Path | None = None,
) -> Result:
    """Check the answers of a batch or a vote file."""
    known, spec = task_and_spec(task, specs)
    if known.id not in CHECKS:
        raise InputError(
            f"task {task!r} has no check of returned answers; tasks that have one:"
            f" {', '.join(CHECKS)}"
        )
    find, lines = CHECKS[known.id], dict[_Key, tuple[str, int]]()
    if votes is not None:
        loaded = _votes_of_file(votes, batch, items, known, spec)
        lines = _lines(votes)
    elif items is not None:
        raise InputError("--items goes with --votes; a batch has its items")
    else:
        folder = folder_of(work, known.id, batch or _only_batch(work, known.id))
        read_card(folder)  # tells which batches there are if this one is not
        loaded = load(folder, task=known, spec=spec)
    for line in loaded.messages:
        say(line)
    rows = loaded.items.to_pylist() if loaded.items is not None else []
    about = {row["item"]: (parsed(row["fields"]), _meta(row)) for row in rows}
    answers = [pair for pair in _answers(loaded.votes, spec) if pair[0]["item"] in about]
    findings = [
        {
            **key,
            "rule": finding.rule,
            "detail": finding.detail,
            "hint": finding.is_hint,
            **dict(zip(("file", "line"), lines.get(_key(key), (None, None)), strict=True)),
        }
        for key, answer in answers
        for finding in find(answer, *about[key["item"]], spec)
    ]
    faults = [row for row in findings if not row["hint"]]
    by_annotator = Counter(row["annotator"] or "" for row, _ in answers)
    of_kind = Counter((row["annotator"] or "", row["hint"]) for row in findings)
    record = {
        "task": known.id,
        "spec": spec.name,
        "answers": len(answers),
        "with_faults": len({tuple(row[key] for key in _KEYS) for row in faults}),
        "by_rule": dict(sorted(Counter(row["rule"] for row in findings).items())),
        "by_annotator": [
            {
                "annotator": who,
                "answers": n,
                "faults": of_kind[who, False],
                "hints": of_kind[who, True],
            }
            for who, n in sorted(by_annotator.items())
        ],
        "findings": findings,
        "refused": dict(loaded.refused),
    }
    return record, _show


def _votes_of_file(
    votes: Path, batch: str | None, items: Path | None, task: Task, spec: TaskSpec
) -> Loaded:
    is_alone = items is None and not votes.is_dir()
    refuse(
        "--votes",
        (batch is not None, "give --batch or --votes, not both"),
        (is_alone, "needs --items FILE: what the answers are about"),
    )
    return load(votes, task=task, spec=spec, items=items)


def _lines(votes: Path) -> dict[_Key, tuple[str, int]]:
    """Return file and line of the answers of a vote file; of several equal ones, the first."""
    lines: dict[_Key, tuple[str, int]] = {}
    for vote in read_votes(votes) if votes.is_file() else ():
        if isinstance(vote, RawVote):
            lines.setdefault(_key(vote.value), (vote.file, vote.line))
    return lines


def _key(vote: Mapping[str, Any]) -> _Key:
    who = vote.get("annotator")
    attempt = vote.get("attempt") or 1
    return str(vote.get("item")), str(who if who is not None else vote.get("seat")), attempt


def _only_batch(work: Path, task: str) -> str:
    names = [card.name for card in list_batches(work, task)]
    if len(names) != 1:
        hint = f"there are {', '.join(names)}" if names else "there is none"
        raise InputError(f"--batch: which batch of {task}? {hint}")
    return names[0]


def _meta(item: Row) -> Row:
    meta = parsed(item["meta"]) if item["meta"] is not None else None
    return meta if isinstance(meta, dict) else {}


def _answers(votes: pa.Table, spec: TaskSpec) -> Iterator[tuple[Row, Any]]:
    """Yield whose answer to which item each is, and the answer: a verdict's if it corrects one.

    They come by item, round, attempt and annotator.
    """
    rounds = {round_.id: round_ for round_ in spec.rounds if answer_form(spec, round_) in _FORMS}
    order = [(name, "ascending") for name in ("item", "round", "attempt", "annotator", "seat")]
    for row in votes.sort_by(order).to_pylist():
        if row["round"] in rounds and row["label"] is not None:
            answer = parsed(row["label"])
            if rounds[row["round"]].answer == "verdict":
                answer = answer.get("answer")
            if answer is not None:
                who = row["annotator"] if row["annotator"] is not None else row["seat"]
                yield {**{key: row[key] for key in _KEYS}, "annotator": who}, answer


def _show(record: Row) -> None:
    findings = record["findings"]
    for row in findings[:SHOWN]:
        hint, who = "hint " if row["hint"] else "", row["annotator"] or "(nobody)"
        where = f"{row['file']} line {row['line']}: " if row["file"] else ""
        print_line(f"{where}{row['item']} {who}: {hint}{row['rule']}: {row['detail']}")
    if len(findings) > SHOWN:
        print_line(f"and {count(len(findings) - SHOWN, 'more finding')}; --json has all")
    print_line(
        f"{count(record['answers'], 'answer')} of {record['spec']}: {record['with_faults']:,} with"
        " faults,"
        f" {count(len(findings), 'finding')}"
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
