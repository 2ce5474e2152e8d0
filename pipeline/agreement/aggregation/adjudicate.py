"""An expert settles what the votes left open: a vote in round `adjudicate`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from pipeline.agreement.aggregation import majority, mean
from pipeline.agreement.aggregation.decisions import Decision, Decisions, unneeded
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.agreement.aggregation.pool import viewed
from pipeline.contracts.inspection import agreed
from pipeline.contracts.spec import Mean, TaskSpec
from pipeline.contracts.task import Task

RULE: Final = "gold.adjudicate@1"
#: The key of the evidence that tells how many experts adjudicated.
MARK: Final = "adjudicated"


def apply(
    outcomes: Sequence[Outcome], decisions: Decisions, task: Task, spec: TaskSpec
) -> list[Outcome]:
    """Return the outcomes of categories or scores, with the unresolved ones settled by experts."""
    found = list(outcomes)
    for item, given in decisions.items():
        if found[item].status == "unresolved":
            found[item] = _settled(found[item], given, task, spec)
    return found


def notes(
    outcomes: Sequence[Outcome], decisions: Decisions, names: Sequence[str], held: Collection[int]
) -> list[Note]:
    """Return notes on decisions about items that did not need them; `held` items may still."""
    return [
        note
        for item, given in decisions.items()
        if item not in held and MARK not in outcomes[item].evidence
        for note in unneeded(names[item], "such an answer of an expert", len(given))
    ]


def _settled(
    outcome: Outcome, decisions: Sequence[Decision], task: Task, spec: TaskSpec
) -> Outcome:
    evidence = {**outcome.evidence, MARK: len(decisions)}
    said = agreed([_label(one.answer, task, spec) for one in decisions])
    if said is None:
        return Outcome(
            "unresolved",
            RULE,
            outcome.votes,
            reason="experts_differ",
            queue="expert",
            evidence=evidence,
        )
    return Outcome(
        "gold",
        RULE,
        outcome.votes,
        label=said,
        agreement=_share(outcome, said, spec),
        evidence=evidence,
    )


def _label(answer: Any, task: Task, spec: TaskSpec) -> str:
    value = viewed(answer, task)
    if task.kind == "number":
        return mean.label(value, cast(Mean, spec.aggregation))
    return majority.label(value, spec)


def _share(outcome: Outcome, label: str, spec: TaskSpec) -> float | None:
    """Return the share of votes for the expert's category; for scores there is none."""
    if spec.aggregation.rule != "majority" or not outcome.votes:
        return None
    counts = outcome.evidence["counts"]
    agree = sum(n for value, n in counts.items() if majority.label(value, spec) == label)
    return float(agree / outcome.votes)
