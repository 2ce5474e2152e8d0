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
from pipeline.agreement.annotators.drift_tests import DriftTests
from pipeline.agreement.annotators.effects import moments, severity
from pipeline.agreement.annotators.finding import (
    FALSE_DISCOVERY,
    Code,
    Finding,
    weighted_rates,
)
from pipeline.agreement.annotators.judgements import NOTHING, Judgements, judgements
from pipeline.agreement.annotators.label_tests import LabelTests, sum_up
from pipeline.agreement.annotators.measures import timings
from pipeline.agreement.annotators.portraits import Gallery
from pipeline.agreement.annotators.score_tests import score_tests
from pipeline.agreement.annotators.speed import speed
from pipeline.agreement.annotators.truth_model import fit_truth
from pipeline.agreement.votes.ratings import Ratings, Whole
from pipeline.agreement.votes.selection import Selection
from pipeline.core.wording import count

#: Fewer shared items than this judge nobody, and fewer such annotators are no pool.
ENOUGH: Final = 20
FEWEST: Final = 3
#: Once odd ones are left out so many suffice to tell what is usual.
_LEFT: Final = 2
#: The ranked list holds findings of a probability up to this, so many of them at most.
_WORTH_A_LOOK, _LISTED = 0.05, 50
#: Flags of those whose answers say nothing, or something else, about the items.
_APART: Final = ("random", "low_agreement", "reversed", "constant")

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
        name: f"{count(n, 'shared item')}; {ENOUGH} are needed"
        for name, n in zip(names, shared.tolist(), strict=True)
        if n < ENOUGH
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
    if apart and usual.sum() >= _LEFT:
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
        self.drift = DriftTests(*moments(selection))

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
            findings += [*tests.findings(), *self.drift.of_scores(tests)]
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
            yield from self.drift.of_labels(gallery, sums.inflation)


def _apart(findings: list[Finding]) -> set[int]:
    """Return who says nothing about the items, and the later of every two who copy."""
    discoveries = [finding for finding, _ in _discoveries(findings)]
    careless = {finding.rater for finding in discoveries if finding.code in _APART}
    copies = {
        max(finding.rater, finding.partner) for finding in discoveries if finding.code == "copying"
    }
    return careless | copies


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
    review: dict[tuple[str, Code], Flag] = {}
    for finding, flag in rated:
        name = ratings.raters[finding.rater]
        if finding.matters and finding.p <= _WORTH_A_LOOK and not finding.by_rows:
            review.setdefault((name, flag.code), flag)
        if finding.matters and flag.q <= FALSE_DISCOVERY:
            flags.setdefault(name, []).append(flag)
    ranked = sorted(((name, flag) for (name, _), flag in review.items()), key=_evidence)[:_LISTED]
    return Verdicts({name: _explained(own) for name, own in flags.items()}, ranked, untested)


def _evidence(pair: tuple[str, Flag]) -> tuple[float, str, str]:
    name, flag = pair
    return flag.p, name, flag.code


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
