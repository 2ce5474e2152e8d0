"""What a round builds on: the batches before it, the answers that stand, and written pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.batches import batch as batches
from pipeline.annotation.batches.assignment import ORIGIN
from pipeline.annotation.batches.batch import Batch, folder_of
from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.decisions import ADJUDICATE, DECIDING, EXPERT
from pipeline.contracts.inspection import (
    InspectedVote,
    Stage,
    join,
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
    only of the last `attempt`. `votes` and `ledger` are all there are, but for the hypotheses
    `written` about premises; `rounds` are those of the batches named.
    """

    items: pa.Table
    votes: pa.Table
    ledger: pa.Table
    rounds: tuple[str, ...]
    attempt: int
    written: pa.Table


def earlier(
    work: Path, spec: TaskSpec, names: Sequence[str], *, every_attempt: bool = False
) -> Earlier:
    """Read the batches of these names, with those that hold what their rounds judge.

    The order of the names changes nothing. With `every_attempt` the items are those of all attempts
    at an answer, as a final review needs them. Raises StoreError for a batch that is not there, and
    InputError for one given out under a spec that this one rules out.
    """
    named = [batches.read(folder_of(work, spec.task, name)) for name in sorted(set(names))]
    batches.require_spec(named, spec)
    attempt = max(batch.card.attempt for batch in named)
    last = [batch for batch in named if every_attempt or batch.card.attempt == attempt]
    every = [*named, *_batches_under_review(work, spec, named)]
    return _merge(named, items=last, votes=every, ledgers=every)


def main_batches(folder: Path, spec: TaskSpec) -> Earlier:
    """Read all main batches in a task's folder (WORK/annotation/TASK).

    Where hypotheses are written the items are the pairs made of them. Votes of batches given out
    under a spec that this one rules out are refused. Raises InputError for a folder without a main
    batch, and where this spec rules all of them out.
    """
    read = list(
        batches.read_where(folder.resolve().parents[1], spec.task, lambda card: card.kind == "main")
    )
    ruled_out = [batch for batch in read if not spec.accepts(batch.card.spec)]
    if len(ruled_out) == len(read):
        batches.require_spec(read, spec)
    read = [batch for batch in read if spec.accepts(batch.card.spec)]
    written = [batch for batch in read if asks_hypotheses(batch, spec)]
    asked = [batch for batch in read if not asks_hypotheses(batch, spec)]
    if not asked:
        contents = "no main batch" if not read else "only batches in which hypotheses are written"
        raise InputError(f"{folder}: holds {contents}; `klue export` makes one")
    every = _merge(asked, items=asked, votes=asked, ledgers=read, written=written)
    refused = [every.ledger, *(_refused_votes(batch, spec) for batch in ruled_out)]
    return replace(every, ledger=pa.concat_tables(refused))


def _refused_votes(batch: Batch, spec: TaskSpec) -> pa.Table:
    """Return a row of the ledger for each vote of a batch that a spec rules out."""
    card = batch.card
    reason = f"was given in batch {card.name} under {card.spec}, which {spec.name} rules out"
    rows: list[dict[str, object]] = [
        {
            "unit": item,
            "source": source or "",
            "stage": "intake",
            "rule": "vote.spec@1",
            "action": "quarantine",
            "reason": reason,
        }
        for item, source in schemas.rows(batch.votes, "item", "source")
    ]
    return schemas.build("ledger", rows)


def _merge(
    named: Sequence[Batch],
    *,
    items: Sequence[Batch],
    votes: Sequence[Batch],
    ledgers: Sequence[Batch],
    written: Sequence[Batch] = (),
) -> Earlier:
    return Earlier(
        items_of(items),
        pa.concat_tables([batch.votes for batch in votes]),
        pa.concat_tables([batch.ledger for batch in ledgers]),
        tuple(sorted({batch.card.round for batch in named})),
        max(batch.card.attempt for batch in named),
        pa.concat_tables([schemas.empty("votes"), *(batch.votes for batch in written)]),
    )


def asks_hypotheses(batch: Batch, spec: TaskSpec) -> bool:
    """Tell whether a batch asks for hypotheses, so that its items are premises."""
    round_ = spec.round(batch.card.round)
    return round_ is not None and round_.answer == "hypotheses"


def items_of(read: Iterable[Batch]) -> pa.Table:
    """Return the items of batches, each once, in the order of the batches.

    Raises InputError for an id that means different things.
    """
    seen: dict[str, str] = {}
    parts = [schemas.empty("items")]
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
    return pa.concat_tables(parts).combine_chunks()


def _batches_under_review(work: Path, spec: TaskSpec, named: Sequence[Batch]) -> Iterator[Batch]:
    """Yield the batches, of items of the named ones, that hold what their verdicts are about."""
    rounds_of_named = {batch.card.round for batch in named}
    needed = set(rounds_of_named)
    for round_ in reversed(spec.rounds):  # `after` names an earlier one
        if round_.id in needed and round_.after is not None:
            needed.add(round_.after)
    wanted, kinds = needed - rounds_of_named, {batch.card.kind for batch in named}
    items = {item for batch in named for item in batch.items.column("item").to_pylist()}
    for batch in batches.read_where(
        work, spec.task, lambda card: card.round in wanted and card.kind in kinds
    ):
        batches.require_spec([batch], spec)
        if not items.isdisjoint(batch.items.column("item").to_pylist()):
            yield batch


