"""What a task may say about its simulated annotators (part `simulated`), and the keyed draws.

A task without the part gets the defaults: a pool of twelve, no reports, confusions drawn evenly,
and estimates by the form of its answers (truths.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Final, Literal, TypeVar

from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw

T = TypeVar("T")
#: Labels with weights.
Weighted = Sequence[tuple[str, float]]
#: good: errors where items are hard. random: anything at all. always_same: one answer to all.
#: off_by_one: the next score or a neighbouring label. drifting: worse and worse along the queue.
#: fast: mostly without reading.
Habit = Literal["good", "random", "always_same", "off_by_one", "drifting", "fast"]

_NORMAL: Final = NormalDist()
_EDGE: Final = 1e-9


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


def simulated(task: str) -> Simulated:
    """Return how a task is simulated: its own part, or the defaults."""
    part: Simulated = _PARTS.get(task, Simulated())
    return part


def confusions(spec: TaskSpec, label: str, fields: Fields) -> Weighted:
    """Return the labels that a right one is taken for, with weights; never itself.

    They are those of the task's part, or else all others, each as likely.
    """
    function = simulated(spec.task).confusions
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
        return _NORMAL.inv_cdf(_EDGE + (1 - 2 * _EDGE) * self.at(purpose))

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


def answering(seed: int, item: str, annotator: str) -> Chance:
    """Return the draws about one annotator's answer to one item."""
    return Chance(seed, f"{item}\x1f{annotator}")


def bigram_dice(left: str, right: str) -> float:
    """Return the Dice coefficient of the letter pairs of two texts, blanks left out."""
    ours, theirs = letter_pairs(left), letter_pairs(right)
    total = len(ours) + len(theirs)
    return 2 * len(ours & theirs) / total if total else float(left == right)


@lru_cache(maxsize=8192)
def letter_pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters and digits of a text."""
    letters = "".join(ch for ch in text if ch.isalnum())
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))
