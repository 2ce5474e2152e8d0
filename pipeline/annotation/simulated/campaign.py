"""All rounds of a task in a row: assigned, answered, sent back and answered again.

The stage `answer` makes of candidates the votes of simulated annotators. params: task, seed, spec
(TASK@VERSION). arguments: specs and truths, folders or None. The first input holds the candidates.
Tables: items (or the pairs written about them), votes, ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.assignment import assign, find_bars
from pipeline.annotation.batches.rounds import (
    answers_to_judge,
    current_answers,
    rejected_items,
    written_pairs,
)
from pipeline.annotation.intake.vote import RawVote, moment
from pipeline.annotation.simulated.engine import Earlier, simulate
from pipeline.annotation.simulated.profile import Pool, default_pool
from pipeline.annotation.simulated.truths import ANSWERS, Truths, load_truths
from pipeline.annotation.stages import one_shard, outcome, task_and_spec
from pipeline.contracts.decisions import DISMISS, RESOLVE, REVIEW, verdict_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.stage import Call, Outcome, Shard, Stage


@dataclass(frozen=True)
class Campaign:
    """The votes of all rounds, and the items (or the pairs written about them)."""

    items: pa.Table
    votes: pa.Table


def run(
    items: pa.Table, *, task: Task, spec: TaskSpec, seed: int, truths: Truths | None = None
) -> Campaign:
    """Answer items through every round of a spec but `resolve`, which needs an aggregation first.

    Items of a task that writes hypotheses are premises. An item that was reported in a round and
    has no answer goes no further.
    """
    crew = _Crew(task, spec, seed, truths or load_truths(task, spec=spec))
    return _run_rounds(crew, spec.rounds, items, schemas.empty("votes"))


def fill(
    done: Campaign,
    decisions: pa.Table,
    *,
    items: pa.Table,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
) -> Campaign:
    """Let others answer where reports were dismissed, and take up what had stopped there.

    An item whose reports experts dismissed (`decisions`, round `review`) lacks the answers of those
    who reported it: as many others give them, people who have not seen it, while there are any.
    An item without any answer goes through the later rounds then. `items` are those that the
    campaign began with; the other arguments are those of `run`.
    """
    crew = _Crew(task, spec, seed, truths or load_truths(task, spec=spec))
    first, later = spec.rounds[0], spec.rounds[1:]
    crew.pool(first, items.num_rows)  # as large as it was
    dismissed = {
        item
        for item, name, label in schemas.rows(decisions, "item", "round", "label")
        if name == REVIEW and verdict_of(parsed(label)) == DISMISS
    }
    open_ = _select(items, dismissed)
    votes = _fill_gaps(crew, open_, done.votes)
    before, after = (_participants(table, first)[1] for table in (done.votes, votes))
    fresh = _select(open_, [item for item in after if not before[item] and after[item]])
    if first.answer != "hypotheses":
        return Campaign(done.items, _run_rounds(crew, later, fresh, votes).votes)
    more = _run_rounds(crew, later, *_make_pairs(crew, fresh, votes, first))
    return Campaign(pa.concat_tables([done.items, more.items]), more.votes)


@dataclass(frozen=True)
class _Crew:
    task: Task
    spec: TaskSpec
    seed: int
    truths: Truths
    pools: dict[str, Pool] = field(default_factory=dict)

    def pool(self, round_: Round, items: int) -> Pool:
        """Return the pool of a round; the first time it is made, for so many items."""
        if round_.id not in self.pools:
            self.pools[round_.id] = default_pool(self.spec, round_, items=items)
        return self.pools[round_.id]

    def append(
        self,
        votes: pa.Table,
        items: pa.Table,
        round_: Round,
        *,
        earlier: Earlier | None = None,
        assignments: pa.Table | None = None,
    ) -> pa.Table:
        """Return the votes with those of a round; assignments are drawn if there are none."""
        pool = self.pool(round_, items.num_rows)
        if assignments is None:
            names, barred = items.column("item").to_pylist(), find_bars(round_, votes, items)
            assignments = assign(
                names, pool, per_item=round_.per_item, seed=self.seed, barred=barred
            )
        answers = simulate(
            items,
            assignments,
            task=self.task,
            spec=self.spec,
            round_=round_,
            pool=pool,
            seed=self.seed,
            truths=self.truths,
            earlier=earlier,
        )
        return pa.concat_tables([votes, as_votes(answers, self.task)])


def _run_rounds(crew: _Crew, rounds: Sequence[Round], items: pa.Table, votes: pa.Table) -> Campaign:
    for round_ in rounds:
        if round_.id == RESOLVE or not items.num_rows:
            continue
        if round_.answer == "verdict":
            votes = _inspect(crew, items, votes, round_)
            continue
        before = crew.spec.round(round_.after) if round_.after else None
        ready = _select(items, current_answers(votes, crew.spec, before)) if before else items
        votes = crew.append(votes, ready, round_)
        if round_.answer == "hypotheses":
            items, votes = _make_pairs(crew, items, votes, round_)
    return Campaign(items, votes)


def _make_pairs(
    crew: _Crew, items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, pa.Table]:
    judging = next(other for other in crew.spec.rounds if round_.id in other.not_by)
    items, authors = written_pairs(items, votes, judging)
    return items, pa.concat_tables([votes, as_votes(authors, crew.task)])


def _inspect(crew: _Crew, items: pa.Table, votes: pa.Table, round_: Round) -> pa.Table:
    judged = crew.spec.round(round_.after or "")
    assert judged is not None
    attempts: dict[str, int] = {}
    for _ in range(judged.attempts):
        answers = answers_to_judge(votes, crew.spec, round_)
        items = _select(items, answers)
        if not items.num_rows:
            break
        votes = crew.append(votes, items, round_, earlier=Earlier(answers, attempts))
        attempts = rejected_items(votes, crew.spec, judged)
        items = _select(items, attempts)
        if not items.num_rows:
            break
        earlier, authors = Earlier(attempts=attempts), _assign_authors(votes, items, judged)
        votes = crew.append(votes, items, judged, earlier=earlier, assignments=authors)
    return votes


def _fill_gaps(crew: _Crew, items: pa.Table, votes: pa.Table) -> pa.Table:
    round_, names = crew.spec.rounds[0], items.column("item").to_pylist()
    pool = crew.pool(round_, items.num_rows)
    seen, answered = _participants(votes, round_)
    left = {item: len(pool) - len(seen.get(item, ())) for item in names}
    lacking = schemas.group(
        (min(round_.per_item - answered[item], left[item]), item) for item in names
    )
    assigned = [
        assign(group, pool, per_item=count, seed=crew.seed, barred=seen)
        for count, group in sorted(lacking.items())
        if count > 0
    ]
    if not assigned:
        return votes
    earlier, assignments = Earlier(cleared=frozenset(names)), pa.concat_tables(assigned)
    return crew.append(votes, items, round_, earlier=earlier, assignments=assignments)


def _participants(votes: pa.Table, round_: Round) -> tuple[dict[str, set[str]], Counter[str]]:
    columns = ("item", "annotator", "round", "label")
    named = [
        (item, who, label)
        for item, who, name, label in schemas.rows(votes, *columns)
        if name == round_.id and who is not None
    ]
    seen = schemas.group((item, who) for item, who, _ in named)
    answered = Counter(item for item, _, label in named if label is not None)
    return {item: set(people) for item, people in seen.items()}, answered


def _assign_authors(votes: pa.Table, items: pa.Table, round_: Round) -> pa.Table:
    wanted = set(items.column("item").to_pylist())
    rows = votes.filter(pc.equal(votes.column("round"), round_.id)).to_pylist()
    pairs = sorted({(row["annotator"], row["item"]) for row in rows if row["item"] in wanted})
    return schemas.build(
        "assignments",
        [{"item": i, "annotator": a, "ordinal": n} for n, (a, i) in enumerate(pairs, start=1)],
    )


def _select(items: pa.Table, names: Iterable[str]) -> pa.Table:
    return items.filter(pc.is_in(items["item"], value_set=pa.array(sorted(names), pa.string())))


def as_votes(raws: Iterable[RawVote], task: Task) -> pa.Table:
    """Return simulated votes as a table (VOTES), in their order."""
    rows: list[dict[str, object]] = []
    for raw in raws:
        label = raw.value.get("label")
        text = {} if label is None else {"label": canonical(label)}
        value = raw.value | text | {"at": moment(raw.value.get("at"))}
        rows.append({"attempt": 1, "task": task.id, **value})
    return schemas.build("votes", rows)


def truths_of(call: Call) -> Truths:
    """Return the truths that a call names, those of the sample if it names none."""
    (task, spec), folder = task_and_spec(call), call.arguments.get("truths")
    return load_truths(task, Path(folder) if folder else ANSWERS, spec)


def _run(call: Call, _shard: Shard) -> Outcome:
    (task, spec), seed = task_and_spec(call), call.params["seed"]
    candidates = store.read_all(call.inputs[0], "items")
    campaign = run(candidates, task=task, spec=spec, seed=seed, truths=truths_of(call))
    return outcome(candidates, campaign.items, campaign.votes, stage=STAGE.name)


STAGE: Final = Stage(name="answer", main="items", invariant="own", shards=one_shard, run=_run)