#: The seat of an author's own label among those of the validators, as in the official files.
AUTHOR: Final = "author"


def current_answers(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, Any]:
    """Return the answer that stands for each item after a round, by item.

    Of a round of verdicts it is what gold would take: the accepted answer, the correction, or what
    an expert decided. Of a round of answers that others judge it is the last attempt's. Where
    people contradict each other, or the answer was rejected, there is none.
    """
    stage, ends = stage_up_to(round_, spec)
    answers = {}
    for item, (answers_of_item, adjudications) in _by_item(votes, spec).items():
        settled = settle(stage, answers_of_item, adjudications if ends else ())
        if settled.text is not None:
            answers[item] = parsed(settled.text)
    return answers


def answers_to_judge(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, Any]:
    """Return the answer that a round of verdicts is about, by item; a final one sees it whole."""
    judged = spec.round(round_.after or "")
    if judged is None:
        return {}
    if not round_.final:
        return current_answers(votes, spec, judged)
    answers = {}
    for item, (answers_of_item, adjudications) in _by_item(votes, spec).items():
        whole = join([settle(stage, answers_of_item, adjudications) for stage in stages(spec)])
        if whole.text is not None:
            answers[item] = parsed(whole.text)
    return answers


def rejected_items(votes: pa.Table, spec: TaskSpec, round_: Round) -> dict[str, int]:
    """Return the items to be answered again in a round, with the number of the next attempt.

    An item is one if its last attempt was rejected in a later round of verdicts, the spec allows
    another, and no expert has settled it.
    """
    stage = next((s for s in stages(spec) if s.answer.id == round_.id), Stage(round_))
    return {
        item: 1 + max(vote.attempt for vote in answers_of_item if vote.round == round_.id)
        for item, (answers_of_item, adjudications) in _by_item(votes, spec).items()
        if settle(stage, answers_of_item, adjudications).queue == "revision"
    }


def written_pairs(
    items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, list[RawVote]]:
    """Make a pair of every premise and each hypothesis written for it (Section 3.3.1).

    Neither the id of a pair nor its place says which label it was written for. Returns the pairs
    (ITEMS; `meta` names the premise as `origin`) and the authors' own labels as votes of the round
    of validation, which count among the five.
    """
    premises = {row["item"]: row for row in items.to_pylist()}
    written = [
        row
        for row in votes.to_pylist()
        if row["label"] is not None and row["role"] == "author" and row["item"] in premises
    ]
    written.sort(key=lambda row: (row["item"], row["annotator"] or "", row["seat"] or ""))
    rows: dict[str, dict[str, object]] = {}
    authors: dict[str, RawVote] = {}
    for vote in written:
        premise = premises[vote["item"]]
        field = task_of(premise["task"]).fields[-1]
        constant = {
            name: vote[name] for name in ("annotator", "report", "spec", "source", "simulated")
        }
        for label, text in parsed(vote["label"]).items():
            # the same text may be written twice
            names = (f"{pair_id(vote['item'], text)}{end}" for end in ("", *ascii_lowercase[1:]))
            name = next(name for name in names if name not in rows)
            rows[name] = {
                "item": name,
                "task": premise["task"],
                "fields": canonical({**parsed(premise["fields"]), field: text}),
                "source": premise["source"],
                "sampler": premise["sampler"],
                "meta": canonical({ORIGIN: premise["item"]}),
            }
            of_author = {"item": name, "role": "author", "round": round_.id, "seat": AUTHOR}
            authors[name] = RawVote("authors", len(rows), {**of_author, "label": label, **constant})
    order = sorted(rows)
    return schemas.build("items", [rows[n] for n in order]), [authors[n] for n in order]


def _by_item(votes: pa.Table, spec: TaskSpec) -> dict[str, tuple[list[InspectedVote], list[Any]]]:
    """Return the votes on each item that aggregation counts, and its last adjudications."""
    columns = ("item", "round", "attempt", "annotator", "seat", "role", "label")
    rows = [row for row in schemas.rows(votes, *columns) if row[-1] is not None]
    rows.sort(key=lambda row: tuple(cell or "" for cell in row))
    answers = {text: parsed(text) for text in {row[-1] for row in rows}}
    all_votes = []
    for place, (item, name, attempt, who, seat, role, text) in enumerate(rows):
        person = ("annotator", who) if who is not None else ("seat", seat or place)
        all_votes.append(
            (item, role, InspectedVote(name, attempt, person, role == EXPERT, text, answers[text]))
        )
    decided = schemas.group(
        (item, vote) for item, _, vote in all_votes if vote.round == ADJUDICATE and vote.expert
    )
    votes_by_item = schemas.group(
        (item, vote)
        for item, role, vote in all_votes
        if vote.round not in DECIDING and role in spec.aggregation.roles
    )
    by_item = {}
    for item in sorted(votes_by_item.keys() | decided.keys()):
        decisions = decided.get(item, [])
        last = max((decision.attempt for decision in decisions), default=0)
        by_item[item] = (
            valid(one_vote_each(votes_by_item.get(item, [])), spec)[0],
            [decision.answer for decision in decisions if decision.attempt == last],
        )
    return by_item
