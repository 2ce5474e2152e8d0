"""Odd annotators: what tests of many kinds say of each, and which of it is worth a flag.

Every test compares an annotator with the usual one of the pool. Flags are the discoveries among all
tests of all annotators at a false discovery rate of 5 % whose effect matters besides. Those whose
answers say nothing about the items blur what is usual: once they are known, everybody is tested
again without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.annotators.copying import copying
from pipeline.agreement.annotators.course import Change, Course, falls
from pipeline.agreement.annotators.effects import moments, severity
from pipeline.agreement.annotators.finding import (
    EVIDENCE,
    FALSE_DISCOVERY,
    Code,
    Finding,
    weighted_rates,
)
from pipeline.agreement.annotators.judgements import NOTHING, Judgements, judgements
from pipeline.agreement.annotators.label_tests import LabelTests, sum_up
from pipeline.agreement.annotators.measures import timings
from pipeline.agreement.annotators.portraits import Gallery, item_sums
from pipeline.agreement.annotators.score_tests import ScoreTests, score_tests
from pipeline.agreement.annotators.speed import speed
from pipeline.agreement.annotators.truth_model import fit_truth
from pipeline.agreement.votes.ratings import Ratings, Real, Whole
from pipeline.agreement.votes.selection import Selection

#: Fewer shared items than this judge nobody, and fewer such annotators are no pool.
ENOUGH: Final = 20
FEWEST: Final = 3
#: The ranked list holds findings of a probability up to this, of so many annotators at most.
_WORTH_A_LOOK, _LISTED = 0.05, 50
#: Flags of those whose answers say nothing, or something else, about the items.
_APART: Final = ("random", "low_agreement", "reversed", "constant")
_FALL, _MOVE = 0.15, 0.5

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Flag:
    """One finding as it is reported.

    `text` is a sentence, `value` what was measured, `effect` its difference to the usual
    annotator, `p` the probability of the finding by chance, `q` the least false discovery rate at
    which it is a discovery among all findings of the audit. `items` are items that show it.
    """

    code: Code
    text: str
    value: float
    effect: float
    p: float
    q: float
    items: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "items": list(self.items)}


@dataclass(frozen=True)
class Verdicts:
    """Flags by annotator, the ranked list of what to look at, and why others were not tested."""

    flags: dict[str, list[Flag]]
    review: list[tuple[str, Flag]]
    untested: dict[str, str]


def judge_annotators(selection: Selection) -> Verdicts:
    """Test all named annotators of votes of any kind.

    The order of rows changes nothing but the drift of those whose votes carry no time.
    """
    names, shared = selection.ratings.raters, _shared_items(selection.ratings)
    tested = shared >= ENOUGH
    untested = {
        name: f"{count} shared item{'s' * (count != 1)}; {ENOUGH} are needed"
        for name, count in zip(names, shared.tolist(), strict=True)
        if count < ENOUGH
    }
    if tested.sum() < FEWEST:
        few = f"fewer than {FEWEST} annotators share {ENOUGH} items with others"
        return Verdicts({}, [], {name: untested.get(name, few) for name in names})
    pool = _Pool(selection, tested)
    seconds, timed = timings(selection)
    times = list(speed(seconds, np.where(tested, timed, 0), fewest=ENOUGH))
    findings = pool.findings(np.ones(len(names), bool)) + times
    apart = _apart(findings)
    usual = tested.copy()
    usual[sorted(apart)] = False
    if apart and usual.sum() >= FEWEST:
        findings = pool.findings(~np.isin(np.arange(len(names)), sorted(apart))) + times
    return _verdicts(findings, selection, untested)


def _shared_items(ratings: Ratings) -> Whole:
    votes = np.bincount(ratings.unit, minlength=len(ratings.units))
    rows = (ratings.rater >= 0) & (votes[ratings.unit] > 1)
    return np.bincount(ratings.rater[rows], minlength=len(ratings.raters)).astype(np.int64)


class _Pool:
    """The votes of one audit, and whom they judge."""

    def __init__(self, selection: Selection, tested: Bools) -> None:
        self.selection, self.tested = selection, tested
        self.judged = judgements(selection)
        self.numeric = selection.kind == "number"
        self.severity = severity(selection.ratings) if self.numeric else np.zeros(0)
        self.step = _step(selection) if self.numeric else 1.0
        self.moment, self.in_time = moments(selection)

    def findings(self, reference: Bools) -> list[Finding]:
        """Return what all tests say of everybody, where the `reference` annotators are usual."""
        findings: list[Finding] = []
        if self.judged is not None and len(self.judged):
            findings += self._of_labels(self.judged, reference)
        if self.numeric:
            tests = score_tests(
                self.selection.ratings,
                self.severity,
                self.step,
                tested=self.tested,
                reference=reference,
            )
            findings += [*tests.findings(), *self._moves(tests)]
        return [finding for finding in findings if self.tested[finding.rater]]

    def _of_labels(self, judged: Judgements, reference: Bools) -> Iterator[Finding]:
        raters = len(self.tested)
        model = fit_truth(
            judged.unit,
            judged.rater,
            judged.value,
            units=len(judged.item),
            raters=raters,
            labels=len(judged.labels),
            weight=reference.astype(np.float64),
        )
        gallery = Gallery(judged, model, raters)
        sums = sum_up(gallery, len(judged.labels), reference)
        nothing = judged.labels.index(NOTHING) if NOTHING in judged.labels else None
        tests = LabelTests(gallery, sums, judged.labels, self.tested, reference, nothing)
        yield from tests.findings(agreement=not self.numeric)
        yield from copying(judged, model, raters, self.selection.ratings.raters)
        if not self.numeric:
            yield from self._fall(gallery, sums.inflation)

    def _fall(self, gallery: Gallery, inflation: float) -> Iterator[Finding]:
        parts = []
        for portrait in gallery:
            items, number = item_sums(portrait.item, portrait.seen - portrait.expected)
            _, variance = item_sums(portrait.item, portrait.variance)
            size = item_sums(portrait.item, np.ones(len(portrait)))[1]
            _, first = np.unique(portrait.item, return_index=True)
            order = np.lexsort((items, self.moment[portrait.place[first]]))
            rater = np.full(len(items), portrait.rater)
            columns = (rater, items, number / size, inflation * variance / size**2)
            parts.append([column[order] for column in columns])
        course = Course(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for change in falls(course, len(self.tested)):
            fall = change.after - change.before
            text = f"Agreement falls {self._when(change)}: labels that the other votes suggest are"
            text += f" {change.before:+.0%} against the usual annotator's share before, and"
            text += f" {change.after:+.0%} after."
            yield self._drift(change, fall, fall <= -_FALL, text)

    def _moves(self, tests: ScoreTests) -> Iterator[Finding]:
        own = tests.own - np.nan_to_num(tests.severity)[tests.rater]
        away = own - tests.rest
        place = np.searchsorted(
            self._keys, tests.rater * len(self.selection.ratings.units) + tests.item
        )
        order = np.lexsort((tests.item, self.moment[self._rows[place]], tests.rater))
        rater, item = tests.rater[order], tests.item[order]
        for number, what in ((-np.abs(away), ""), (away, "down"), (-away, "up")):
            series = number[order]
            course = Course(rater, item, series, _steps_variance(rater, series))
            for change in falls(course, len(self.tested)):
                fall = change.after - change.before
                if what:
                    text = f"Scores move {what} by {-fall:.2f} {self._when(change)}."
                else:
                    text = f"Scores are {-fall:.2f} farther from the others {self._when(change)}."
                yield self._drift(change, fall, fall <= -_MOVE * self.step, text)

    @property
    def _rows(self) -> Whole:
        ratings = self.selection.ratings
        return np.lexsort((ratings.unit, ratings.rater))

    @property
    def _keys(self) -> Whole:
        ratings = self.selection.ratings
        key = ratings.rater.astype(np.int64) * len(ratings.units) + ratings.unit
        return np.asarray(key[self._rows])

    def _when(self, change: Change) -> str:
        order = "in time" if self.in_time[change.rater] else "in the order of the file"
        return f"after answer {change.place} of {change.answers} {order}"

    def _drift(self, change: Change, fall: float, matters: bool, text: str) -> Finding:
        items = tuple(change.items[:EVIDENCE].tolist())
        return Finding(
            change.rater,
            "drift",
            change.p,
            change.after,
            fall,
            matters,
            text,
            items,
            by_rows=not self.in_time[change.rater],
        )


def _steps_variance(rater: Whole, number: Real) -> Real:
    # by the squares of successive differences, which a change of level moves little
    first = np.append(True, np.diff(rater) != 0)
    steps = np.where(first, 0.0, np.diff(number, prepend=0.0)) ** 2
    n = np.bincount(rater)
    mean = np.bincount(rater, steps) / np.maximum(2 * (n - 1), 1)
    return np.asarray(mean[rater])


def _apart(findings: list[Finding]) -> set[int]:
    """Return who says nothing about the items, and one of every two who copy."""
    apart: set[int] = set()
    pairs: set[tuple[int, ...]] = set()
    for finding, _ in _discoveries(findings):
        if finding.code in _APART:
            apart.add(finding.rater)
        elif finding.code == "copying":
            pairs.add(finding.items)
    for rater, finding in sorted(
        (f.rater, f) for f, _ in _discoveries(findings) if f.code == "copying"
    ):
        if finding.items in pairs:
            pairs.discard(finding.items)
            apart.add(rater)
    return apart


def _discoveries(findings: list[Finding]) -> list[tuple[Finding, float]]:
    return [
        (finding, rate)
        for finding, rate in zip(findings, weighted_rates(findings).tolist(), strict=True)
        if rate <= FALSE_DISCOVERY and finding.matters
    ]


def _verdicts(findings: list[Finding], selection: Selection, untested: dict[str, str]) -> Verdicts:
    ratings = selection.ratings
    rated = [
        (
            finding,
            Flag(
                finding.code,
                finding.text,
                round(finding.value, 6),
                round(finding.effect, 6),
                float(f"{finding.p:.3g}"),
                float(f"{rate:.3g}"),
                tuple(ratings.units[item] for item in finding.items),
            ),
        )
        for finding, rate in zip(findings, weighted_rates(findings).tolist(), strict=True)
    ]
    rated.sort(key=lambda pair: (pair[0].rater, pair[0].p, pair[0].code))
    flags: dict[str, list[Flag]] = {}
    first: dict[str, Flag] = {}
    for finding, flag in rated:
        name = ratings.raters[finding.rater]
        if finding.matters and finding.p <= _WORTH_A_LOOK and not finding.by_rows:
            first.setdefault(name, flag)
        if finding.matters and flag.q <= FALSE_DISCOVERY:
            flags.setdefault(name, []).append(flag)
    review = sorted(first.items(), key=lambda pair: (pair[1].p, pair[0]))[:_LISTED]
    return Verdicts({name: _explained(own) for name, own in flags.items()}, review, untested)


def _explained(flags: list[Flag]) -> list[Flag]:
    """Leave out what another flag of the same annotator explains, and a second flag of one code."""
    codes = {flag.code for flag in flags}
    needless: set[Code] = set()
    if "constant" in codes:
        needless |= {"random", "low_agreement", "reversed", "unused_label", "habit", "compressed"}
    if "random" in codes:
        needless |= {"unused_label"}
    if "reversed" in codes:
        needless |= {"habit", "compressed"}
    once = {flag.code: flag for flag in reversed(flags)}
    return [flag for flag in flags if flag.code not in needless and once[flag.code] is flag]


def _step(selection: Selection) -> float:
    numbers = np.asarray(selection.ratings.values, np.float64)
    if len(numbers) < 2:
        return 1.0
    return float(np.diff(numbers).min()) if len(numbers) <= 20 else float(np.ptp(numbers)) / 10
