"""Tests of scores: agreement, a shift of the scale, a compressed or reversed one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pipeline.agreement.annotators.finding import EVIDENCE, Code, Finding
from pipeline.agreement.annotators.label_tests import LOW_SHARE, SURE
from pipeline.agreement.annotators.norms import norm_of, number_below
from pipeline.agreement.votes.ratings import Ratings, Real, Whole, quotient

#: Standard deviations between people, before their votes are seen: of correlations on Fisher's
#: scale, of shifts in steps of the scale, of slopes as a share of the usual slope.
_PRIOR_FISHER, _PRIOR_SHIFT, _PRIOR_SLOPE = 0.15, 0.15, 0.08
_SHIFT, _COMPRESSED = 0.5, 0.7
#: A scale is compressed where it follows the others this far, and its noise is no larger than so.
_FOLLOWS, _NOISE = 0.6, 1.1

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ScoreTests:
    """The tests of scores in one pool.

    Parallel arrays (votes,), one entry a vote on an item that reference annotators scored too:
    `rater`, `item`, `place` in the ratings, `own` score and `rest`, the mean of these others once
    everybody's severity is taken out. `severity` (raters,) is in points; `step` is a step of the
    scale. `tested` raters are judged, `reference` ones are usual.
    """

    rater: Whole
    item: Whole
    place: Whole
    own: Real
    rest: Real
    severity: Real
    step: float
    tested: Bools
    reference: Bools

    def findings(self) -> Iterator[Finding]:
        """Yield what each test says of each annotator tested."""
        yield from self.agreement()
        yield from self.shift()
        yield from self.compressed()

    @cached_property
    def n(self) -> Real:
        """Return the number of votes of each annotator."""
        return self._total(np.ones(len(self.rater)))

    @cached_property
    def lines(self) -> tuple[Real, Real, Real, Real]:
        """Return each annotator's correlation with the others, slope, its error, and noise."""
        n = np.maximum(self.n, 1)
        own = self.own - (self._total(self.own) / n)[self.rater]
        rest = self.rest - (self._total(self.rest) / n)[self.rater]
        ours, theirs, both = (self._total(part) for part in (own**2, rest**2, own * rest))
        r = np.nan_to_num(quotient(both, np.sqrt(ours * theirs)))
        slope = quotient(both, theirs)
        noise = np.sqrt(np.maximum(ours - np.nan_to_num(slope * both), 0) / np.maximum(n - 2, 1))
        return np.clip(r, -1, 1), slope, noise / np.sqrt(np.maximum(theirs, 1e-12)), noise

    @property
    def usual(self) -> float:
        """Return the correlation of the median annotator."""
        known = self.lines[0][self.reference & self.tested]
        return float(np.median(known)) if len(known) else float("nan")

    @property
    def heedless(self) -> Bools:
        """Return whose scores follow the others' so little that their scale means nothing."""
        r = self.lines[0]
        error = np.maximum(1 - r**2, 0.05) / np.sqrt(np.maximum(self.n - 3, 1))
        return np.asarray((r < LOW_SHARE * self.usual) & (r - SURE * error <= 0))

    def agreement(self) -> Iterator[Finding]:
        """Test whether scores go with those of the others as far as the median annotator's."""
        r, usual = self.lines[0], self.usual
        if not usual > 0:
            return
        fisher, sampling = np.arctanh(np.clip(r, -0.999, 0.999)), 1 / np.maximum(self.n - 3, 1)
        known = self.reference & self.tested
        norm = norm_of(fisher[known], sampling[known], prior=_PRIOR_FISHER)
        p = number_below(fisher, norm, sampling)
        error = np.maximum(1 - r**2, 0.05) * np.sqrt(sampling)
        for rater in np.flatnonzero(self.tested).tolist():
            value = float(r[rater])
            code, start = _name_of(value, float(error[rater]))
            yield Finding(
                rater,
                code,
                float(p[rater]),
                value,
                value - usual,
                value < LOW_SHARE * usual,
                f"{start}: correlation {value:.2f} with the others; the median annotator has"
                f" {usual:.2f}.",
                self._items(rater, float(p[rater]), np.abs(self._away)),
            )

    def shift(self) -> Iterator[Finding]:
        """Test whether scores lie half a step or more above or below, whatever the items."""
        known = self.reference & self.tested & ~self.heedless & ~np.isnan(self.severity)
        noise = self._total(self._away**2) / np.maximum(self.n, 1)
        sampling = noise / np.maximum(self.n, 1)
        norm = norm_of(self.severity[known], sampling[known], prior=_PRIOR_SHIFT * self.step)
        away = self.severity - norm.middle
        p = 2 * number_below(norm.middle - np.abs(away), norm, sampling)
        rows = self.tested & ~self.heedless & ~np.isnan(self.severity)
        for rater in np.flatnonzero(rows).tolist():
            points = float(away[rater])
            yield Finding(
                rater,
                "biased",
                float(p[rater]),
                float(self.severity[rater]),
                points,
                abs(points) >= _SHIFT * self.step,
                f"Scores {abs(points):.2f} {'above' if points > 0 else 'below'} the median"
                " annotator once the items are accounted for.",
                self._items(rater, float(p[rater]), self._away * np.sign(points)),
            )

    def compressed(self) -> Iterator[Finding]:
        """Test whether scores follow those of the others in smaller steps than usual."""
        r, slope, error, noise = self.lines
        known = self.reference & self.tested & np.isfinite(slope)
        usual, quiet = (
            float(np.median(part[known])) if known.any() else 0.0 for part in (slope, noise)
        )
        if not usual > 0:
            return
        ratio, sampling = slope / usual, (error / usual) ** 2
        norm = norm_of(ratio[known], sampling[known], prior=_PRIOR_SLOPE)
        p = number_below(ratio, norm, sampling)
        follows = (r >= _FOLLOWS * self.usual) & (noise <= _NOISE * quiet)
        for rater in np.flatnonzero(self.tested & np.isfinite(slope)).tolist():
            value = float(ratio[rater])
            yield Finding(
                rater,
                "compressed",
                float(p[rater]),
                value,
                value - 1,
                bool(follows[rater]) and value <= _COMPRESSED,
                f"Uses a narrow part of the scale: scores rise {slope[rater]:.2f} for each point of"
                f" the others; the median annotator's rise {usual:.2f}.",
                self._items(rater, float(p[rater]), np.abs(self._away)),
            )

    @cached_property
    def _away(self) -> Real:
        return np.asarray(self.own - self.rest)

    def _total(self, numbers: Real) -> Real:
        return np.bincount(self.rater, numbers, len(self.tested)).astype(np.float64)

    def _items(self, rater: int, p: float, weight: Real) -> tuple[int, ...]:
        if p > 0.05:
            return ()
        rows = np.flatnonzero(self.rater == rater)
        order = rows[np.lexsort((self.item[rows], -weight[rows]))]
        return tuple(self.item[order][:EVIDENCE].tolist())


def score_tests(
    ratings: Ratings, severity: Real, step: float, *, tested: Bools, reference: Bools
) -> ScoreTests:
    """Put every named score beside those of the reference annotators on the same item."""
    counted = np.append(reference, True)[ratings.rater]  # the last is anonymous
    level = np.append(np.nan_to_num(severity), 0.0)[ratings.rater]
    plain = ratings.numbers - level
    units = len(ratings.units)
    total = np.bincount(ratings.unit, plain * counted, units)[ratings.unit] - plain * counted
    others = np.bincount(ratings.unit, counted, units)[ratings.unit] - counted
    rows = np.flatnonzero((others > 0) & (ratings.rater >= 0))
    return ScoreTests(
        ratings.rater[rows].astype(np.int64),
        ratings.unit[rows].astype(np.int64),
        rows.astype(np.int64),
        ratings.numbers[rows],
        total[rows] / others[rows],
        severity,
        step,
        tested,
        reference,
    )


def _name_of(r: float, error: float) -> tuple[Code, str]:
    if r + SURE * error < 0:
        return "reversed", "Answers against the others"
    if r - SURE * error <= 0:
        return "random", "Answers like chance"
    return "low_agreement", "Agrees far less than the others do"
