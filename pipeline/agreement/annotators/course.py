"""Tests of the course of each annotator's votes: where agreement falls, or scores move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from pipeline.agreement.annotators.effects import ENOUGH, POOL
from pipeline.agreement.votes.ratings import Real, Whole

Bools = npt.NDArray[np.bool_]
#: No change is looked for in the first and last of so many parts.
_ENDS: Final = 12


@dataclass(frozen=True)
class Course:
    """A number for each item of each annotator, in the order in which they answered.

    Parallel arrays (answers,), sorted by rater, then time: `rater`, `item`, `number`, and
    `variance`, how the number varies by chance.
    """

    rater: Whole
    item: Whole
    number: Real
    variance: Real


class Change(NamedTuple):
    """How one annotator's numbers changed: `p` one-sided, for a fall.

    `before` and `after` are the means on both sides of the `place` of the change, which is counted
    in answers; `items` are those after it, the lowest first.
    """

    rater: int
    p: float
    before: float
    after: float
    place: int
    answers: int
    items: Whole


def falls(course: Course, raters: int) -> Iterator[Change]:
    """Yield how far each annotator's numbers fall, at one place or steadily.

    The change point is where the cumulated differences to the annotator's mean are largest; its
    probability is that of the largest value of a Brownian bridge. A steady fall is tested by the
    slope. The smaller of both probabilities counts twice. In pools of `POOL` and more the slope of
    the median annotator is taken off first: the last items may be harder for everybody.

    Source: E. S. Page, Continuous Inspection Schemes, 1954; the bridge as in J. Durbin,
    Distribution Theory for Tests Based on the Sample Distribution Function, 1973.
    """
    ends = np.searchsorted(course.rater, np.arange(raters + 1))
    long = [r for r in range(raters) if ends[r + 1] - ends[r] >= ENOUGH]
    parts = {rater: slice(ends[rater], ends[rater + 1]) for rater in long}
    slopes = [_slope(course.number[part]) for part in parts.values()]
    common = float(np.median(slopes)) if len(slopes) >= POOL else 0.0
    for rater, part in parts.items():
        yield _fall(rater, course, part, common)


def _slope(number: Real) -> float:
    t = np.linspace(-0.5, 0.5, len(number))
    return float((t * (number - number.mean())).sum() / (t**2).sum())


def _fall(rater: int, course: Course, part: slice, common: float) -> Change:
    plain, variance = course.number[part], course.variance[part]
    n, whole = len(plain), float(variance.sum())
    t = np.linspace(-0.5, 0.5, n)
    number = plain - plain.mean() - t * common
    deviation = np.sqrt(max(whole, 1e-12))
    sums = np.cumsum(number - variance / max(whole, 1e-12) * number.sum())
    edge = max(n // _ENDS, 1)
    place = edge + int(sums[edge - 1 : n - edge].argmax())
    bridge = np.exp(-2 * (max(float(sums[place - 1]), 0.0) / deviation) ** 2)
    slope = ndtr((t * number).sum() / np.sqrt(max(float((t**2 * variance).sum()), 1e-12)))
    items = course.item[part][place:][np.argsort(plain[place:], kind="stable")]
    return Change(
        rater,
        float(min(1.0, 2 * min(bridge, slope))),
        float(plain[:place].mean()),
        float(plain[place:].mean()),
        place,
        n,
        items,
    )
