"""The bootstrap over examples: intervals of scores, and paired comparison of systems.

A draw takes as many examples as there are, with replacement; its weights say how often each was
taken. All metrics of all systems see the same draws, so that what is common to two systems (easy
and hard examples) cancels in their difference.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13 and 15; for
the comparison of systems P. Koehn, Statistical Significance Tests for Machine Translation
Evaluation, EMNLP 2004.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np

from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.scoring.measure import Floats, Measure

#: Numbers in a block of draws: 8 MiB.
_BLOCK: Final = 1 << 20
MOST_DRAWS: Final = 1_000_000
#: The step of drawing, for whoever watches.
DRAWS: Final = "draws"
Interval = tuple[float, float]
#: Numbers of a draw, by system and metric.
Samples = dict[str, dict[str, Floats]]


@dataclass(frozen=True)
class Plan:
    """How often is drawn, the share of draws an interval holds, and the key of the draws."""

    draws: int = 1_000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.draws <= MOST_DRAWS:
            raise InputError(f"--draws {self.draws} is out of range; allowed: 1 to {MOST_DRAWS:,}")
        if not 0 < self.confidence < 1:
            raise InputError(
                f"--confidence {self.confidence} is out of range; allowed: between 0 and 1, such"
                " as 0.95"
            )


@dataclass(frozen=True)
class Comparison:
    """How far the first system is ahead of the second; None where a metric is not defined."""

    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def keyed_generator(seed: int, purpose: str) -> np.random.Generator:
    """Return a generator whose numbers depend on a seed and a purpose alone."""
    digest = blake2b(f"{seed}\x1f{purpose}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def weights(n: int, plan: Plan, *, block: int = _BLOCK) -> Iterator[Floats]:
    """Yield the draws in blocks of weights (draws of the block x n), in all `plan.draws` rows.

    A row is a draw from the multinomial distribution: n examples, each as likely as another. The
    rows depend on n, the number of the draw and the seed; not on the size of blocks.
    """
    chance = keyed_generator(plan.seed, "scoring.bootstrap")
    height = max(1, block // n)
    with steps.running(DRAWS, plan.draws):
        for begin in range(0, plan.draws, height):
            many = min(height, plan.draws - begin)
            draws = [np.bincount(chance.integers(0, n, n), minlength=n) for _ in range(many)]
            yield np.stack(draws).astype(np.float64)
            steps.advance(DRAWS, many, plan.draws)


def samples(systems: Mapping[str, Mapping[str, Measure]], n: int, plan: Plan) -> Samples:
    """Return every metric of every system over the same draws, one number a draw."""
    found: dict[str, dict[str, list[Floats]]] = {
        system: {name: [] for name in measures} for system, measures in systems.items()
    }
    for drawn in weights(n, plan):
        for system, measures in systems.items():
            for name, measure in measures.items():
                found[system][name].append(measure(drawn))
    return {
        system: {name: np.concatenate(parts) for name, parts in of.items()}
        for system, of in found.items()
    }


def interval(drawn: Floats, confidence: float) -> Interval | None:
    """Return the percentile interval of a sample, None where no draw has a value.

    Draws in which the metric is not defined (NaN) are left out.
    """
    kept = drawn[np.isfinite(drawn)]
    if not len(kept):
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(kept, [tail, 1 - tail])
    return float(low), float(high)


def compare(
    first: float | None, second: float | None, left: Floats, right: Floats, confidence: float
) -> Comparison:
    """Compare two systems by their scores and by their samples over the same draws.

    p is two-sided: the share of draws whose difference is 0 or less, or that of those where it is
    0 or more, whichever is smaller, twice, and at most 1; the data as they are count as one draw
    more on that side (A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application,
    1997, Section 4.2), so that p is never 0. Equal systems have p = 1.
    """
    if first is None or second is None:
        return Comparison(None)
    between = left - right
    between = between[np.isfinite(between)]
    ends = interval(between, confidence)
    if ends is None:
        return Comparison(first - second)
    other = min(int((between <= 0).sum()), int((between >= 0).sum()))
    p = min(1.0, 2 * (other + 1) / (len(between) + 1))
    return Comparison(first - second, *ends, p)
