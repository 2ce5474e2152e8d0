"""Who answers: pools of simulated annotators, by default those that a task plans (profile.py)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from pipeline.annotation.simulated.profile import Habit, Plan, simulated
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core.errors import InputError

_GOLDEN: Final = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Annotator:
    """One simulated annotator.

    `accuracy` is the share of right answers on items of average difficulty, in [0, 1]. `bias` is
    added to scores; for labels it is the share of errors that go to one favourite. `drift` is the
    accuracy lost from the first to the last item; scores move to one side instead. `speed` divides
    the usual seconds.
    """

    id: str
    accuracy: float
    bias: float = 0.0
    drift: float = 0.0
    speed: float = 1.0
    habit: Habit = "good"


@dataclass(frozen=True)
class Pool:
    """The annotators of one task and round, by number."""

    task: str
    annotators: tuple[Annotator, ...]

    @cached_property
    def people(self) -> Mapping[str, Annotator]:
        """Return the annotators by id."""
        return {person.id: person for person in self.annotators}

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids, by number."""
        return tuple(person.id for person in self.annotators)

    def with_habits(self, *habits: Habit) -> Pool:
        """Return the pool with one more annotator for each habit, numbered on."""
        first = self.annotators[-1]
        start = int(first.id.rpartition("-")[2]) + 1
        more = [_habitual(name_of(start + i), habit) for i, habit in enumerate(habits)]
        return replace(self, annotators=(*self.annotators, *more))


#: The pool of a round that the task plans no other for.
_DEFAULT: Final = Plan(12, 0.88, 0.06)


def name_of(number: int) -> str:
    """Return the id of an annotator: sim-01."""
    return f"sim-{number:02d}"


def default_pool(spec: TaskSpec, round_: Round, *, items: int | None = None) -> Pool:
    """Return the pool of a round; the number of `items` scales those that are large in the paper.

    People keep their numbers from round to round, so that nobody inspects their own work unawares.
    """
    plan = simulated(spec.task).plans.get(round_.id, _DEFAULT)
    count = _scaled(plan, round_, items)
    good = count - len(plan.bad)
    people = [_good(plan, i) for i in range(good)]
    people += [_habitual(name_of(plan.first + good + i), habit) for i, habit in enumerate(plan.bad)]
    return Pool(spec.task, tuple(people))


def pool_of(task: str, *annotators: Annotator) -> Pool:
    """Return a pool of one's own.

    Raises InputError for ids that stand twice or do not begin with sim-.
    """
    ids = [person.id for person in annotators]
    wrong = next((name for name in ids if not name.startswith("sim-")), None)
    if wrong is not None:
        raise InputError(f"simulated annotator {wrong!r}: the id must begin with sim-")
    if not ids or len(set(ids)) < len(ids):
        raise InputError("a pool needs annotators, each with an id of its own")
    return Pool(task, tuple(annotators))


def _scaled(plan: Plan, round_: Round, items: int | None) -> int:
    """Return how many people give each the load of the plan, at least as many as items need."""
    if plan.load is None or items is None:
        return plan.count
    least = max(round_.per_item + 1, math.ceil(items * round_.per_item / plan.load))
    return min(plan.count, max(least, 4))


def _good(plan: Plan, place: int) -> Annotator:
    """Return a good annotator; skill, bias and speed are spread evenly, in mixed order."""
    skill, side, pace = (((place + 1) * step) % 1 for step in (_GOLDEN, _GOLDEN**2 * 3, 2**0.5))
    return Annotator(
        id=name_of(plan.first + place),
        accuracy=round(plan.accuracy + plan.spread * (2 * skill - 1), 4),
        bias=round(plan.bias * (2 * side - 1), 4),
        speed=round(0.7 + 0.8 * pace, 3),
    )


def _habitual(name: str, habit: Habit) -> Annotator:
    """Return a typical annotator of a habit."""
    if habit == "drifting":
        return Annotator(name, 0.9, drift=0.75, habit=habit)
    if habit == "fast":
        return Annotator(name, 0.9, speed=4.0, habit=habit)
    return Annotator(name, 0.9, habit=habit)
