"""All rounds of a task in a row: assigned, answered, sent back and answered again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.batches.assignment import assign, barred_by
from pipeline.annotation.batches.rounds import current_answers, rejected_items, written_pairs
from pipeline.annotation.intake.vote import RawVote, moment
from pipeline.annotation.simulated.engine import Earlier, simulate
from pipeline.annotation.simulated.pools import Pool, default_pool
from pipeline.annotation.simulated.truths import Truths, load_truths
from pipeline.contracts.decisions import DISMISS, REVIEW, verdict_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed

#: Rounds that wait for what aggregation makes of the others.
_LATER: Final = ("resolve",)


@dataclass(frozen=True)
class Campaign:
    """The votes of all rounds, and the items (or the pairs written about them)."""

    items: pa.Table
    votes: pa.Table


def run(
    items: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
    pools: Mapping[str, Pool] | None = None,
) -> Campaign:
    """Answer items through every round of a spec but `resolve`, which needs an aggregation first.

    `pools` names others than the default ones, by round. Items of a task that writes hypotheses
    are premises. An item that was reported in a round and has no answer goes no further.
    """
    crew = _Crew(task, spec, seed, truths or load_truths(task, spec=spec), pools or {})
    return _through(crew, spec.rounds, items, schemas.empty("votes"))


def fill(
    done: Campaign,
    decisions: pa.Table,
    *,
    items: pa.Table,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
    pools: Mapping[str, Pool] | None = None,
) -> Campaign:
    """Let others answer where reports were dismissed, and take up what had stopped there.

    An item whose reports experts dismissed (`decisions`, round `review`) lacks the answers of those
    who reported it: as many others give them, people who have not seen it, while there are any.
    An item without any answer goes through the later rounds then. `items` are those that the
    campaign began with; the other arguments are those of `run`.
    """
    crew = _Crew(task, spec, seed, truths or load_truths(task, spec=spec), pools or {})
    first, later = spec.rounds[0], spec.rounds[1:]
    crew.pool(first, items.num_rows)  # as large as it was
    open_ = _open(items, _dismissed(decisions))
    votes = _filled(crew, open_, done.votes)
    before, after = (_seen(given, first)[1] for given in (done.votes, votes))
    fresh = _open(open_, [item for item in after if not before[item] and after[item]])
    if first.answer != "hypotheses":
        return Campaign(done.items, _through(crew, later, fresh, votes).votes)
    more = _through(crew, later, *_paired(crew, fresh, votes, first))
    return Campaign(pa.concat_tables([done.items, more.items]), more.votes)


def _through(crew: _Crew, rounds: Sequence[Round], items: pa.Table, votes: pa.Table) -> Campaign:
    for round_ in rounds:
        if round_.id in _LATER or not items.num_rows:
            continue
        if round_.answer == "verdict":
            votes = _inspected(crew, items, votes, round_)
            continue
        before = crew.spec.round(round_.after) if round_.after else None
        ready = _open(items, current_answers(votes, crew.spec, before)) if before else items
        votes = _more(votes, crew.answers(ready, votes, round_), crew.task)
        if round_.answer == "hypotheses":
            items, votes = _paired(crew, items, votes, round_)
    return Campaign(items, votes)


def _paired(
    crew: _Crew, items: pa.Table, votes: pa.Table, round_: Round
) -> tuple[pa.Table, pa.Table]:
    """Return the pairs of premises and what was written, and the votes with the authors' own."""
    judging = next(one for one in crew.spec.rounds if round_.id in one.not_by)
    items, authors = written_pairs(items, votes, judging)
    return items, _more(votes, authors, crew.task)


@dataclass(frozen=True)
class _Crew:
    task: Task
    spec: TaskSpec
    seed: int
    truths: Truths
    pools: Mapping[str, Pool]
    made: dict[str, Pool] = field(default_factory=dict)

    def pool(self, round_: Round, items: int) -> Pool:
        """Return the pool of a round; the first time it is made, for so many items."""
        if round_.id not in self.made:
            own = self.pools.get(round_.id)
            self.made[round_.id] = own or default_pool(self.spec, round_, items=items)
        return self.made[round_.id]

    def answers(
        self,
        items: pa.Table,
        votes: pa.Table,
        round_: Round,
        *,
        earlier: Earlier | None = None,
        given: pa.Table | None = None,
    ) -> Iterator[RawVote]:
        """Return the votes of a round; `given` are assignments, drawn if there are none."""
        pool = self.pool(round_, items.num_rows)
        if given is None:
            given = assign(
                items.column("item").to_pylist(),
                pool.ids,
                per_item=round_.per_item,
                seed=self.seed,
                barred=barred_by(round_, votes, items),
            )
        return simulate(
            items,
            given,
            task=self.task,
            spec=self.spec,
            round_=round_,
            pool=pool,
            seed=self.seed,
            truths=self.truths,
            earlier=earlier,
        )


