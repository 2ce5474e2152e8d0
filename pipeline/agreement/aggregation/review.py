"""Reports come first: a report opens a review, and only an expert closes it.

Upheld, the item leaves with the reason; pending, it is unresolved whatever its votes say;
dismissed, it goes on (a person looked at every reported item, Sections 3.1 to 3.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.agreement.aggregation.ballots import NONE, UNKNOWN, Ballots
from pipeline.agreement.aggregation.decisions import Decision, verdicts
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.contracts.decisions import DISMISS, REVIEW, UPHOLD, verdict_of
from pipeline.contracts.spec import TaskSpec

RULE: Final = "gold.review@1"
#: What a report of a reason that the spec does not know is counted as: it may be free text.
OTHER: Final = "other"


@dataclass(frozen=True)
class Review:
    """The review of one item: the reports by reason, and how it stands.

    `state` is pending, upheld (with `reason`), dismissed, or differ where experts contradict each
    other.
    """

    reports: Mapping[str, int]
    state: str
    reason: str | None = None

    @property
    def holds(self) -> bool:
        """Tell whether the item ends or waits here, whatever its votes say."""
        return self.state != "dismissed"

    def apply(self, outcome: Outcome) -> Outcome:
        """Return the outcome of the item once its review is taken into account."""
        facts = {"counts": dict(self.reports), "state": self.state}
        evidence = {**outcome.evidence, "reports": facts}
        if not self.holds:
            return replace(outcome, evidence=evidence)
        if self.state == "upheld":
            return Outcome("removed", RULE, outcome.votes, reason=self.reason, evidence=evidence)
        reason = "experts_differ" if self.state == "differ" else "reported"
        return Outcome(
            "unresolved", RULE, outcome.votes, reason=reason, queue="review", evidence=evidence
        )


def read(ballots: Ballots, spec: TaskSpec) -> tuple[dict[int, Review], list[Note]]:
    """Return the review of every item that was reported or decided upon, and notes.

    A decision is an expert's vote in round `review`, {"verdict": "uphold" | "dismiss", "reason"?};
    the last attempt counts. A report that is known to be younger than every decision opens the
    review again.
    """
    decided, notes = verdicts(ballots, REVIEW, (UPHOLD, DISMISS))
    reasons = {one.id for one in spec.reports}
    reports: dict[int, list[tuple[str, int]]] = {}
    reported = ballots.only(ballots.report != NONE)
    for i, item in enumerate(reported.item.tolist()):
        name = reported.names.reports[reported.report[i]]
        known = name if name in reasons else OTHER
        reports.setdefault(item, []).append((known, int(reported.at[i])))
    found = {
        item: _review(reports.get(item, []), decided.get(item, []), reasons)
        for item in sorted(reports.keys() | decided.keys())
    }
    return found, notes


def _review(
    reports: Sequence[tuple[str, int]], decisions: Sequence[Decision], reasons: set[str]
) -> Review:
    counts = dict(sorted(Counter(name for name, _ in reports).items()))
    said = {verdict_of(one.answer) for one in decisions}
    if not said or _reopened([at for _, at in reports], [one.at for one in decisions]):
        return Review(counts, "pending")
    if len(said) > 1:
        return Review(counts, "differ")
    if said == {DISMISS}:
        return Review(counts, "dismissed")
    given = {_reason(one.answer, reasons) for one in decisions} - {None}
    return Review(counts, "upheld", "+".join(sorted(map(str, given or counts or {OTHER}))))


def _reopened(reports: Sequence[int], decisions: Sequence[int]) -> bool:
    if not reports or not decisions or UNKNOWN in decisions:
        return False
    return max(reports) > max(decisions)


def _reason(answer: Any, reasons: set[str]) -> str | None:
    given = answer.get("reason")
    return given if isinstance(given, str) and given in reasons else None
