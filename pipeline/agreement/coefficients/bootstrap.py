"""Resampling of units, and the percentile interval that it gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from pipeline.agreement.coefficients.estimate import Estimate, rounded
from pipeline.agreement.votes.patterns import Patterns, Real

#: Numbers in a block of resamples: 8 MiB of float64.
_BLOCK = 1 << 20
#: Drawing the number of units of a pattern costs about as much as drawing so many single units.
_COST = 10


def generator(seed: int, purpose: str) -> np.random.Generator:
    """Return a generator that depends on seed and purpose alone (a keyed digest)."""
    digest = blake2b(f"{seed}\x1f{purpose}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def resampled(units: Patterns, resamples: int, *, seed: int, purpose: str) -> Iterator[Real]:
    """Draw as many units as there are, with replacement, `resamples` times.

    Yields blocks of how often each pattern was drawn, (patterns, resamples of the block), float64,
    of bounded size. Where few patterns stand for many units, the numbers are drawn from the
    multinomial distribution at once; otherwise unit by unit. Both depend on the patterns alone, so
    the order of rows, blocks, threads and workers never changes them.
    """
    wide = max(len(units), units.categories, 1)
    height = max(1, min(resamples, _BLOCK // wide))
    chance = generator(seed, purpose)
    for begin in range(0, resamples, height):
        rows = min(height, resamples - begin)
        yield _block(units, rows, chance)


def _block(units: Patterns, rows: int, chance: np.random.Generator) -> Real:
    number = int(units.units.sum())
    if len(units) * _COST <= number:
        drawn = chance.multinomial(number, units.units / number, size=rows)
        return np.ascontiguousarray(drawn.T, np.float64)
    made = np.empty((rows, len(units)))
    pattern = np.repeat(np.arange(len(units)), units.units)
    for row in made:
        picks = chance.integers(0, number, number)
        row[:] = np.bincount(pattern[picks], minlength=len(units))
    return np.ascontiguousarray(made.T)


def with_interval(estimate: Estimate, samples: Real) -> Estimate:
    """Return the estimate with the 2.5th and 97.5th percentile of its resamples.

    Resamples that have no value (NaN) are left out, and counted in `reason`. Percentiles are
    interpolated linearly. Where nothing is left there is no interval.
    """
    kept = samples[np.isfinite(samples)]
    lost = len(samples) - len(kept)
    reason = f"{lost} of {len(samples)} resamples have no value and were left out" if lost else None
    if not len(kept):
        return replace(estimate, low=None, high=None, reason=reason)
    low, high = np.percentile(kept, [2.5, 97.5])
    return replace(estimate, low=rounded(low), high=rounded(high), reason=reason)
