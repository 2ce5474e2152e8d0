"""Decisions of experts: about reported items, and about persons that a text names.

A report opens a review, and only an expert closes it: upheld, the item leaves with the reason;
pending, it is unresolved whatever its votes say; dismissed, it goes on (a person looked at every
reported item, Sections 3.1 to 3.6).

A text that names a person waits for a review of its privacy (Section 3.4.1). A list of public
figures only proposes: "keep" where every person named is on it, else "review".
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE, UNKNOWN, CodedVotes
from pipeline.agreement.aggregation.outcome import Note, Outcome, queue_outcome
from pipeline.agreement.aggregation.tally import value_of
from pipeline.contracts.aggregation_rules import Inspected
from pipeline.contracts.decisions import (
    DISMISS,
    EXPERT,
    KEEP,
    PRIVACY,
    REMOVE,
    REVIEW,
    UPHOLD,
    verdict_of,
)
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas
from pipeline.core.jsontext import parsed

REVIEWED: Final = "gold.review@1"
PRIVATE: Final = "gold.privacy@1"
#: What a report of a reason that the spec does not know is counted as: it may be free text.
OTHER: Final = "other"


@dataclass(frozen=True)
class Decision:
    """One expert's decision: the answer, and when (microseconds, or UNKNOWN)."""

    answer: Any
    at: int


#: The decisions about each item, by its place.
Decisions = Mapping[int, Sequence[Decision]]


def newest(votes: CodedVotes, round_: str) -> tuple[dict[int, list[Decision]], list[Note]]:
    """Return the decisions of a round, of each item those of the last attempt.

    Notes name the votes in it that no expert gave, and those without an answer.
    """
    in_round = votes.only(votes.in_rounds([round_]))
    expert = in_round.by_roles([EXPERT])
    items, roles = votes.names.items, votes.names.roles
    others = in_round.only(~expert)
    notes = [
        Note(
            items[item],
            "vote.role@1",
            f"only an expert decides in round {round_}; given: {roles[role]}",
        )
        for item, role in zip(others.item, others.role, strict=True)
    ]
    blank = in_round.item[expert & (in_round.label == NONE) & (in_round.report == NONE)]
    notes += [
        Note(items[item], "vote.form@1", f"a decision of round {round_} needs a label")
        for item in blank
    ]
    valid = in_round.only(expert & (in_round.label != NONE))
    valid = valid.only(np.lexsort((valid.at, valid.label, valid.attempt, valid.item)))
    decisions = {
        item: [
            Decision(valid.names.answers[valid.label[i]], int(valid.at[i]))
            for i in range(start, end)
            if valid.attempt[i] == valid.attempt[end - 1]
        ]
        for item, start, end in valid.slices()
    }
    return decisions, notes


def verdicts(
    votes: CodedVotes, round_: str, allowed: tuple[str, ...]
) -> tuple[dict[int, list[Decision]], list[Note]]:
    """Return the decisions of a round whose answers are {"verdict": one of `allowed`, ...}.

    The others get a note.
    """
    decisions, notes = newest(votes, round_)
    reason = f"a decision of round {round_} has a verdict of {', '.join(allowed)}"
    valid: dict[int, list[Decision]] = {}
    for item, all_decisions in decisions.items():
        good = [decision for decision in all_decisions if verdict_of(decision.answer) in allowed]
        if good:
            valid[item] = good
        notes += [Note(votes.names.items[item], "vote.form@1", reason)] * (
            len(all_decisions) - len(good)
        )
    return valid, notes


def note_unneeded(item: str, purpose: str, count: int) -> list[Note]:
    """Return notes on votes about an item that needs none of the kind."""
    return [Note(item, "vote.unneeded@1", f"the item does not wait for {purpose}")] * count


