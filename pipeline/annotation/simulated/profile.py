"""What a task may say about its simulated annotators (part `simulated`), who they are, their draws.

A task without the part gets the defaults: a pool of twelve, no reports, confusions drawn evenly,
and estimates by the form of its answers (truths.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Final, Literal, TypeVar

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw

T = TypeVar("T")
#: Labels with weights.
Weighted = Sequence[tuple[str, float]]
#: good: errors where items are hard. random: anything at all. always_same: one answer to all.
#: off_by_one: the next score or a neighbouring label. drifting: worse and worse along the queue.
#: fast: mostly without reading.
Habit = Literal["good", "random", "always_same", "off_by_one", "drifting", "fast"]


@dataclass(frozen=True)
class Plan:
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


@dataclass(frozen=True)
class Simulated:
    """How the annotators of one task are simulated.

    `plans` are the pools by round. `rates` are the shares of items reported, by reason; a reason in
    `samplers` is given only for items of a sampler whose name contains that text. `confusions`
    takes the spec, a right label and the fields, and returns what the label is taken for. `key`
    returns what of the fields identifies an item (default: all the task's fields). `estimate` takes
    the fields, the known answers by key and the item's `meta`, and returns an answer in the form of
    gold. `write` returns the text that an author writes for each label, from the field written
    about.
    """

    plans: Mapping[str, Plan] = field(default_factory=dict)
    rates: Mapping[str, float] = field(default_factory=dict)
    samplers: Mapping[str, str] = field(default_factory=dict)
    confusions: Callable[[TaskSpec, str, Fields], Weighted] | None = None
    key: Callable[[Fields], list[Any]] | None = None
    estimate: Callable[[Fields, Mapping[str, Any], Fields], Any] | None = None
    write: Callable[[str], dict[str, str]] | None = None


_PARTS: Final = Parts[Simulated]("simulated", "SIMULATED")


def profile_of(task: str) -> Simulated:
    """Return how a task is simulated: its own part, or the defaults."""
    return _PARTS.get(task) or Simulated()


def confusions(spec: TaskSpec, label: str, fields: Fields) -> Weighted:
    """Return the labels that a right one is taken for, with weights; never itself.

    They are those of the task's part, or else all others, each as likely.
    """
    function = profile_of(spec.task).confusions
    weighted = function(spec, label, fields) if function else ()
    return weighted or [(name, 1.0) for name in spec.ids() if name != label]


@dataclass(frozen=True)
class Chance:
    """The draws about one item, annotator, or answer; the order of drawing changes none."""

    seed: int
    name: str

    def at(self, purpose: str) -> float:
        """Return a number in [0, 1)."""
        return draw(self.seed, f"sim.{purpose}", self.name)

    def normal(self, purpose: str) -> float:
        """Return a number of the standard normal distribution, within 6 of 0."""
        return NormalDist().inv_cdf(1e-9 + (1 - 2e-9) * self.at(purpose))

    def pick(self, purpose: str, among: Sequence[T]) -> T:
        """Return an element, each as likely."""
        return among[int(self.at(purpose) * len(among))]

    def weigh(self, purpose: str, among: Sequence[tuple[T, float]]) -> T:
        """Return an element, as likely as its weight."""
        left = self.at(purpose) * sum(weight for _, weight in among)
        for element, weight in among:
            left -= weight
            if left < 0:
                return element
        return among[-1][0]


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


#: Annotators by id, in the order of their numbers.
Pool = Mapping[str, Annotator]


def default_pool(spec: TaskSpec, round_: Round, *, items: int | None = None) -> Pool:
    """Return the pool of a round; the number of `items` scales those that are large in the paper.

    There are as many people as give each the load of the plan, at least as many as items need.
    People keep their numbers from round to round, so that nobody inspects their own work unawares.
    """
    plan = profile_of(spec.task).plans.get(round_.id, Plan(12, 0.88, 0.06))
    count = plan.count
    if plan.load is not None and items is not None:
        needed = math.ceil(items * round_.per_item / plan.load)
        count = min(count, max(round_.per_item + 1, needed, 4))
    good = count - len(plan.bad)
    people = [_good_annotator(plan, place) for place in range(good)]
    people += [bad_annotator(plan.first + n, habit) for n, habit in enumerate(plan.bad, good)]
    return {person.id: person for person in people}


def _good_annotator(plan: Plan, place: int) -> Annotator:
    """Return a good annotator; skill, bias and speed are spread evenly, in mixed order."""
    golden = (math.sqrt(5) - 1) / 2
    skill, side, pace = (((place + 1) * step) % 1 for step in (golden, golden**2 * 3, 2**0.5))
    return Annotator(
        id=f"sim-{plan.first + place:02d}",
        accuracy=round(plan.accuracy + plan.spread * (2 * skill - 1), 4),
        bias=round(plan.bias * (2 * side - 1), 4),
        speed=round(0.7 + 0.8 * pace, 3),
    )


def bad_annotator(number: int, habit: Habit) -> Annotator:
    """Return the typical annotator of a bad habit."""
    return Annotator(
        id=f"sim-{number:02d}",
        accuracy=0.9,
        drift=0.75 if habit == "drifting" else 0.0,
        speed=4.0 if habit == "fast" else 1.0,
        habit=habit,
    )


def bigram_dice(left: str, right: str) -> float:
    """Return the Dice coefficient of the letter pairs of two texts, blanks left out."""
    ours, pairs_right = letter_pairs(left), letter_pairs(right)
    total = len(ours) + len(pairs_right)
    return 2 * len(ours & pairs_right) / total if total else float(left == right)


@lru_cache(maxsize=8192)
def letter_pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters and digits of a text."""
    letters = "".join(ch for ch in text if ch.isalnum())
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))
