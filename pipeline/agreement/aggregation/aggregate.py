"""Votes of one task become gold: the order in which the rules are asked; the stage `aggregate`.

The stage: params task, spec (TASK@VERSION); arguments specs, a folder or None. The one input holds
items, votes, and the ledger of refused ones. Tables: gold (one row an item), ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.aggregation import crowd as crowd_beside
from pipeline.agreement.aggregation import crowd_rule
from pipeline.agreement.aggregation.beliefs import Belief, beliefs, confidences
from pipeline.agreement.aggregation.decisions import (
    apply_privacy,
    newest,
    note_unneeded,
    read_reviews,
)
from pipeline.agreement.aggregation.eligible_votes import (
    NONE,
    CodedVotes,
    code_votes,
    eligible,
    once_per_person,
    without_own_work,
)
from pipeline.agreement.aggregation.exclusion import exclusion_notes, judge
from pipeline.agreement.aggregation.open_items import (
    MARK,
    adjudicate,
    apply_inspection,
    resolve,
    top_annotators,
)
from pipeline.agreement.aggregation.outcome import (
    Note,
    Outcome,
    check_conservation,
    gold_table,
    ledger_table,
    matches,
    refusal_rows,
    summarise,
)
from pipeline.agreement.aggregation.rules import COUNTING
from pipeline.agreement.aggregation.tally import Pool
from pipeline.agreement.groups import sources_of
from pipeline.contracts.aggregation_rules import CrowdModel, Inspected
from pipeline.contracts.decisions import ADJUDICATE
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import SPECS, TaskSpec, load_spec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, Shard, Stage
from pipeline.core.stage import Outcome as StageOutcome


@dataclass(frozen=True)
class Aggregated:
    """Gold, one row an item (GOLD), what left or was left out (LEDGER), and the counts of both.

    `pool` holds the votes that counted.
    """

    gold: pa.Table
    ledger: pa.Table
    summary: dict[str, Any]
    pool: Pool


def aggregate(
    votes: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    items: pa.Table | None = None,
    unvoted: Collection[str] = (),
    exclude: bool = True,
    public_figures: Collection[str] | None = None,
    crowd: str | None = None,
) -> Aggregated:
    """Turn the votes of one task into gold by the rule of its spec.

    Every item of `items` (ITEMS, in its order), or without them of the votes and of `unvoted`,
    which perhaps have no vote (by id), ends as gold, unresolved or removed. Among the votes are
    those of experts in the rounds review, adjudicate and privacy, and of top annotators in the
    round resolve. `exclude` leaves out annotators by the spec's thresholds, judged on all votes
    given here: the whole pool. `public_figures` are names that are public. `crowd` names models of
    crowd-kit to set beside the majority. The order of rows changes nothing.

    Reports come first, then the rule, the top annotators, experts, and privacy.

    Raises InputError for votes of another task, items given twice and answers of another form;
    SchemaError for tables of another shape; ConservationError if an item was lost.
    """
    all_votes, listed = _tables(votes, items, task)
    all_votes = _without_hypotheses(all_votes, spec)
    rows = listed["item"].to_pylist() if listed is not None else None
    voted = all_votes["item"].unique().to_pylist()
    names: list[str] = sorted({*voted, *unvoted}) if rows is None else rows
    every = code_votes(all_votes, names)
    coded = every.only(every.item != NONE)
    reviews, notes = read_reviews(coded, spec)
    held_items = {item for item, review in reviews.items() if review.holds}
    pool, judged, more = _pool(coded, task, spec, exclude)
    reason = "a vote on an item that is not among the items"
    known = pc.is_in(all_votes["item"], value_set=pa.array(names, pa.string()))
    strangers = all_votes.filter(pc.invert(known))["item"].to_pylist()
    notes += [Note(name, "vote.unknown_item@1", reason) for name in strangers] + more
    likely = beliefs(pool)
    outcomes, more, facts = _outcomes(pool, coded, held_items, likely)
    outcomes, later = apply_privacy(
        outcomes,
        coded,
        task=task,
        spec=spec,
        fields=[None] * len(names) if listed is None else listed["fields"].to_pylist(),
        public_figures=public_figures,
        held_items=held_items,
    )
    notes += more + later
    if crowd is not None:
        outcomes, facts["crowd"] = crowd_beside.apply(outcomes, pool, crowd)
    for item, review in reviews.items():
        outcomes[item] = review.apply(outcomes[item])
    marked = set(all_votes.filter(all_votes["simulated"])["item"].to_pylist())
    sources = sources_of(all_votes, listed)
    gold = gold_table(
        names,
        outcomes,
        task=task.id,
        simulated=[name in marked for name in names],
        source=[sources.get(name) for name in names],
        soft_label=_texts(belief.soft_label for belief in likely),
        confidence=confidences(outcomes, likely, pool),
        standard_error=[belief.standard_error for belief in likely],
    )
    ledger = ledger_table(gold, notes)
    check_conservation(names, gold, ledger)
    facts["matches_official"] = matches(gold, listed, task)
    summary = summarise(outcomes, notes, judged)
    return Aggregated(gold, ledger, summary | facts, pool)


def _texts(soft_labels: Iterable[Mapping[str, float] | None]) -> list[str | None]:
    """Return soft labels as JSON; equal items share theirs."""
    known: dict[int, str] = {}
    result: list[str | None] = []
    for label in soft_labels:
        if label is not None and id(label) not in known:
            known[id(label)] = canonical(label)
        result.append(None if label is None else known[id(label)])
    return result


def _tables(
    votes: pa.Table, items: pa.Table | None, task: Task
) -> tuple[pa.Table, pa.Table | None]:
    all_votes = schemas.check(votes, "votes")
    listed = None if items is None else schemas.check(items, "items")
    for table, noun in ((all_votes, "votes"), (listed, "items")):
        tasks = set() if table is None else set(table["task"].unique().to_pylist()) - {task.id}
        if tasks:
            raise InputError(
                f"the {noun} hold task {sorted(tasks)[0]}; aggregating {task.id} takes only its own"
            )
    if listed is not None and pc.count_distinct(listed["item"]).as_py() < listed.num_rows:
        raise InputError("an item is listed twice in the items; give every item once")
    return all_votes, listed


def _without_hypotheses(votes: pa.Table, spec: TaskSpec) -> pa.Table:
    """Leave out texts written for an item: they are no votes on the pairs made of them."""
    writing = [round_.id for round_ in spec.rounds if round_.answer == "hypotheses"]
    text = pc.starts_with(pc.fill_null(votes["label"], ""), "{")
    written = pc.and_(pc.is_in(votes["round"], value_set=pa.array(writing, pa.string())), text)
    return votes.filter(pc.invert(written))


def _pool(
    votes: CodedVotes, task: Task, spec: TaskSpec, exclude: bool
) -> tuple[Pool, list[dict[str, Any]], list[Note]]:
    answers, notes = eligible(votes, spec)
    counting = not isinstance(spec.aggregation, Inspected)
    if counting:  # the other rule looks at each verdict itself
        answers, remarks = without_own_work(answers, votes, spec)
        notes += remarks
    answers, more = once_per_person(answers, last=counting)
    judged = judge(answers, task, spec) if exclude and counting else []
    out = {person["annotator"]: person for person in judged if person["excluded"]}
    excluded = np.isin(
        answers.annotator, [i for i, name in enumerate(votes.names.annotators) if name in out]
    )
    pool = Pool(answers.only(~excluded), answers.only(excluded), task, spec)
    return pool, judged, [*notes, *more, *exclusion_notes(pool.excluded, out)]


def _outcomes(
    pool: Pool, votes: CodedVotes, held_items: set[int], likely: Sequence[Belief]
) -> tuple[list[Outcome], list[Note], dict[str, Any]]:
    decisions, notes = newest(votes, ADJUDICATE)
    rule, more = pool.spec.aggregation, list[Note]()
    if isinstance(rule, Inspected):
        outcomes, more = apply_inspection(pool, decisions)
    elif isinstance(rule, CrowdModel):
        outcomes = crowd_rule.decide(pool, [belief.probabilities or {} for belief in likely])
    else:
        outcomes = pool.decide(COUNTING[rule.rule])
    top = top_annotators(pool, outcomes)
    outcomes, late = resolve(outcomes, pool, votes, top=top or (), held_items=held_items)
    if not isinstance(rule, Inspected):
        outcomes = adjudicate(outcomes, decisions, pool.task, pool.spec)
    late += [
        note
        for item, answers in decisions.items()
        if item not in held_items and MARK not in outcomes[item].evidence
        for note in note_unneeded(
            votes.names.items[item], "such an answer of an expert", len(answers)
        )
    ]
    return outcomes, [*notes, *more, *late], {} if top is None else {"top_annotators": top}


def _run(call: Call, _shard: Shard) -> StageOutcome:
    task, folder = task_of(call.params["task"]), call.arguments.get("specs")
    spec = load_spec(task.id, Path(folder) if folder else SPECS)
    items, votes, refused = (
        store.read_all(call.inputs[0], name) for name in ("items", "votes", "ledger")
    )
    result = aggregate(votes, task=task, spec=spec, items=items)
    ledger = pa.concat_tables([result.ledger, refusal_rows(result.gold, refused)])
    return StageOutcome(items.num_rows, {"gold": result.gold, "ledger": ledger})


STAGE = Stage(
    name="aggregate",
    main="gold",
    invariant="mark",
    shards=lambda _call: iter([Shard("all", None)]),
    run=_run,
    distributions=("crowd-kit",),
)