@dataclass(frozen=True)
class Review:
    """The review of one item: the reports by reason, and its state.

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
            return Outcome(
                "removed", REVIEWED, outcome.votes, reason=self.reason, evidence=evidence
            )
        reason = "experts_differ" if self.state == "differ" else "reported"
        return queue_outcome(REVIEWED, outcome.votes, reason, "review", evidence)


def read_reviews(votes: CodedVotes, spec: TaskSpec) -> tuple[dict[int, Review], list[Note]]:
    """Return the review of every item that was reported or decided upon, and notes.

    A decision is an expert's vote in round `review`, {"verdict": "uphold" | "dismiss", "reason"?};
    the last attempt counts. A report that is known to be younger than every decision opens the
    review again.
    """
    decided, notes = verdicts(votes, REVIEW, (UPHOLD, DISMISS))
    reasons = {report.id for report in spec.reports}
    reported = votes.only(votes.report != NONE)
    names = [name if name in reasons else OTHER for name in votes.names.reports]
    columns = (part.tolist() for part in (reported.item, reported.report, reported.at))
    reports = schemas.group(
        (item, (names[code], at)) for item, code, at in zip(*columns, strict=True)
    )
    reviews = {
        item: _review(reports.get(item, []), decided.get(item, []), reasons)
        for item in sorted(reports.keys() | decided.keys())
    }
    return reviews, notes


def _review(
    reports: Sequence[tuple[str, int]], decisions: Sequence[Decision], reasons: set[str]
) -> Review:
    counts = dict(sorted(Counter(name for name, _ in reports).items()))
    answers = {verdict_of(decision.answer) for decision in decisions}
    times = [decision.at for decision in decisions]
    known = bool(reports and times) and UNKNOWN not in times
    if not answers or (known and max(at for _, at in reports) > max(times)):
        return Review(counts, "pending")
    if len(answers) > 1:
        return Review(counts, "differ")
    if answers == {DISMISS}:
        return Review(counts, "dismissed")
    texts = [decision.answer.get("reason") for decision in decisions]
    named = {text for text in texts if isinstance(text, str) and text in reasons}
    return Review(counts, "upheld", "+".join(sorted(named or counts or {OTHER})))


def apply_privacy(
    outcomes: Sequence[Outcome],
    votes: CodedVotes,
    *,
    task: Task,
    spec: TaskSpec,
    fields: Sequence[str | None],
    public_figures: Collection[str] | None,
    held_items: Collection[int],
) -> tuple[list[Outcome], list[Note]]:
    """Return the outcomes with the decisions of round `privacy`, and notes.

    Only gold answers with a span of the spec's `privacy_labels` are concerned. `fields` holds the
    JSON fields of each item, where they are known: the names are read there, in the first field
    of the task, compared with the list in NFKC without outer blanks, and never stored.
    """
    rule = spec.aggregation
    decided, notes = verdicts(votes, PRIVACY, (KEEP, REMOVE))
    results = list(outcomes)
    labels = rule.privacy_labels if isinstance(rule, Inspected) else ()
    known = {_normal(name) for name in public_figures or ()}
    for item, outcome in enumerate(outcomes):
        spans: list[tuple[int, int, str]] = []
        if labels and outcome.label is not None and task.kind == "spans":
            spans = [s for s in value_of(parsed(outcome.label), task) if s[2] in labels]
        decisions_on_item = decided.get(item, [])
        if spans:
            text = parsed(fields[item] or "{}").get(task.fields[0])
            names = [text[start:end] for start, end, _ in spans] if isinstance(text, str) else []
            public = sum(_normal(name) in known for name in names)
            facts = {
                "persons": len(spans),
                "public": public,
                "proposal": KEEP if public == len(spans) else "review",
            }
            results[item] = _after_privacy(outcome, decisions_on_item, facts)
        elif item not in held_items:
            notes += note_unneeded(
                votes.names.items[item], "a review of its privacy", len(decisions_on_item)
            )
    return results, notes


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def _after_privacy(
    outcome: Outcome, decisions: Sequence[Decision], facts: dict[str, Any]
) -> Outcome:
    answers = {verdict_of(decision.answer) for decision in decisions}
    if len(answers) == 1:
        facts["verdict"] = next(iter(answers))
    evidence = {**outcome.evidence, "privacy": facts}
    if answers == {KEEP}:
        return replace(outcome, evidence=evidence)
    if answers == {REMOVE}:
        return Outcome("removed", PRIVATE, outcome.votes, reason="personal_data", evidence=evidence)
    reason = "experts_differ" if answers else "names_a_person"
    return queue_outcome(PRIVATE, outcome.votes, reason, "privacy", evidence)
