"""The items of a round as annotators find them, who reports them, and when they are answered.

Rates of reports are shares of the items, by the task's part `simulated`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.simulated.pools import Annotator
from pipeline.annotation.simulated.profile import Chance, answering, simulated
from pipeline.annotation.simulated.truths import Truth, Truths
from pipeline.contracts.spec import AnswerKind, Round, TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.jsontext import parsed

#: How likely another annotator of a reported item reports it too.
_AGREES: Final = 0.5
#: The first morning: nine o'clock in Seoul. A round begins a year after the one before.
FIRST: Final = datetime(2021, 3, 2, 0, 0, tzinfo=UTC)
_YEAR: Final = timedelta(days=365)
_WAVE: Final = timedelta(days=60)
#: Seconds of work a day.
_DAY: Final = 4 * 3600
#: Seconds that an answer takes somebody of average speed.
_SECONDS: Final[dict[AnswerKind, float]] = {
    "topics": 7,
    "score": 12,
    "label": 15,
    "hypotheses": 160,
    "spans": 45,
    "morphemes": 150,
    "tree": 180,
    "reading": 260,
    "dialogue": 900,
    "verdict": 40,
}


@dataclass(frozen=True)
class WorkItem:
    """An item: `reporters` report it for `reason` instead of answering."""

    fields: Fields
    truth: Truth
    chance: Chance
    source: str | None
    reason: str | None
    reporters: frozenset[str]


class Worklist(dict[str, WorkItem]):
    """The items by id, each looked up once. Reports come in the first round alone."""

    def __init__(
        self,
        items: pa.Table,
        assignments: pa.Table,
        spec: TaskSpec,
        round_: Round,
        seed: int,
        truths: Truths,
    ) -> None:
        """Take the items, and who they are assigned to."""
        super().__init__()
        self._spec, self._round, self._seed, self._truths = spec, round_, seed, truths
        self._rows = {row["item"]: row for row in items.to_pylist()}
        self._assigned: dict[str, list[str]] = {}
        columns = (assignments.column(name).to_pylist() for name in ("item", "annotator"))
        for item, who in zip(*columns, strict=True):
            self._assigned.setdefault(item, []).append(who)

    def __missing__(self, name: str) -> WorkItem:
        """Look an item up."""
        row = self._rows[name]
        fields, chance = parsed(row["fields"]), Chance(self._seed, name)
        truth = self._truth(row, fields, chance)
        reason = None
        if self._round.id == self._spec.rounds[0].id:
            reason = report_reason(truth, row["sampler"], self._spec, chance)
        seen_by = self._assigned[name] if reason else []
        who = reporters(name, truth, seen_by, self._seed)
        self[name] = WorkItem(fields, truth, chance, row["source"], reason, frozenset(who))
        return self[name]

    def _truth(self, row: Mapping[str, Any], fields: Fields, chance: Chance) -> Truth:
        if self._round.answer == "hypotheses":
            return self._truths.hypotheses(fields)
        return self._truths.of_row(row, chance.at("which"))


def report_reason(truth: Truth, sampler: str | None, spec: TaskSpec, item: Chance) -> str | None:
    """Return why an item is reported, if it is: what its truth says, else by the task's rates."""
    if truth.report is not None:
        return truth.report
    part, known = simulated(spec.task), {report.id for report in spec.reports}
    left = item.at("report")
    for name, rate in part.rates.items():
        needed = part.samplers.get(name, "")
        if name not in known or needed not in (sampler or needed):
            continue
        left -= rate
        if left < 0:
            return name
    return None


def reporters(item: str, truth: Truth, assigned: Sequence[str], seed: int) -> set[str]:
    """Return who of those that see an item reports it: one, and more if there is a reason."""
    drawn = sorted((answering(seed, item, who).at("reports"), who) for who in assigned)
    agrees = _AGREES if truth.report is not None or truth.estimated else 0.0
    return {who for place, (number, who) in enumerate(drawn) if not place or number < agrees}


def seconds_of(kind: AnswerKind, who: Annotator, difficulty: float, vote: Chance) -> float:
    """Return what an answer takes: longer for hard items, shorter for the fast, never the same."""
    usual = _SECONDS[kind] * (0.75 + 0.75 * difficulty) / who.speed
    return round(max(0.5, usual * (0.6 + 0.8 * vote.at("seconds"))), 1)


def answered_at(spec: TaskSpec, round_: Round, spent: float, *, wave: int = 1) -> str:
    """Return when somebody is done who has worked for so many seconds in a round, in ISO 8601.

    What is answered again comes in a later wave. The calendar is made up, the same in every run.
    """
    names = [r.id for r in spec.rounds]
    place = names.index(round_.id) if round_.id in names else len(names)
    days, rest = divmod(spent, _DAY)
    start = FIRST + place * _YEAR + (wave - 1) * _WAVE
    at = start + timedelta(days=int(days), seconds=int(rest))
    return at.isoformat().replace("+00:00", "Z")


def decided_at(spec: TaskSpec, place: int) -> str:
    """Return when experts decide: after all rounds, one decision a minute."""
    return (FIRST + (len(spec.rounds) + 1) * _YEAR + timedelta(minutes=place)).isoformat()