def _inspected(crew: _Crew, items: pa.Table, votes: pa.Table, round_: Round) -> pa.Table:
    """Return the votes with those of a round of verdicts, and of the attempts that it asks for."""
    judged = crew.spec.round(round_.after or "")
    assert judged is not None
    attempts: dict[str, int] = {}
    left = items
    for _ in range(judged.attempts):
        shown = current_answers(votes, crew.spec, judged)
        left = _open(left, shown)
        if not left.num_rows:
            break
        verdicts = crew.answers(left, votes, round_, earlier=Earlier(shown, attempts))
        votes = _more(votes, verdicts, crew.task)
        attempts = rejected_items(votes, crew.spec, judged)
        left = _open(left, attempts)
        if not left.num_rows:
            break
        again = crew.answers(
            left,
            votes,
            judged,
            earlier=Earlier(attempts=attempts),
            given=_authors(votes, left, judged),
        )
        votes = _more(votes, again, crew.task)
    return votes


def _filled(crew: _Crew, items: pa.Table, votes: pa.Table) -> pa.Table:
    """Return the votes with those that items lack in the first round, given by others."""
    round_ = crew.spec.rounds[0]
    people = crew.pool(round_, items.num_rows).ids
    seen, answered = _seen(votes, round_)
    lacking: dict[int, list[str]] = {}
    for item in items.column("item").to_pylist():
        left = len(people) - len(seen.get(item, ()))
        lacking.setdefault(min(round_.per_item - answered[item], left), []).append(item)
    given = [
        assign(names, people, per_item=count, seed=crew.seed, barred=seen)
        for count, names in sorted(lacking.items())
        if count > 0
    ]
    if not given:
        return votes
    every = Earlier(cleared=frozenset(items.column("item").to_pylist()))
    more = crew.answers(items, votes, round_, earlier=every, given=pa.concat_tables(given))
    return _more(votes, more, crew.task)


def _seen(votes: pa.Table, round_: Round) -> tuple[dict[str, set[str]], Counter[str]]:
    """Return who saw each item in a round, and how many answered it."""
    seen: dict[str, set[str]] = {}
    answered: Counter[str] = Counter()
    columns = (votes.column(n).to_pylist() for n in ("item", "annotator", "round", "label"))
    for item, who, name, label in zip(*columns, strict=True):
        if name == round_.id and who is not None:
            seen.setdefault(item, set()).add(who)
            answered[item] += label is not None
    return seen, answered


def _dismissed(decisions: pa.Table) -> set[str]:
    columns = (decisions.column(name).to_pylist() for name in ("item", "round", "label"))
    return {
        item
        for item, name, label in zip(*columns, strict=True)
        if name == REVIEW and verdict_of(parsed(label)) == DISMISS
    }


def _authors(votes: pa.Table, items: pa.Table, round_: Round) -> pa.Table:
    """Return assignments of items to those who answered them before."""
    wanted = set(items.column("item").to_pylist())
    rows = votes.filter(pc.equal(votes.column("round"), round_.id)).to_pylist()
    found = sorted({(row["annotator"], row["item"]) for row in rows if row["item"] in wanted})
    return schemas.build(
        "assignments",
        [{"item": i, "annotator": a, "ordinal": n} for n, (a, i) in enumerate(found, start=1)],
    )


def _open(items: pa.Table, among: Iterable[str]) -> pa.Table:
    wanted = pa.array(sorted(among), pa.string())
    return items.filter(pc.is_in(items.column("item"), value_set=wanted))


def _more(votes: pa.Table, raws: Iterable[RawVote], task: Task) -> pa.Table:
    return pa.concat_tables([votes, as_votes(raws, task)])


def as_votes(raws: Iterable[RawVote], task: Task) -> pa.Table:
    """Return simulated votes as a table (VOTES), in their order."""
    rows = [_row(raw.value, task) for raw in raws]
    return schemas.build("votes", rows)


def _row(value: Mapping[str, Any], task: Task) -> dict[str, object]:
    row: dict[str, object] = {"attempt": 1, "task": task.id, **value}
    if row.get("label") is not None:
        row["label"] = canonical(row["label"])
    row["at"] = moment(row.get("at"))
    return row
