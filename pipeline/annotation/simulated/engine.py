"""Simulated votes for assigned items: who answers and who reports, what, and when.

Rates of reports are shares of the items, by the task's part `simulated`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated import labelling, writing
from pipeline.annotation.simulated.labelling import Sitting
from pipeline.annotation.simulated.profile import Annotator, Chance, Pool, profile_of
from pipeline.annotation.simulated.truths import Truth, Truths, load_truths
from pipeline.contracts.decisions import RESOLVE
from pipeline.contracts.spec import AnswerKind, Round, TaskSpec
from pipeline.contracts.task import Fields, Task, answer_forms
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed

#: How likely another annotator of a reported item reports it too.
_AGREES: Final = 0.5
#: The first morning: nine o'clock in Seoul. A round begins a year after the one before.
_FIRST: Final = datetime(2021, 3, 2, 0, 0, tzinfo=UTC)
_YEAR: Final = timedelta(days=365)
_WAVE: Final = timedelta(days=60)
#: Seconds of work a day.
_DAY: Final = 4 * 3600
#: Seconds that an answer takes somebody of average speed.
_SECONDS: Final[dict[AnswerKind, float]] = {
    "topics": 7,
    "score": 12,
    "label": 15,
    "labels": 15,
    "hypotheses": 160,
    "spans": 45,
    "morphemes": 150,
    "tree": 180,
    "reading": 260,
    "dialogue": 900,
    "verdict": 40,
}


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


@dataclass(frozen=True)
class _WorkItem:
    """An item: `reporters` report it for `reason` instead of answering."""

    fields: Fields
    truth: Truth
    chance: Chance
    source: str | None
    reason: str | None
    reporters: Collection[str]


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
    earlier = earlier or Earlier()
    _check(items, assignments, pool, round_, earlier)
    simulation = _Simulation(spec, round_, seed, earlier, truths or load_truths(task, spec=spec))
    ordered = sorted(schemas.rows(assignments, "annotator", "ordinal", "item"))
    queues = schemas.group((who, item) for who, _, item in ordered)
    assigned = schemas.group((item, who) for who, _, item in ordered)
    work = {
        row["item"]: simulation.work_item(row, assigned[row["item"]])
        for row in items.to_pylist()
        if row["item"] in assigned
    }
    votes = (v for name, queue in queues.items() for v in simulation.votes(pool[name], queue, work))
    for line, vote in enumerate(votes, start=1):
        yield RawVote("simulated", line, {**vote, "task": task.id, "spec": spec.name})


@dataclass(frozen=True)
class _Simulation:
    """A round as one annotator after the other goes through it."""

    spec: TaskSpec
    round_: Round
    seed: int
    earlier: Earlier
    truths: Truths

    def work_item(self, row: Mapping[str, Any], assigned: Sequence[str]) -> _WorkItem:
        """Return a row of items as annotators find it. Reports come in the first round alone."""
        fields, chance = parsed(row["fields"]), Chance(self.seed, row["item"])
        truth = (
            self.truths.hypotheses(fields)
            if self.round_.answer == "hypotheses"
            else self.truths.of_row(row, chance.at("which"))
        )
        reason, reporters = None, set[str]()
        if self.round_.id == self.spec.rounds[0].id:
            reason = _report_reason(truth, row["sampler"], self.spec, chance)
        if reason:
            reporters = self._reporters(row["item"], truth, assigned)
        return _WorkItem(fields, truth, chance, row["source"], reason, reporters)

    def _reporters(self, item: str, truth: Truth, assigned: Sequence[str]) -> set[str]:
        """Return who of those that see an item reports it: one, and more if there is a reason."""
        numbers = sorted((self._answer_chance(item, who).at("reports"), who) for who in assigned)
        agrees = _AGREES if truth.report is not None or truth.estimated else 0.0
        return {who for n, (number, who) in enumerate(numbers) if n == 0 or number < agrees}

    def _answer_chance(self, item: str, annotator: str) -> Chance:
        return Chance(self.seed, f"{item}\x1f{annotator}")

    def votes(
        self, who: Annotator, queue: list[str], work: Mapping[str, _WorkItem]
    ) -> Iterator[dict[str, Any]]:
        """Yield the votes of one annotator in the order of the queue."""
        shown, spent = self.earlier.shown, 0.0
        for place, item in enumerate(queue):
            if shown is not None and item not in shown:
                continue
            simulated_item, attempt = work[item], self.earlier.attempts.get(item, 1)
            late = item in self.earlier.cleared
            sitting = Sitting(
                who=who,
                truth=simulated_item.truth,
                fields=simulated_item.fields,
                item=simulated_item.chance,
                vote=self._answer_chance(f"{self.round_.id}.{attempt}\x1f{item}", who.id),
                self=Chance(self.seed, who.id),
                progress=1.0 if late else place / max(1, len(queue) - 1),
            )
            seconds = _seconds(self.round_.answer, sitting)
            spent += seconds
            reports = attempt == 1 and not late and who.id in simulated_item.reporters
            content = (
                {"report": simulated_item.reason}
                if reports
                else {"label": self._answer(sitting, (shown or {}).get(item), attempt)}
            )
            yield {
                "item": item,
                "annotator": who.id,
                "role": self.round_.role,
                "round": self.round_.id,
                "attempt": attempt,
                **content,
                "at": self._answer_time(spent, wave=attempt + late),
                "seconds": seconds,
                "source": simulated_item.source,
                "simulated": True,
            }

    def _answer(self, sitting: Sitting, shown: Any, attempt: int) -> Any:
        spec, round_ = self.spec, self.round_
        if round_.answer == "verdict":
            judged = spec.round(round_.after or "") or round_
            return writing.verdict(answer_forms(spec, round_), shown, sitting, spec, judged)
        if round_.answer == "topics":
            return labelling.topics(sitting, spec)
        if round_.answer == "score":
            return labelling.score(sitting, spec)
        if round_.answer != "label":
            return writing.write_answer(round_.answer, sitting, spec, attempt=attempt)
        if round_.id == RESOLVE:
            return labelling.choose(sitting, sitting.truth.answer, shown, spec)
        return labelling.label(sitting, sitting.truth.answer, spec)

    def _answer_time(self, spent: float, *, wave: int) -> str:
        """Return when somebody is done who has worked for so many seconds, in ISO 8601.

        What is answered again comes in a later wave. The calendar is invented, the same every time.
        """
        names = [round_.id for round_ in self.spec.rounds]
        place = names.index(self.round_.id) if self.round_.id in names else len(names)
        days, rest = divmod(spent, _DAY)
        start = _FIRST + place * _YEAR + (wave - 1) * _WAVE
        worked = timedelta(days=int(days), seconds=int(rest))
        return (start + worked).isoformat().replace("+00:00", "Z")


def _report_reason(truth: Truth, sampler: str | None, spec: TaskSpec, item: Chance) -> str | None:
    if truth.report is not None:
        return truth.report
    part, known = profile_of(spec.task), {report.id for report in spec.reports}
    left = item.at("report")
    for name, rate in part.rates.items():
        needed = part.samplers.get(name, "")
        if name in known and needed in (sampler or needed):
            left -= rate
            if left < 0:
                return name
    return None


def _seconds(kind: AnswerKind, sitting: Sitting) -> float:
    usual = _SECONDS[kind] * (0.75 + 0.75 * sitting.difficulty) / sitting.who.speed
    return round(max(0.5, usual * (0.6 + 0.8 * sitting.vote.at("seconds"))), 1)


def decision_time(spec: TaskSpec, place: int) -> str:
    """Return when experts decide: after all rounds, one decision a minute."""
    return (_FIRST + (len(spec.rounds) + 1) * _YEAR + timedelta(minutes=place)).isoformat()


def _check(
    items: pa.Table, assignments: pa.Table, pool: Pool, round_: Round, earlier: Earlier
) -> None:
    strangers = set(assignments.column("item").to_pylist()) - set(items.column("item").to_pylist())
    if strangers:
        raise InputError(f"item {min(strangers)!r} was assigned but is not among the items")
    people = set(assignments.column("annotator").to_pylist()) - set(pool)
    if people:
        names = list(pool)
        raise InputError(
            f"annotator {min(people)!r} is not in the pool of simulated annotators; assign to"
            f" {names[0]} to {names[-1]} (klue export --annotators simulated)"
        )
    if earlier.shown is None and (round_.answer == "verdict" or round_.id == RESOLVE):
        raise InputError(f"round {round_.id!r} is about earlier answers; give them as `shown`")
