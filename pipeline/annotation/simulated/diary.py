"""When simulated answers are given: a made-up calendar, the same in every run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from pipeline.annotation.simulated.chance import Chance
from pipeline.annotation.simulated.pools import Annotator
from pipeline.contracts.spec import AnswerKind, Round, TaskSpec

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


def seconds(kind: AnswerKind, who: Annotator, difficulty: float, vote: Chance) -> float:
    """Return what an answer takes: longer for hard items, shorter for the fast, never the same."""
    usual = _SECONDS[kind] * (0.75 + 0.75 * difficulty) / who.speed
    return round(max(0.5, usual * (0.6 + 0.8 * vote.at("seconds"))), 1)


def moment(spec: TaskSpec, round_: Round, spent: float, *, wave: int = 1) -> str:
    """Return when somebody is done who has worked for so many seconds in a round, in ISO 8601.

    What is answered again comes in a later wave.
    """
    place = next((i for i, one in enumerate(spec.rounds) if one.id == round_.id), len(spec.rounds))
    days, rest = divmod(spent, _DAY)
    start = FIRST + place * _YEAR + (wave - 1) * _WAVE
    at = start + timedelta(days=int(days), seconds=int(rest))
    return at.isoformat().replace("+00:00", "Z")


def decided(spec: TaskSpec, place: int) -> str:
    """Return when experts decide: after all rounds, one decision a minute."""
    return (FIRST + (len(spec.rounds) + 1) * _YEAR + timedelta(minutes=place)).isoformat()
