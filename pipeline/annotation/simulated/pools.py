"""Who answers: pools of simulated annotators, in the numbers of the paper.

    task  round       people   paper
    tc    main            13   13 passed the pilot (Section 3.1.1)
    sts   main            19   19, of whom 2 were excluded (3.2.1)
    nli   write           11   11 authors (3.3.1)
    nli   validate        40   546 validators
    ner   tag             51   51 workers, then 2 linguists (3.4.1)
    re    main           163   163, scaled to the items (3.5.1)
    dp    pos, arcs        9   cross-review in a small team (3.6.1)
    mrc   write           60   60 of 80 workers (3.7.1)
    dst   dialogue        15   15 workers (3.8.1)

Accuracies are tuned so that agreement reaches the paper's: TC alpha .71, STS .85, RE .70.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core.errors import InputError

#: good: errors where items are hard. random: anything at all. always_same: one answer to all.
#: off_by_one: the next score or a neighbouring label. drifting: worse and worse along the queue.
#: fast: mostly without reading.
Habit = Literal["good", "random", "always_same", "off_by_one", "drifting", "fast"]
HABITS: Final[tuple[Habit, ...]] = (
    "good",
    "random",
    "always_same",
    "off_by_one",
    "drifting",
    "fast",
)
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
        return {one.id: one for one in self.annotators}

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids, by number."""
        return tuple(one.id for one in self.annotators)

    def with_habits(self, *habits: Habit) -> Pool:
        """Return the pool with one more annotator for each habit, numbered on."""
        first = self.annotators[-1]
        start = int(first.id.rpartition("-")[2]) + 1
        more = [_habitual(name_of(start + i), habit) for i, habit in enumerate(habits)]
        return replace(self, annotators=(*self.annotators, *more))


@dataclass(frozen=True)
class _Plan:
    """How many people a round has, from which number on, how good and how different they are.

    With `load` there are no more than give each so many answers. `bad` come at the end.
    """

    count: int
    accuracy: float
    spread: float
    first: int = 1
    load: int | None = None
    bias: float = 0.0
    bad: tuple[Habit, ...] = ()


_PLANS: Final[Mapping[tuple[str, str], _Plan]] = {
    ("tc", "main"): _Plan(13, 0.84, 0.06, bias=0.1),
    ("sts", "main"): _Plan(19, 0.873, 0.02, bias=0.15, bad=("random", "always_same")),
    ("nli", "write"): _Plan(11, 0.97, 0.02),
    ("nli", "validate"): _Plan(40, 0.92, 0.05, first=12, load=10),
    ("ner", "tag"): _Plan(51, 0.8, 0.1, load=10),
    ("ner", "inspect"): _Plan(2, 0.95, 0.02, first=52),
    ("re", "main"): _Plan(163, 0.852, 0.06, load=40, bias=0.05),
    ("re", "resolve"): _Plan(163, 0.9, 0.05),
    ("dp", "pos"): _Plan(9, 0.88, 0.06),
    ("dp", "pos_review"): _Plan(9, 0.95, 0.03),
    ("dp", "arcs"): _Plan(9, 0.85, 0.06),
    ("dp", "arcs_review"): _Plan(9, 0.95, 0.03),
    ("mrc", "write"): _Plan(60, 0.78, 0.1, load=5),
    ("mrc", "inspect"): _Plan(6, 0.95, 0.03, first=61),
    ("dst", "dialogue"): _Plan(15, 0.8, 0.1, load=5),
    ("dst", "inspect"): _Plan(4, 0.95, 0.03, first=16),
}
#: What a round of a spec that is none of the above gets.
_ANY: Final = _Plan(12, 0.88, 0.06)


def name_of(number: int) -> str:
    """Return the id of an annotator: sim-01."""
    return f"sim-{number:02d}"


def default_pool(spec: TaskSpec, round_: Round, *, items: int | None = None) -> Pool:
    """Return the pool of a round; the number of `items` scales those that are large in the paper.

    People keep their numbers from round to round, so that nobody inspects their own work unawares.
    """
    plan = _PLANS.get((spec.task, round_.id), _ANY)
    count = _scaled(plan, round_, items)
    good = count - len(plan.bad)
    people = [_good(plan, i) for i in range(good)]
    people += [_habitual(name_of(plan.first + good + i), habit) for i, habit in enumerate(plan.bad)]
    return Pool(spec.task, tuple(people))


def pool_of(task: str, *annotators: Annotator) -> Pool:
    """Return a pool of one's own.

    Raises InputError for ids that stand twice or do not begin with sim-.
    """
    ids = [one.id for one in annotators]
    wrong = next((name for name in ids if not name.startswith("sim-")), None)
    if wrong is not None:
        raise InputError(f"simulated annotator {wrong!r}: the id must begin with sim-")
    if not ids or len(set(ids)) < len(ids):
        raise InputError("a pool needs annotators, each with an id of its own")
    return Pool(task, tuple(annotators))


def _scaled(plan: _Plan, round_: Round, items: int | None) -> int:
    """Return how many people give each the load of the plan, at least as many as items need."""
    if plan.load is None or items is None:
        return plan.count
    least = max(round_.per_item + 1, math.ceil(items * round_.per_item / plan.load))
    return min(plan.count, max(least, 4))


def _good(plan: _Plan, place: int) -> Annotator:
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
