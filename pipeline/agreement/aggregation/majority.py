"""Majority: the label that enough votes name, and nothing else (Sections 3.1.1, 3.3.1, 3.5.1)."""

from __future__ import annotations

from typing import Any, Final, cast

from pipeline.agreement.aggregation.outcome import Outcome, Queue
from pipeline.agreement.aggregation.pool import Pool, Tally
from pipeline.contracts.spec import Majority, TaskSpec
from pipeline.core.jsontext import canonical

RULE: Final = "gold.majority@1"


def decide(pool: Pool) -> list[Outcome]:
    """Return the outcome of every item under the rule `majority` of the spec.

    Fewer than `minimum` votes, or none by an author where authors are to vote: unresolved, queue
    votes. A label that at least `needed` votes name, and more than half of all: gold (two of three,
    three of five; four of seven). Otherwise the item is removed, or goes to the experts or the
    top-ranked annotators, as the spec says; a tie is never settled.
    """
    return pool.decide(lambda tally: outcome(tally, pool.spec))


def outcome(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return what becomes of an item with these votes."""
    rule = cast(Majority, spec.aggregation)
    evidence = tally.evidence()
    missing = _missing(tally, rule)
    if missing is not None:
        return Outcome(
            "unresolved", RULE, tally.votes, reason=missing, queue="votes", evidence=evidence
        )
    leading, most = max(tally.counts, key=lambda one: one[1])
    if most >= max(rule.needed, tally.votes // 2 + 1):
        return Outcome(
            "gold",
            RULE,
            tally.votes,
            label=label(leading, spec),
            agreement=most / tally.votes,
            evidence=evidence,
        )
    if rule.otherwise == "removed":
        return Outcome("removed", RULE, tally.votes, reason="no_majority", evidence=evidence)
    queue: Queue = rule.otherwise
    return Outcome(
        "unresolved", RULE, tally.votes, reason="no_majority", queue=queue, evidence=evidence
    )


def _missing(tally: Tally, rule: Majority) -> str | None:
    """Return why the votes decide nothing yet, if they do not."""
    if tally.votes < rule.minimum:
        return "too_few_votes"
    return "no_author" if "author" in rule.roles and not tally.authors else None


def label(value: Any, spec: TaskSpec) -> str:
    """Return a category as the JSON text of an answer of the task's form."""
    ranked = any(one.answer == "topics" for one in spec.rounds)
    return canonical([value] if ranked else value)
