"""One annotator's label or score for one item."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from pipeline.annotation.simulated.profile import Annotator, Chance, confusions
from pipeline.annotation.simulated.truths import Truth
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

#: Of the errors about an item, the share that goes to what the item is mostly taken for.
_SHARED_ERROR: Final = 0.7
#: How often somebody names a second topic (Section 3.1.1: 69.8 % of headlines have none from any of
#: three annotators).
_SECOND: Final = 0.11
#: What a whole point of accuracy is worth in points of the scale.
_NOISE: Final = 4.6
#: How far scores move, in points of the scale, for each whole point of accuracy lost by drift.
_SHIFT: Final = 10 / 3


@dataclass(frozen=True)
class Sitting:
    """One annotator at one item: `progress` goes from 0 to 1 along the queue."""

    who: Annotator
    truth: Truth
    fields: Fields
    item: Chance
    vote: Chance
    self: Chance
    progress: float

    @property
    def difficulty(self) -> float:
        """Return how hard the item is, from 0 to 1: a third on average, mostly easy."""
        known = self.truth.difficulty
        return self.item.at("difficulty") ** 2 if known is None else known

    def errs(self, purpose: str = "error") -> bool:
        """Tell whether the answer is wrong: on average 1 - accuracy, more on hard items.

        Who drifts is less and less accurate along the queue.
        """
        skill = max(0.05, self.who.accuracy - self.who.drift * self.progress)
        return self.vote.at(purpose) < min(0.9, (1 - skill) * (0.25 + 2.25 * self.difficulty))

    @property
    def skims(self) -> bool:
        """Tell whether a fast annotator does not read this item."""
        return self.who.habit == "fast" and self.vote.at("skim") < 0.6


def label(sitting: Sitting, right: str, spec: TaskSpec) -> str:
    """Return the label that an annotator chooses where another one is right."""
    ids, habit = spec.ids(), sitting.who.habit
    if habit == "random" or sitting.skims:
        return sitting.vote.pick("any", ids)
    if habit == "always_same":
        return sitting.self.pick("same", ids)
    if habit == "off_by_one" and sitting.vote.at("next") < 0.7:
        return _likeliest(sitting, right, spec)
    return _wrong_label(sitting, right, spec) if sitting.errs() else right


def _wrong_label(sitting: Sitting, right: str, spec: TaskSpec) -> str:
    among = confusions(spec, right, sitting.fields)
    favourite = sitting.self.pick("favourite", spec.ids())
    if favourite in dict(among) and sitting.vote.at("bias") < abs(sitting.who.bias):
        return favourite
    is_shared = sitting.vote.at("together") < _SHARED_ERROR
    return _likeliest(sitting, right, spec) if is_shared else sitting.vote.weigh("wrong", among)


def _likeliest(sitting: Sitting, right: str, spec: TaskSpec) -> str:
    """Return the one label that the item is mostly taken for; the same for all annotators."""
    return sitting.item.weigh("rival", confusions(spec, right, sitting.fields))


def topics(sitting: Sitting, spec: TaskSpec) -> list[str]:
    """Return ranked topics; the second is the other one that the item speaks of."""
    true = list(sitting.truth.answer)
    if len(true) > 1 and sitting.who.habit in ("good", "drifting") and sitting.errs():
        first = true[1]  # who errs about two topics mostly takes the second for the first
    else:
        first = label(sitting, true[0], spec)
    wish = _SECOND * (3 if len(true) > 1 else 0.6)
    if sitting.vote.at("second") >= wish:
        return [first]
    other = true[1] if len(true) > 1 else _likeliest(sitting, true[0], spec)
    second = true[0] if other == first else other
    return [first] if second == first else [first, second]


def choose(sitting: Sitting, right: str, offered: Collection[str], spec: TaskSpec) -> str:
    """Return one of the labels that were given before (Section 3.5.1)."""
    for choice in (label(sitting, right, spec), right):
        if choice in offered:
            return choice
    return sitting.vote.pick("given", sorted(offered))


def score(sitting: Sitting, spec: TaskSpec) -> int:
    """Return a whole score near the true one."""
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    habit = sitting.who.habit
    if habit == "random" or sitting.skims:
        return sitting.vote.pick("any", range(low, high + 1))
    if habit == "always_same":
        return sitting.self.pick("same", range(low + 1, high))
    gold = sitting.truth.answer
    if isinstance(gold, dict):  # gold of official files
        gold = gold.get("real-label", gold.get("label"))
    true = float(gold)
    if sitting.difficulty >= 1 and sitting.vote.at("reading") < 0.5:  # it has two readings
        true = low + high - true
    spread = _NOISE * (1 - sitting.who.accuracy) * (0.55 + 1.35 * sitting.difficulty)
    side = 1 if sitting.self.at("side") < 0.5 else -1
    shift = {"off_by_one": 1.0, "drifting": _SHIFT * sitting.who.drift * sitting.progress}
    seen = (
        true
        + sitting.who.bias
        + side * shift.get(habit, 0.0)
        + spread * sitting.vote.normal("noise")
    )
    return min(max(math.floor(seen + 0.5), low), high)
