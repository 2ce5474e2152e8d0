"""The ladder: a new best is shown only when its gain is more than chance explains.

Whoever may submit often and reads each score learns the labels from the scores. The ladder shows a
score only if its paired gain over the best that was shown exceeds so many standard errors that
chance reaches it with the probability LEVEL / k in the k-th submission of a submitter to a task: in
1,000 submissions without any true gain fewer than one is shown. True gains can be sent in
small steps, each of which lets something be read; so only a few are shown (most_improvements).

Source: A. Blum and M. Hardt, The Ladder: A Reliable Leaderboard for Machine Learning Competitions,
ICML 2015. Theirs takes one standard error; docs/results/leaderboard.md says why that is not enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from pipeline.scoring.measure import Floats, Measure, value
from pipeline.scoring.ranking.errors import difference_errors, multiplier
from pipeline.scoring.resampling import Plan, samples

#: The chance that the first comparison of a submitter shows a gain that is none.
LEVEL: Final = 0.05
#: So many improvements of a submitter are shown for a task, over all size classes; and where there
#: are fewer examples than so many, since a step over them lets more be read.
MOST_IMPROVEMENTS: Final = 5
FEW_EXAMPLES: Final = 1_000
MOST_OVER_FEW: Final = 2


@dataclass(frozen=True)
class Gain:
    """How far a submission is ahead of the best shown so far, in points; NaN where not defined.

    `error` is the standard error of the paired difference, `needed` the difference that is shown.
    """

    difference: float
    error: float
    needed: float
    is_shown: bool


@dataclass(frozen=True)
class System:
    """One metric of a system: its score, None where it is not defined, and its sample of draws."""

    score: float | None
    draws: Floats


def improves(
    new: Measure,
    best: Measure,
    n: int,
    *,
    plan: Plan,
    submissions_before: int,
    improvements_before: int = 0,
) -> Gain:
    """Compare a submission with the best of its ladder by their metric over n examples.

    `submissions_before` counts the scored submissions of this submitter to this task in all size
    classes, shown or not, withdrawn ones too; `improvements_before` counts those of them that were
    shown as a new best (not the first of a ladder).
    """
    drawn = samples({"new": {"": new}, "best": {"": best}}, n, plan)
    systems = [
        System(value(measure, n), drawn[name][""])
        for name, measure in (("new", new), ("best", best))
    ]
    return gain(
        systems[0],
        systems[1],
        n,
        submissions_before=submissions_before,
        improvements_before=improvements_before,
    )


def gain(
    new: System, best: System, n: int, *, submissions_before: int, improvements_before: int = 0
) -> Gain:
    """Compare two systems by their scores and by their samples over the same draws.

    A score where the best has none is shown; one that is not defined is not.
    """
    ours, theirs = (math.nan if of.score is None else of.score for of in (new, best))
    difference = ours - theirs
    if not math.isfinite(difference):
        has_room = improvements_before < most_improvements(n)
        return Gain(math.nan, math.nan, math.nan, has_room and math.isfinite(ours))
    error = float(difference_errors([difference], (new.draws - best.draws)[:, None], n)[0])
    return decide(
        difference,
        error,
        n,
        submissions_before=submissions_before,
        improvements_before=improvements_before,
    )


def decide(
    difference: float, error: float, n: int, *, submissions_before: int, improvements_before: int
) -> Gain:
    """Return whether a difference with this standard error is shown."""
    needed = error * multiplier(level(submissions_before), n)
    has_room = improvements_before < most_improvements(n)
    return Gain(difference, error, needed, has_room and difference > needed)


def most_improvements(n: int) -> int:
    """Return how many improvements a submitter is shown for a task of n examples."""
    return MOST_OVER_FEW if n < FEW_EXAMPLES else MOST_IMPROVEMENTS


def level(submissions_before: int) -> float:
    """Return the probability with which chance alone may show the next submission."""
    return LEVEL / max(1, submissions_before)
