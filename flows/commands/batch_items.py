"""What a batch is made of: the round, who answers (`klue qualify`), and what batches pass on."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.votes import task_and_spec
from flows.view.console import Result, print_line, print_table
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import find_bars
from pipeline.annotation.batches.batch import Kind, folder_of
from pipeline.annotation.batches.rounds import (
    Earlier,
    answers_to_judge,
    current_answers,
    earlier,
    rejected_items,
    written_pairs,
)
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.qualification import qualify as qualification
from pipeline.annotation.qualification.items import review_items, reviews
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, read_text
from pipeline.core.jsontext import parsed

_MOST_PEOPLE: Final = 10_000
#: What `meta` of a pilot item says of its gold: the section of the guideline, and why.
_ABOUT: Final = ("section", "explanation")
#: What looks like the name of a file rather than of a person.
_FILES: Final = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".md")


@dataclass(frozen=True)
class Content:
    """What a batch is made of.

    Its items, what they show, who may not answer which, votes it begins with, the number of the
    attempt, and who alone may answer (None: anybody).
    """

    items: pa.Table
    shown: Mapping[str, Any] | None = None
    barred: Mapping[str, set[str]] | None = None
    begun: tuple[RawVote, ...] = ()
    attempt: int = 1
    people: tuple[str, ...] | None = None


def find_round(name: str | None, spec: TaskSpec, kind: Kind, *, shipped: bool = False) -> Round:
    """Return a round of a spec, or the one that a kind of batch is about.

    That is the first one, but for people who are measured, for pilots whose right answers are
    counted, and for the pilot items that come with a spec (`shipped`), the first whose answers have
    the form of gold (NLI: labels, not hypotheses; DP: arcs, not morphemes).
    """
    if name is not None:
        round_ = spec.round(name)
        if round_ is None:
            raise InputError(
                f"{spec.name} has no round {name!r}; allowed:"
                f" {', '.join(round_.id for round_ in spec.rounds)}"
            )
        return round_
    if kind == "main" or (kind == "pilot" and spec.pilot.rule != "correct" and not shipped):
        return spec.rounds[0]
    forms = [r.answer for r in spec.rounds if r.answer not in ("verdict", "hypotheses")]
    return next(r for r in spec.rounds if r.answer == forms[-1])


def annotator_names(option: str | None) -> tuple[str, ...]:
    """Return annotators: so many, by name with commas between, or of a file, one a line."""
    if option is None:
        return ()
    if re.fullmatch(r"[+-]?[0-9]{1,19}", option):
        if not 1 <= int(option) <= _MOST_PEOPLE:
            raise InputError(f"--annotators {option} is out of range; allowed: 1 to {_MOST_PEOPLE}")
        return tuple(f"annotator-{n:03}" for n in range(1, int(option) + 1))
    lines = option.split(",") if "," in option else _file_lines(option)
    names = tuple(name.strip() for name in lines if name.strip())
    twice = [place for place, name in enumerate(names, 1) if name in names[: place - 1]]
    if twice or not names:
        problem = f"name {twice[0]} stands there before" if twice else "no name is given"
        raise InputError(f"--annotators: {problem}; give each annotator once")
    return names


def _file_lines(option: str) -> list[str]:
    path = Path(option)
    with input_errors(f"--annotators {option}", "read"):
        is_file = path.exists() or "/" in option or path.suffix.lower() in _FILES
    if option and is_file:
        return read_text(path, "a file of names, one a line, as --annotators").splitlines()
    return [option]


def qualify(task: str, *, batch: str, work: Path, specs: Path | None = None) -> Result:
    """Return who passed a pilot, and why."""
    known_task, spec = task_and_spec(task, specs)
    results = [asdict(result) for result in pilot_results(batch, work, known_task, spec)]
    pilot = batches.read(folder_of(work, known_task.id, batch))
    about = {item: parsed(meta) for item, meta in schemas.rows(pilot.items, "item", "meta") if meta}
    for result in results:
        result["missed"] = [
            {"item": item, **{key: about.get(item, {}).get(key) for key in _ABOUT}}
            for item in result["missed"]
        ]
    record = {"task": known_task.id, "batch": batch, "annotators": results}
    return record, partial(_show_pilot, spec=spec.name)


def _show_pilot(record: dict[str, Any], *, spec: str) -> None:
    heads = ("annotator", "result", "why")
    rows = [(row["annotator"], row["status"], row["reason"]) for row in record["annotators"]]
    print_table(f"Pilot {record['batch']} of {spec}", heads, rows, left=heads)
    if not rows:
        print_line(f"pilot {record['batch']} of {spec}: nobody was given it or has answered yet")
    for row in record["annotators"]:
        for missed in row["missed"]:
            why = f"{missed['explanation']} (§ {missed['section']})" if missed["section"] else ""
            print_line(f"{row['annotator']} missed {missed['item']}{': ' * bool(why)}{why}")


def pilot_results(
    batch: str, work: Path, task: Task, spec: TaskSpec
) -> list[qualification.Qualified]:
    """Return the result of every annotator of a pilot; raises InputError for another batch."""
    pilot = batches.read(folder_of(work, task.id, batch))
    round_ = spec.round(pilot.card.round)
    if pilot.card.kind != "pilot" or round_ is None:
        raise InputError(f"batch {batch} is no pilot; make one with klue export --pilot")
    if round_.answer == "verdict":
        raise InputError(f"batch {batch} holds the review of a pilot; name the pilot itself")
    judging = {r.id for r in spec.rounds if r.answer == "verdict" and r.after == round_.id}
    accepted = reviews(
        batches.read_where(
            work, task.id, lambda card: card.kind == "pilot" and card.round in judging
        )
    )
    pilot_items = set(pilot.items.column("item").to_pylist())
    return qualification.qualify(
        pilot.votes,
        task=task,
        spec=spec,
        items=pilot.items,
        reviews={key: good for key, good in accepted.items() if key[1] in pilot_items},
        workers=pilot.card.annotators,
        round_=pilot.card.round,
    )


def following(
    work: Path, task: Task, spec: TaskSpec, round_: Round, after: str, *, kind: Kind
) -> Content:
    """Return what earlier batches pass to a round: pairs, answers to judge, answers to revise."""
    names = [name.strip() for name in after.split(",") if name.strip()]
    if not names:
        raise InputError("--after names no batch; give the batch that this round builds on")
    before = earlier(work, spec, names, every_attempt=round_.final)
    if round_.id == RESOLVE:
        return resolving(before, task, spec)
    written = {r.id for r in spec.rounds if r.answer == "hypotheses"}
    if written.intersection(before.rounds) and round_.id not in before.rounds:
        pairs, authors = written_pairs(before.items, before.votes, round_)
        _require(pairs, "hypotheses written for it")
        return Content(pairs, None, find_bars(round_, before.votes, pairs), tuple(authors))
    judged = spec.round(round_.after or "")
    if judged is None:
        return _content_of_rejections(before, spec, round_)
    if round_.after not in before.rounds:
        raise InputError(
            f"round {round_.id} builds on {round_.after}; the batches of --after are of"
            f" {', '.join(before.rounds)}; name those of {round_.after}"
        )
    if kind == "pilot" and round_.answer == "verdict":
        items, answers = review_items(before.items, before.votes, round_)
        _require(items, "an answer")
        return Content(items, answers)
    is_verdict, attempt = round_.answer == "verdict", 1 if round_.final else before.attempt
    find, about = (answers_to_judge, round_) if is_verdict else (current_answers, judged)
    current = find(before.votes, spec, about)
    chosen = _only(before.items, current, "an answer that stands")
    return Content(chosen, current, find_bars(round_, before.votes), attempt=attempt)


def _content_of_rejections(before: Earlier, spec: TaskSpec, round_: Round) -> Content:
    if not any(r.after == round_.id and r.answer == "verdict" for r in spec.rounds):
        raise InputError(f"round {round_.id} builds on no other one; give --items")
    attempts = rejected_items(before.votes, spec, round_)
    last = max(attempts.values(), default=1)
    items = {item for item, attempt in attempts.items() if attempt == last}
    answers = current_answers(before.votes, spec, round_).items()
    answers_again = {item: answer for item, answer in answers if item in items}
    return Content(_only(before.items, items, "a rejected answer"), answers_again, attempt=last)


def resolving(before: Earlier, task: Task, spec: TaskSpec) -> Content:
    """Return the items without a majority, the labels given, and the best annotators (3.5.1)."""
    result = aggregate(before.votes, task=task, spec=spec, items=before.items)
    rows = result.gold.filter(pc.equal(result.gold.column("queue"), "top_annotators")).to_pylist()
    labels = {row["item"]: sorted(json.loads(row["evidence"])["counts"]) for row in rows}
    chosen = _only(before.items, labels, "no majority")
    return Content(chosen, labels, people=tuple(result.summary["top_annotators"]))


def _only(items: pa.Table, wanted: Collection[str], noun: str) -> pa.Table:
    chosen = items.filter(pc.is_in(items["item"], value_set=pa.array(sorted(wanted), pa.string())))
    _require(chosen, noun)
    return chosen


def _require(items: pa.Table, noun: str) -> None:
    if not items.num_rows:
        raise InputError(f"no item of these batches has {noun}; import their votes first")
