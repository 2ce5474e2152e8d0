"""Tests of drift: agreement that falls over an annotator's votes, and scores that move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.agreement.annotators.course import Change, Course, falls
from pipeline.agreement.annotators.finding import EVIDENCE, Finding
from pipeline.agreement.annotators.portraits import Gallery, Portrait, item_sums
from pipeline.agreement.annotators.score_tests import ScoreTests
from pipeline.agreement.votes.ratings import Real, Whole

#: A fall of agreement that matters, and a move of scores in steps of the scale.
_FALL, _MOVE = 0.15, 0.5
#: What moves in scores: their distance to the others, and they themselves, down or up.
_FARTHER: Final = "Scores are {:.2f} farther from the others"
_DOWN: Final = "Scores move down by {:.2f}"
_UP: Final = "Scores move up by {:.2f}"


@dataclass(frozen=True)
class DriftTests:
    """The tests of drift; `moment` (votes,) orders votes, `in_time` (raters,) says if by time."""

    moment: Whole
    in_time: list[bool]

    def of_labels(self, gallery: Gallery, inflation: float) -> Iterator[Finding]:
        """Test whether the labels given are less likely right in later votes."""
        parts = [self._course(portrait, inflation) for portrait in gallery]
        course = Course(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for change in falls(course, len(self.in_time)):
            text = (
                f"Agreement falls {self._when(change)}: the share of labels that the other votes"
                f" suggest differs from the usual annotator's by {100 * change.before:+.0f} points"
                f" before, and by {100 * change.after:+.0f} after."
            )
            yield self._finding(change, _FALL, text)

    def of_scores(self, tests: ScoreTests) -> Iterator[Finding]:
        """Test whether scores move away from those of the others, or down or up against them."""
        away = tests.own - np.nan_to_num(tests.severity)[tests.rater] - tests.rest
        order = np.lexsort((tests.item, self.moment[tests.place], tests.rater))
        rater, item = tests.rater[order], tests.item[order]
        for number, words in ((-np.abs(away), _FARTHER), (away, _DOWN), (-away, _UP)):
            series = number[order]
            course = Course(rater, item, series, _variance_of_steps(rater, series))
            for change in falls(course, len(self.in_time)):
                text = f"{words.format(change.before - change.after)} {self._when(change)}."
                yield self._finding(change, _MOVE * tests.step, text)

    def _course(self, portrait: Portrait, inflation: float) -> tuple[Whole, Whole, Real, Real]:
        items, size = item_sums(portrait.item, np.ones(len(portrait)))
        numbers = portrait.numbers
        number = item_sums(portrait.item, numbers.seen - numbers.expected)[1] / size
        variance = inflation * item_sums(portrait.item, numbers.variance)[1] / size**2
        _, first = np.unique(portrait.item, return_index=True)
        order = np.lexsort((items, self.moment[portrait.place[first]]))
        rater = np.full(len(items), portrait.rater, np.int64)
        return rater, items[order], number[order], variance[order]

    def _when(self, change: Change) -> str:
        order = "in time" if self.in_time[change.rater] else "in the order of the file"
        return f"after answer {change.place} of {change.answers} {order}"

    def _finding(self, change: Change, least: float, text: str) -> Finding:
        fall = change.after - change.before
        return Finding(
            change.rater,
            "drift",
            change.p,
            change.after,
            fall,
            fall <= -least,
            text,
            tuple(change.items[:EVIDENCE].tolist()),
            by_rows=not self.in_time[change.rater],
        )


def _variance_of_steps(rater: Whole, number: Real) -> Real:
    # by the squares of successive differences, which a change of level moves little
    first = np.append(True, np.diff(rater) != 0)
    steps = np.where(first, 0.0, np.diff(number, prepend=0.0)) ** 2
    n = np.bincount(rater)
    mean = np.bincount(rater, steps) / np.maximum(2 * (n - 1), 1)
    return np.asarray(mean[rater])
