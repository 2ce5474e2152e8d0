"""All rounds of a task in a row: assigned, answered, sent back and answered again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.annotation.assignment import assign, barred_by
from pipeline.annotation.following import pairs, rejected, standing
from pipeline.annotation.raw import RawVote
from pipeline.annotation.simulated.engine import Earlier, simulate
from pipeline.annotation.simulated.pools import Pool, default_pool
from pipeline.annotation.simulated.truth import Truths, load_truths
from pipeline.annotation.vote import moment
from pipeline.core import schemas
from pipeline.core.jsontext import canonical
from pipeline.tasks.base import Task
from pipeline.tasks.spec import Round, TaskSpec

#: Rounds that wait for what aggregation makes of the others.
_LATER: Final = ("resolve",)


@dataclass(frozen=True)
class Campaign:
    """The votes of all rounds, and the items that they are about (NLI: the pairs written)."""

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
    crew = _Crew(task, spec, seed, truths or load_truths(task), pools or {})
    votes = schemas.empty("votes")
    for round_ in spec.rounds:
        if round_.id in _LATER:
            continue
        if round_.answer == "verdict":
            votes = _inspected(crew, items, votes, round_)
            continue
        before = spec.round(round_.after) if round_.after else None
        ready = _open(items, standing(votes, spec, before)) if before else items
        votes = _more(votes, crew.answers(ready, votes, round_), task)
        if round_.answer == "hypotheses":
            judging = next(one for one in spec.rounds if round_.id in one.not_by)
            items, authors = pairs(items, votes, judging)
            votes = _more(votes, authors, task)
    return Campaign(items, votes)


@dataclass(frozen=True)
class _Crew:
    task: Task
    spec: TaskSpec
    seed: int
    truths: Truths
    pools: Mapping[str, Pool]
    made: dict[str, Pool] = field(default_factory=dict)

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
        pool = self.pools.get(round_.id) or default_pool(self.spec, round_, items=items.num_rows)
        pool = self.made.setdefault(round_.id, pool)  # who answers again is in it
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
        shown = standing(votes, crew.spec, judged)
        left = _open(left, shown)
        if not left.num_rows:
            break
        verdicts = crew.answers(left, votes, round_, earlier=Earlier(shown, attempts))
        votes = _more(votes, verdicts, crew.task)
        attempts = rejected(votes, crew.spec, judged)
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
