"""Inspected: the last answer, once an inspector accepted or corrected it (3.4, 3.6 to 3.8).

contracts/inspection.py says which answer of a stage is valid, for the rounds that follow and for
gold alike; gold joins the answers of all stages (dependency parsing: morphemes and arcs). Where
inspectors contradict each other, or a rejected answer has no attempt left, the item goes to the
experts. What the votes leave open, an expert settles by a vote in round `adjudicate`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from pipeline.agreement.aggregation.decisions import Decision, Decisions, unneeded
from pipeline.agreement.aggregation.eligible_votes import person_codes
from pipeline.agreement.aggregation.outcome import Note, Outcome, unresolved
from pipeline.agreement.aggregation.rules import (
    Pool,
    category_label,
    labels_label,
    score_label,
    value_of,
)
from pipeline.contracts.aggregation_rules import Mean
from pipeline.contracts.decisions import EXPERT, verdict_of
from pipeline.contracts.inspection import (
    VERDICTS,
    Said,
    Settled,
    Stage,
    agreed,
    leads_to,
    settle,
    stages,
    valid,
)
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.jsontext import canonical, parsed

INSPECTED: Final = "gold.inspected@1"
ADJUDICATED: Final = "gold.adjudicate@1"
#: The key of the evidence that counts the experts who adjudicated.
MARK: Final = "adjudicated"


def inspected(pool: Pool, adjudications: Decisions) -> tuple[list[Outcome], list[Note]]:
    """Return the outcome of every item under the rule `inspected` of the spec, and notes.

    Unresolved queues: votes (no answer yet), inspection (no verdict yet), revision (rejected, and
    the round has attempts left), expert (contradiction, or attempts used up). An accepted answer
    without any span is removed: all that was marked in the item was false (Section 3.4.1).
    """
    votes, names = pool.counted, pool.counted.names
    plan = stages(pool.spec)
    notes: list[Note] = []
    on_item: dict[int, list[Said]] = {}
    who = person_codes(votes).tolist()
    for item, start, end in votes.slices():
        said = [
            Said(
                names.rounds[votes.round[i]],
                int(votes.attempt[i]),
                who[i],
                names.roles[votes.role[i]] == EXPERT,
                names.labels[votes.label[i]],
                names.answers[votes.label[i]],
            )
            for i in range(start, end)
        ]
        on_item[item], faults = valid(said, plan)
        notes += [Note(names.items[item], rule, reason) for rule, reason in faults]
    outcomes = [
        _outcome(on_item.get(item, ()), plan, adjudications.get(item, ()), pool.task)
        for item in range(len(names.items))
    ]
    return outcomes, notes


def _outcome(
    votes: Sequence[Said], plan: Sequence[Stage], decisions: Sequence[Decision], task: Task
) -> Outcome:
    evidence = _evidence(votes)
    done: list[Settled] = []
    for stage in plan:
        settled = settle(stage, votes, [decision.answer for decision in decisions])
        done.append(settled)
        evidence |= {MARK: settled.experts} if settled.experts else {}
        if settled.text is None:
            reason, queue = str(settled.reason), settled.queue
            assert queue is not None
            return unresolved(INSPECTED, len(votes), reason, queue, evidence)
    rule = ADJUDICATED if MARK in evidence else INSPECTED
    answer = _joined([parsed(settled.text or "") for settled in done], task)
    if plan[-1].answer.answer == "spans" and not answer:
        return Outcome("removed", rule, len(votes), reason="no_entity", evidence=evidence)
    support = sum(map(_support, plan, [votes] * len(plan), done))
    share = support / len(votes) if votes else None
    return Outcome("gold", rule, len(votes), canonical(answer), agreement=share, evidence=evidence)


def _joined(parts: Sequence[Any], task: Task) -> Any:
    """Return the answer that the parts make; raises InputError for one of another form."""
    if len(parts) == 1:
        answer = parts[0]
    else:
        objects = all(isinstance(part, dict) for part in parts)
        answer = {k: v for part in parts for k, v in part.items()} if objects else None
    value_of(answer, task)
    return answer


def _evidence(votes: Sequence[Said]) -> dict[str, Any]:
    said = Counter(verdict_of(v.answer) for v in votes if verdict_of(v.answer) in VERDICTS)
    return {
        "rounds": dict(sorted(Counter(v.round for v in votes).items())),
        "voters": len({v.who for v in votes}),
        "attempts": max((v.attempt for v in votes), default=0),
        "verdicts": dict(sorted(said.items())),
    }


def _support(stage: Stage, votes: Sequence[Said], settled: Settled) -> int:
    """Count the answers equal to gold, and the verdicts that accepted it or corrected to it."""
    judges, text = {judge.id for judge in stage.verdicts}, settled.text
    right = {v.attempt for v in votes if v.round == stage.answer.id and v.text == text}
    count = sum(v.round == stage.answer.id and v.text == text for v in votes)
    for v in votes:
        if v.round in judges:
            said = verdict_of(v.answer)
            count += said == "accept" and v.attempt in right
            count += said == "revise" and leads_to(v, None) == text
    return count


def adjudicate(
    outcomes: Sequence[Outcome], decisions: Decisions, task: Task, spec: TaskSpec
) -> list[Outcome]:
    """Return the outcomes of categories or scores, with the unresolved ones settled by experts."""
    results = list(outcomes)
    for item, own in decisions.items():
        if results[item].status == "unresolved":
            results[item] = _adjudicated(results[item], own, task, spec)
    return results


def adjudication_notes(
    outcomes: Sequence[Outcome], decisions: Decisions, names: Sequence[str], held: Collection[int]
) -> list[Note]:
    """Return notes on decisions about items that did not need them; `held` items may still."""
    return [
        note
        for item, own in decisions.items()
        if item not in held and MARK not in outcomes[item].evidence
        for note in unneeded(names[item], "such an answer of an expert", len(own))
    ]


def _adjudicated(
    outcome: Outcome, decisions: Sequence[Decision], task: Task, spec: TaskSpec
) -> Outcome:
    evidence = {**outcome.evidence, MARK: len(decisions)}
    label = agreed([_label(decision.answer, task, spec) for decision in decisions])
    if label is None:
        return unresolved(ADJUDICATED, outcome.votes, "experts_differ", "expert", evidence)
    share = _share(outcome, label, spec)
    return Outcome("gold", ADJUDICATED, outcome.votes, label, agreement=share, evidence=evidence)


def _label(answer: Any, task: Task, spec: TaskSpec) -> str:
    value = value_of(answer, task)
    if task.kind == "number":
        return score_label(value, cast(Mean, spec.aggregation))
    return labels_label(value, spec) if task.kind == "labels" else category_label(value, spec)


def _share(outcome: Outcome, label: str, spec: TaskSpec) -> float | None:
    """Return the share of votes for the expert's category; for scores there is none."""
    if spec.aggregation.rule != "majority" or not outcome.votes:
        return None
    counts = outcome.evidence["counts"]
    agree = sum(n for value, n in counts.items() if category_label(value, spec) == label)
    return float(agree / outcome.votes)
