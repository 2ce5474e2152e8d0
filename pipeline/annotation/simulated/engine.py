"""Simulated votes for assigned items."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated import labelling, writing
from pipeline.annotation.simulated.labelling import Sitting
from pipeline.annotation.simulated.pools import Annotator, Pool
from pipeline.annotation.simulated.profile import Chance, answering
from pipeline.annotation.simulated.truths import Truths, load_truths
from pipeline.annotation.simulated.worklist import Worklist, answered_at, seconds_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Task, answered
from pipeline.core.errors import InputError

#: The file that simulated votes say they come from.
FILE: Final = "simulated"
_RESOLVE: Final = "resolve"


@dataclass(frozen=True)
class Earlier:
    """What a round sees of those before it, by item.

    `shown` holds the answer that a verdict is about, or the labels given so far (round `resolve`);
    an item without it is passed over. `attempts` numbers answers that are given again. Items that
    are `cleared` are those whose reports were dismissed: others answer them now, at the end of
    their queues and later, and nobody reports them again.
    """

    shown: Mapping[str, Any] | None = None
    attempts: Mapping[str, int] = field(default_factory=dict)
    cleared: Collection[str] = frozenset()


def simulate(
    items: pa.Table,
    assignments: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    round_: Round,
    pool: Pool,
    seed: int,
    truths: Truths | None = None,
    earlier: Earlier | None = None,
) -> Iterator[RawVote]:
    """Yield one vote for every assignment, by annotator and place in the queue; all simulated.

    A report comes without a label. `truths` are those of the sample if not given; the items' own
    gold takes the place of an estimate. Every draw depends on the seed, the round, the item and the
    annotator alone, so that neither order nor company changes an answer; only the moment (and the
    state of a drifting annotator) depends on the queue.

    Raises InputError for an assignment to an unknown item or annotator, and for a round about
    earlier answers that are not given.
    """
    before = earlier or Earlier()
    _check(items, assignments, pool, round_, before)
    worklist = Worklist(
        items, assignments, spec, round_, seed, truths or load_truths(task, spec=spec)
    )
    turn = _Turn(worklist, spec, round_, seed, before)
    line = 0
    for name, queue in _queues(assignments).items():
        for value in turn.answers(pool.people[name], queue):
            line += 1
            yield RawVote(FILE, line, {**value, "task": task.id, "spec": spec.name})


@dataclass(frozen=True)
class _Turn:
    """A round as one annotator after the other goes through it."""

    worklist: Worklist
    spec: TaskSpec
    round_: Round
    seed: int
    earlier: Earlier

    def answers(self, who: Annotator, queue: list[str]) -> Iterator[dict[str, Any]]:
        """Yield the votes of one annotator in the order of the queue."""
        shown, spent = self.earlier.shown, 0.0
        for place, item in enumerate(queue):
            if shown is not None and item not in shown:
                continue
            kind, attempt = self.round_.answer, self.earlier.attempts.get(item, 1)
            late = item in self.earlier.cleared
            progress = 1.0 if late else place / max(1, len(queue) - 1)
            sitting = self._sitting(who, item, progress, attempt)
            seconds = seconds_of(kind, who, sitting.difficulty, sitting.vote)
            spent += seconds
            yield {
                "item": item,
                "annotator": who.id,
                "role": self.round_.role,
                "round": self.round_.id,
                "attempt": attempt,
                **self._content(item, sitting, attempt),
                "at": answered_at(self.spec, self.round_, spent, wave=attempt + late),
                "seconds": seconds,
                "source": self.worklist[item].source,
                "simulated": True,
            }

    def _sitting(self, who: Annotator, item: str, progress: float, attempt: int) -> Sitting:
        work = self.worklist[item]
        name = f"{self.round_.id}.{attempt}\x1f{item}"
        return Sitting(
            who=who,
            truth=work.truth,
            fields=work.fields,
            item=work.chance,
            vote=answering(self.seed, name, who.id),
            self=Chance(self.seed, who.id),
            progress=progress,
        )

    def _content(self, item: str, sitting: Sitting, attempt: int) -> dict[str, Any]:
        work = self.worklist[item]
        may_report = attempt == 1 and item not in self.earlier.cleared
        if may_report and sitting.who.id in work.reporters:
            return {"report": work.reason}
        shown = (self.earlier.shown or {}).get(item)
        return {"label": _answer(sitting, self.spec, self.round_, shown, attempt)}


def _answer(sitting: Sitting, spec: TaskSpec, round_: Round, shown: Any, attempt: int) -> Any:
    """Return an answer of the form that a round asks for."""
    if round_.answer == "verdict":
        judged = spec.round(round_.after or "") or round_
        return writing.verdict(answered(spec, round_), shown, sitting, spec, judged)
    if round_.answer == "topics":
        return labelling.topics(sitting, spec)
    if round_.answer == "score":
        return labelling.score(sitting, spec)
    if round_.answer != "label":
        return writing.written_answer(round_.answer, sitting, spec, attempt=attempt)
    if round_.id == _RESOLVE:
        return labelling.chosen(sitting, sitting.truth.answer, shown, spec)
    return labelling.label(sitting, sitting.truth.answer, spec)


def _queues(assignments: pa.Table) -> dict[str, list[str]]:
    """Return the items of every annotator in the order in which they see them."""
    columns = (assignments.column(n).to_pylist() for n in ("annotator", "ordinal", "item"))
    queues: dict[str, list[str]] = {}
    for who, _, item in sorted(zip(*columns, strict=True)):
        queues.setdefault(who, []).append(item)
    return queues


def _check(
    items: pa.Table, assignments: pa.Table, pool: Pool, round_: Round, earlier: Earlier
) -> None:
    known = set(items.column("item").to_pylist())
    strangers = set(assignments.column("item").to_pylist()) - known
    if strangers:
        raise InputError(f"item {min(strangers)!r} was assigned but is not among the items")
    people = set(assignments.column("annotator").to_pylist()) - set(pool.ids)
    if people:
        raise InputError(
            f"annotator {min(people)!r} is not in the pool of simulated annotators; assign to"
            f" {pool.ids[0]} to {pool.ids[-1]} (klue export --annotators simulated)"
        )
    if earlier.shown is None and (round_.answer == "verdict" or round_.id == _RESOLVE):
        raise InputError(f"round {round_.id!r} is about earlier answers; give them as `shown`")
