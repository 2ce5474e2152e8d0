"""Votes of one task become gold: the order in which the rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.aggregation import (
    adjudicate,
    ballots,
    exclusion,
    inspected,
    majority,
    mean,
    privacy,
    resolve,
    review,
)
from pipeline.agreement.aggregation import crowd as models
from pipeline.agreement.aggregation.ballots import NONE, Ballots
from pipeline.agreement.aggregation.counted import answering, once, others
from pipeline.agreement.aggregation.decisions import newest
from pipeline.agreement.aggregation.exclusion import Judged
from pipeline.agreement.aggregation.outcome import (
    Note,
    Outcome,
    check_conservation,
    gold_table,
    ledger_table,
)
from pipeline.agreement.aggregation.pool import Pool
from pipeline.agreement.aggregation.privacy import PublicFigures
from pipeline.agreement.aggregation.summary import matches, summarise
from pipeline.contracts.decisions import ADJUDICATE
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.errors import InputError

#: The rules that count answers; `inspected` follows one answer through its inspections.
COUNTING: Final[Mapping[str, Callable[[Pool], list[Outcome]]]] = {
    "majority": majority.decide,
    "mean": mean.decide,
}


@dataclass(frozen=True)
class Aggregated:
    """Gold, one row an item (GOLD), what left or was left out (LEDGER), and the counts of both."""

    gold: pa.Table
    ledger: pa.Table
    summary: dict[str, Any]


def aggregate(
    votes: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    items: pa.Table | None = None,
    exclude: bool = True,
    public_figures: PublicFigures | None = None,
    decisions: pa.Table | None = None,
    crowd: str | None = None,
) -> Aggregated:
    """Turn the votes of one task into gold by the rule of its spec.

    Every item of `items` (ITEMS, in its order), or without them of the votes (by id), ends as gold,
    unresolved or removed. `decisions` are more votes (VOTES), those of experts in the rounds
    review, adjudicate and privacy, and of top annotators in the round resolve; they may as well
    stand among `votes`. `exclude` leaves out annotators by the spec's thresholds, judged on all
    votes given here: the whole pool. `public_figures` tells whose name is public. `crowd` names
    models of crowd-kit to set beside the majority. The order of rows changes nothing.

    Reports come first, then the rule, the top annotators, experts, and privacy.

    Raises InputError for votes of another task, items given twice and answers of another form;
    SchemaError for tables of another shape; ConservationError if an item was lost.
    """
    given, listed = _tables(votes, decisions, items, task)
    given = _answers(given, spec)
    rows = listed["item"].to_pylist() if listed is not None else None
    names: list[str] = sorted(given["item"].unique().to_pylist()) if rows is None else rows
    read = ballots.read(given, names)
    cast = read.only(read.item != NONE)
    reviews, notes = review.read(cast, spec)
    held = {item for item, one in reviews.items() if one.holds}
    pool, judged, more = _pool(cast, task, spec, exclude)
    notes += _unknown(given, names) + more
    found, more, facts = _answered(pool, cast, held)
    found, later = privacy.apply(
        found,
        cast,
        task=task,
        spec=spec,
        fields=_fields(listed, len(names)),
        public_figures=public_figures,
        held=held,
    )
    notes += more + later
    if crowd is not None:
        found, facts["crowd"] = models.apply(found, pool, crowd)
    found = [reviews[i].apply(one) if i in reviews else one for i, one in enumerate(found)]
    gold, ledger = _end(given, listed, names, found, notes, task)
    facts["matches_official"] = matches(gold, listed, task)
    return Aggregated(gold, ledger, summarise(found, notes, judged) | facts)


def _end(
    votes: pa.Table,
    items: pa.Table | None,
    names: Sequence[str],
    outcomes: Sequence[Outcome],
    notes: Sequence[Note],
    task: Task,
) -> tuple[pa.Table, pa.Table]:
    """Return gold and ledger, held to conservation."""
    gold = gold_table(
        names,
        outcomes,
        task=task.id,
        simulated=_simulated(votes, names),
        sources=_sources(votes, items, names),
    )
    ledger = ledger_table(gold, notes)
    check_conservation(names, gold, ledger)
    return gold, ledger


def _tables(
    votes: pa.Table, decisions: pa.Table | None, items: pa.Table | None, task: Task
) -> tuple[pa.Table, pa.Table | None]:
    """Return all votes in one table and the items, both checked."""
    parts = [schemas.check(one, "votes") for one in (votes, decisions) if one is not None]
    given = pa.concat_tables(parts)
    listed = None if items is None else schemas.check(items, "items")
    for table, what in ((given, "votes"), (listed, "items")):
        tasks = set() if table is None else set(table["task"].unique().to_pylist()) - {task.id}
        if tasks:
            raise InputError(
                f"the {what} hold task {sorted(tasks)[0]}; aggregating {task.id} takes only its own"
            )
    if listed is not None and pc.count_distinct(listed["item"]).as_py() < listed.num_rows:
        raise InputError("an item stands twice in the items; give every item once")
    return given, listed


def _answers(votes: pa.Table, spec: TaskSpec) -> pa.Table:
    """Leave out hypotheses: texts written for a premise are no votes on the pairs made of them."""
    writing = [one.id for one in spec.rounds if one.answer == "hypotheses"]
    text = pc.starts_with(pc.fill_null(votes["label"], ""), "{")
    written = pc.and_(pc.is_in(votes["round"], value_set=pa.array(writing, pa.string())), text)
    return votes.filter(pc.invert(written))


def _unknown(votes: pa.Table, names: Sequence[str]) -> list[Note]:
    known = pc.is_in(votes["item"], value_set=pa.array(names, pa.string()))
    reason = "a vote on an item that is not among the items"
    strangers = votes.filter(pc.invert(known))["item"].to_pylist()
    return [Note(name, "vote.unknown_item@1", reason) for name in strangers]


def _pool(
    votes: Ballots, task: Task, spec: TaskSpec, exclude: bool
) -> tuple[Pool, list[Judged], list[Note]]:
    """Return the votes that count, without those of excluded annotators, and who was judged."""
    answers, notes = answering(votes, spec)
    counting = spec.aggregation.rule in COUNTING
    if counting:  # the other rule looks at each verdict itself
        answers, own = others(answers, votes, spec)
        notes += own
    answers, more = once(answers, last=counting)
    judged = exclusion.judge(answers, task, spec) if exclude and counting else []
    out = {one.annotator: one for one in judged if one.excluded}
    codes = [i for i, name in enumerate(votes.names.annotators) if name in out]
    excluded = np.isin(answers.annotator, codes)
    pool = Pool(answers.only(~excluded), answers.only(excluded), task, spec)
    return pool, judged, [*notes, *more, *exclusion.notes(pool.excluded, out)]


def _answered(
    pool: Pool, votes: Ballots, held: set[int]
) -> tuple[list[Outcome], list[Note], dict[str, Any]]:
    """Return what the rule, the top annotators and the experts make of the items."""
    decisions, notes = newest(votes, ADJUDICATE)
    if pool.spec.aggregation.rule not in COUNTING:
        found, more = inspected.decide(pool, decisions)
    else:
        found, more = COUNTING[pool.spec.aggregation.rule](pool), []
    top = resolve.top(pool, found)
    facts = {} if top is None else {"top_annotators": top}
    found, late = resolve.apply(found, pool, votes, top=top or (), held=held)
    if pool.spec.aggregation.rule in COUNTING:
        found = adjudicate.apply(found, decisions, pool.task, pool.spec)
    late += adjudicate.notes(found, decisions, votes.names.items, held)
    return found, [*notes, *more, *late], facts


def _fields(items: pa.Table | None, count: int) -> list[str | None]:
    return [None] * count if items is None else list(items["fields"].to_pylist())


def _simulated(votes: pa.Table, names: Sequence[str]) -> list[bool]:
    marked = set(votes.filter(votes["simulated"])["item"].to_pylist())
    return [name in marked for name in names]


def _sources(votes: pa.Table, items: pa.Table | None, names: Sequence[str]) -> list[str | None]:
    """Return the source of each item: its own, or the first by name that its votes give."""
    least = votes.group_by("item").aggregate([("source", "min")])
    found = dict(zip(least["item"].to_pylist(), least["source_min"].to_pylist(), strict=True))
    if items is not None:
        pairs = zip(items["item"].to_pylist(), items["source"].to_pylist(), strict=True)
        found |= {name: source for name, source in pairs if source is not None}
    return [found.get(name) for name in names]
