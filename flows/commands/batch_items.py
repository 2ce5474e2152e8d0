"""What a batch is made of: the round, who answers, and what earlier batches hand on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches.assignment import barred_by
from pipeline.annotation.batches.card import Kind
from pipeline.annotation.batches.rounds import (
    Earlier,
    current_answers,
    earlier,
    rejected_items,
    written_pairs,
)
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.qualification.pilot import review_items
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError

_MOST_PEOPLE: Final = 10_000
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,19}")
#: What looks like the name of a file rather than of a person.
_FILES: Final = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".md")


@dataclass(frozen=True)
class Given:
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


def asked(name: str | None, spec: TaskSpec, kind: Kind) -> Round:
    """Return a round of a spec, or the one that a kind of batch is about.

    That is the first one, but for people who are measured, and for pilots whose right answers are
    counted, the first whose answers have the form of gold (NLI: labels, not hypotheses).
    """
    if name is not None:
        found = spec.round(name)
        if found is None:
            allowed = ", ".join(r.id for r in spec.rounds)
            raise InputError(f"{spec.name} has no round {name!r}; allowed: {allowed}")
        return found
    if kind == "main" or (kind == "pilot" and spec.pilot.rule != "correct"):
        return spec.rounds[0]
    forms = [r.answer for r in spec.rounds if r.answer not in ("verdict", "hypotheses")]
    return next(r for r in spec.rounds if r.answer == forms[-1])


def names_of(given: str | None) -> tuple[str, ...]:
    """Return annotators: so many, by name with commas between, or of a file, one a line."""
    if given is None:
        return ()
    if _NUMBER.fullmatch(given):
        if not 1 <= int(given) <= _MOST_PEOPLE:
            raise InputError(f"--annotators {given} is out of range; allowed: 1 to {_MOST_PEOPLE}")
        return tuple(f"annotator-{n:03}" for n in range(1, int(given) + 1))
    lines = given.split(",") if "," in given else _lines(given)
    names = tuple(name.strip() for name in lines if name.strip())
    twice = [place for place, name in enumerate(names, 1) if name in names[: place - 1]]
    if twice or not names:
        what = f"name {twice[0]} stands there before" if twice else "no name is given"
        raise InputError(f"--annotators: {what}; give each annotator once")
    return names


def _lines(given: str) -> list[str]:
    path = Path(given)
    try:
        if not path.is_file():
            if (given and path.is_dir()) or "/" in given or path.suffix.lower() in _FILES:
                raise InputError(f"--annotators {given}: no such file; give names, one a line")
            return [given]
        return path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--annotators {given}: cannot be read ({type(error).__name__}); give a UTF-8 file of"
            " names, one a line"
        ) from None


def following(
    work: Path, task: Task, spec: TaskSpec, round_: Round, after: str, *, kind: Kind
) -> Given:
    """Return what earlier batches hand to a round: pairs, answers to judge, answers to revise."""
    names = [name.strip() for name in after.split(",") if name.strip()]
    if not names:
        raise InputError("--after names no batch; give the batch that this round builds on")
    before = earlier(work, spec, names)
    if round_.id == RESOLVE:
        return resolving(before, task, spec)
    writing = [r for r in spec.rounds if r.id in before.rounds and r.answer == "hypotheses"]
    if writing and round_.id not in before.rounds:
        made, authors = written_pairs(before.items, before.votes, round_)
        _require(made, "hypotheses written for it")
        return Given(made, None, barred_by(round_, before.votes, made), tuple(authors))
    if round_.after is None:
        return _again(before, spec, round_)
    if round_.after not in before.rounds:
        raise InputError(
            f"round {round_.id} builds on {round_.after}; the batches of --after are of"
            f" {', '.join(before.rounds)}; name those of {round_.after}"
        )
    if kind == "pilot" and round_.answer == "verdict":
        items, answers = review_items(before.items, before.votes, round_)
        _require(items, "an answer")
        return Given(items, answers)
    shown = current_answers(before.votes, spec, _known(spec, round_.after))
    kept = _only(before.items, shown, "an answer that stands")
    return Given(kept, shown, barred_by(round_, before.votes), attempt=before.attempt)


def _known(spec: TaskSpec, name: str) -> Round:
    found = spec.round(name)
    assert found is not None  # a spec names only its own rounds
    return found


def _again(before: Earlier, spec: TaskSpec, round_: Round) -> Given:
    """Return rejected answers to be given again, each with the answer that was rejected."""
    if not any(r.after == round_.id and r.answer == "verdict" for r in spec.rounds):
        raise InputError(f"round {round_.id} builds on no other one; give --items")
    back = rejected_items(before.votes, spec, round_)
    wanted = max(back.values(), default=1)
    now = {item: attempt for item, attempt in back.items() if attempt == wanted}
    shown = {
        item: a for item, a in current_answers(before.votes, spec, round_).items() if item in now
    }
    return Given(_only(before.items, now, "a rejected answer"), shown, attempt=wanted)


def resolving(before: Earlier, task: Task, spec: TaskSpec) -> Given:
    """Return the items without a majority, the labels given, and the best annotators (3.5.1)."""
    found = aggregate(before.votes, task=task, spec=spec, items=before.items)
    rows = found.gold.filter(pc.equal(found.gold.column("queue"), "top_annotators"))
    pairs_ = zip(rows.column("item").to_pylist(), rows.column("evidence").to_pylist(), strict=True)
    shown = {item: sorted(json.loads(evidence)["counts"]) for item, evidence in pairs_}
    kept = _only(before.items, shown, "no majority")
    return Given(kept, shown, people=tuple(found.summary["top_annotators"]))


def _only(items: pa.Table, wanted: Mapping[str, object], what: str) -> pa.Table:
    kept = items.filter(pc.is_in(items["item"], value_set=pa.array(wanted, pa.string())))
    _require(kept, what)
    return kept


def _require(items: pa.Table, what: str) -> None:
    if not items.num_rows:
        raise InputError(f"no item of these batches has {what}; import their votes first")
