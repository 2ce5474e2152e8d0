"""What a round builds on: the batches before it, the answers that stand, and written pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.batches.batch import Batch
from pipeline.annotation.batches.card import folder_of, list_batches
from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.decisions import ADJUDICATE, DECIDING, EXPERT
from pipeline.contracts.inspection import (
    Said,
    Stage,
    one_vote_each,
    settle,
    stage_up_to,
    stages,
    valid,
)
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.ids import pair_id
from pipeline.core.jsontext import canonical, parsed


@dataclass(frozen=True)
class Earlier:
    """The batches named, and those that they build on themselves.

    `items` are those of the batches named, each once; where rejected answers were given again,
    only of the last `attempt`. `votes` and `ledger` are all there are; `rounds` are those of the
    batches named.
    """

    items: pa.Table
    votes: pa.Table
    ledger: pa.Table
    rounds: tuple[str, ...]
    attempt: int


def earlier(work: Path, spec: TaskSpec, names: Sequence[str]) -> Earlier:
    """Read the batches of these names, with those that hold what their rounds judge.

    The order of the names changes nothing. Raises StoreError for a batch that is not there, and
    InputError for one given out under a spec that this one rules out.
    """
    named = [batches.read(folder_of(work, spec.task, name)) for name in sorted(set(names))]
    require_spec(named, spec)
    attempt = max(batch.card.attempt for batch in named)
    rounds = {batch.card.round for batch in named}
    last = [batch for batch in named if batch.card.attempt == attempt]
    every = [*named, *_judged(work, spec, named, rounds)]
    return Earlier(
        items_of(last),
        pa.concat_tables([batch.votes for batch in every]),
        pa.concat_tables([batch.ledger for batch in every]),
        tuple(sorted(rounds)),
        attempt,
    )


def main_batches(folder: Path, spec: TaskSpec) -> Earlier:
    """Read all main batches in a task's folder (WORK/annotation/TASK).

    Where hypotheses are written the items are the pairs made of them, and what was said of the
    premises is left out. Raises InputError for a folder without a main batch.
    """
    work = folder.resolve().parents[1]
    cards = [card for card in list_batches(work, spec.task) if card.kind == "main"]
    read = [batches.read(folder_of(work, spec.task, card.name)) for card in cards]
    require_spec(read, spec)
    asked = [batch for batch in read if not writes(batch, spec)]
    if not asked:
        what = "no main batch" if not read else "only batches in which hypotheses are written"
        raise InputError(f"{folder}: holds {what}; `klue export` makes one")
    return Earlier(
        items_of(asked),
        pa.concat_tables([batch.votes for batch in asked]),
        pa.concat_tables([batch.ledger for batch in read]),
        tuple(sorted({batch.card.round for batch in asked})),
        max(batch.card.attempt for batch in asked),
    )


def writes(batch: Batch, spec: TaskSpec) -> bool:
    """Tell whether a batch asks for hypotheses, so that its items are premises."""
    round_ = spec.round(batch.card.round)
    return round_ is not None and round_.answer == "hypotheses"


def items_of(read: Iterable[Batch]) -> pa.Table:
    """Return the items of batches, each once, in the order of the batches.

    Raises InputError for an id that means different things.
    """
    seen: dict[str, str] = {}
    parts = []
    for batch in read:
        names, fields = (batch.items.column(n).to_pylist() for n in ("item", "fields"))
        pairs = list(zip(names, fields, strict=True))
        other = next((n for n, f in pairs if seen.get(n, f) != f), None)
        if other is not None:
            raise InputError(
                f"batch {batch.card.name}: item {other} is another thing than the item of this id"
                " in the batches before; item ids must mean one thing within a task"
            )
        parts.append(batch.items.filter(pa.array([n not in seen for n in names], pa.bool_())))
        seen.update(pairs)
    return pa.concat_tables(parts).combine_chunks() if parts else schemas.empty("items")


def require_spec(read: Iterable[Batch], spec: TaskSpec) -> None:
    """Raise InputError for a batch given out under a spec that this one rules out."""
    for batch in read:
        if not spec.accepts(batch.card.spec):
            raise InputError(
                f"batch {batch.card.name} was given out under {batch.card.spec}, which {spec.name}"
                " rules out; use the spec of then (--specs)"
            )


def _judged(
    work: Path, spec: TaskSpec, named: Sequence[Batch], rounds: set[str]
) -> Iterator[Batch]:
    """Yield the batches, of items of the named ones, that hold what their verdicts are about."""
    wanted = {name for one in rounds for name in _before(spec, one)} - rounds
    kinds = {batch.card.kind for batch in named}
    items = pa.concat_arrays(
        [chunk for batch in named for chunk in batch.items.column("item").chunks]
    )
    for card in list_batches(work, spec.task) if wanted else []:
        if card.round in wanted and card.kind in kinds:
            batch = batches.read(folder_of(work, spec.task, card.name))
            require_spec([batch], spec)
            if pc.any(pc.is_in(batch.items.column("item"), value_set=items)).as_py():
                yield batch


def _before(spec: TaskSpec, name: str) -> Iterator[str]:
    """Yield the rounds that a round builds on, from the last to the first."""
    round_ = spec.round(name)
    while round_ is not None and round_.after is not None:
        yield round_.after
        round_ = spec.round(round_.after)


#: The seat of an author's own label among those of the validators, as in the official files.
AUTHOR: Final = "author"


def current_answers(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, Any]:
    """Return the answer that stands for each item after a round, by item.

    Of a round of verdicts it is what gold would take: the accepted answer, the correction, or what
    an expert decided. Of a round of answers that others judge it is the last attempt's. Where
    people contradict each other, or the answer was rejected, there is none.
    """
    stage, ends = stage_up_to(round_, spec)
    found = {}
    for item, (said, adjudications) in _by_item(votes, spec).items():
        settled = settle(stage, said, adjudications if ends else ())
        if settled.text is not None:
            found[item] = parsed(settled.text)
    return found


def rejected_items(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, int]:
    """Return the items to be answered again in a round, with the number of the next attempt.

    An item is one if its last attempt was rejected in a later round of verdicts, the spec allows
    another, and no expert has settled it.
    """
    stage = next((one for one in stages(spec) if one.answer.id == round_.id), Stage(round_))
    found = {}
    for item, (said, adjudications) in _by_item(votes, spec).items():
        if settle(stage, said, adjudications).queue == "revision":
            found[item] = 1 + max(one.attempt for one in said if one.round == round_.id)
    return found


def written_pairs(
    items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, list[RawVote]]:
    """Make a pair of every premise and each hypothesis written for it (Section 3.3.1).

    Neither the id of a pair nor its place says which label it was written for. Returns the pairs
    (ITEMS; `meta` names the premise as `origin`) and the authors' own labels as votes of the round
    of validation, which count among the five.
    """
    source = {row["item"]: row for row in items.to_pylist()}
    rows: dict[str, dict[str, object]] = {}
    authors: dict[str, RawVote] = {}
    for vote in _answers(votes):
        if vote["item"] not in source:
            continue
        for label, text in parsed(vote["label"]).items():
            name = _unused(pair_id(vote["item"], text), rows)
            rows[name] = _pair(name, source[vote["item"]], text)
            authors[name] = RawVote("authors", len(rows), _author(name, vote, label, round_))
    order = sorted(rows)
    return schemas.build("items", [rows[n] for n in order]), [authors[n] for n in order]


def _pair(name: str, premise: dict[str, Any], text: str) -> dict[str, object]:
    return {
        "item": name,
        "task": premise["task"],
        "fields": canonical(
            {**parsed(premise["fields"]), task_of(premise["task"]).fields[-1]: text}
        ),
        "source": premise["source"],
        "sampler": premise["sampler"],
        "meta": canonical({ORIGIN: premise["item"]}),
    }


def _author(name: str, vote: dict[str, Any], label: str, round_: Round) -> dict[str, Any]:
    return {
        "item": name,
        "annotator": vote["annotator"],
        "role": "author",
        "round": round_.id,
        "seat": AUTHOR,
        "label": label,
        "report": vote["report"],
        "spec": vote["spec"],
        "source": vote["source"],
        "simulated": vote["simulated"],
    }


def _unused(name: str, used: Collection[str]) -> str:
    """Return a name that no other text has: the same text may be written twice."""
    tries = (f"{name}{letter}" for letter in ("", *ascii_lowercase[1:]))
    return next(one for one in tries if one not in used)


def _answers(votes: pa.Table) -> list[dict[str, Any]]:
    """Return the hypotheses written, by item and author."""
    rows = [
        row for row in votes.to_pylist() if row["label"] is not None and row["role"] == "author"
    ]
    return sorted(rows, key=lambda row: (row["item"], row["annotator"] or "", row["seat"] or ""))


def _by_item(votes: pa.Table, spec: TaskSpec) -> dict[str, tuple[list[Said], list[Any]]]:
    """Return the votes on each item that aggregation counts, and its last adjudications."""
    names = ("item", "round", "attempt", "annotator", "seat", "role", "label")
    columns = (votes.column(name).to_pylist() for name in names)
    rows = [row for row in zip(*columns, strict=True) if row[-1] is not None]
    rows.sort(key=lambda row: tuple(one or "" for one in row))
    read = {text: parsed(text) for text in {row[-1] for row in rows}}
    given: dict[str, list[Said]] = {}
    decided: dict[str, list[Said]] = {}
    for place, (item, name, attempt, who, seat, role, text) in enumerate(rows):
        person = ("annotator", who) if who is not None else ("seat", seat or place)
        said = Said(name, attempt, person, role == EXPERT, text, read[text])
        if name == ADJUDICATE and said.expert:
            decided.setdefault(item, []).append(said)
        elif name not in DECIDING and role in spec.aggregation.roles:
            given.setdefault(item, []).append(said)
    plan = stages(spec)
    return {
        item: (valid(one_vote_each(given.get(item, [])), plan)[0], _last(decided.get(item, [])))
        for item in sorted(given.keys() | decided.keys())
    }


def _last(adjudications: list[Said]) -> list[Any]:
    last = max((one.attempt for one in adjudications), default=0)
    return [one.answer for one in adjudications if one.attempt == last]
