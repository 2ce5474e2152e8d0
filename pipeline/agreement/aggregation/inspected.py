"""Inspected: the last answer, once an inspector accepted or corrected it (3.4, 3.6 to 3.8).

What stands of a stage is told by tasks/standing.py, for the rounds that follow and for gold alike;
gold joins what all stages came to (dependency parsing: morphemes and arcs). Where inspectors
contradict each other, or a rejected answer has no attempt left, the item goes to the experts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pipeline.agreement.aggregation.adjudicate import MARK
from pipeline.agreement.aggregation.adjudicate import RULE as ADJUDICATED
from pipeline.agreement.aggregation.ballots import Ballots
from pipeline.agreement.aggregation.counted import people
from pipeline.agreement.aggregation.decisions import Decision, Decisions
from pipeline.agreement.aggregation.outcome import Note, Outcome
from pipeline.agreement.aggregation.pool import Pool, viewed
from pipeline.contracts.decisions import EXPERT, verdict_of
from pipeline.contracts.inspection import (
    VERDICTS,
    Said,
    Settled,
    Stage,
    leads_to,
    settle,
    stages,
    valid,
)
from pipeline.contracts.task import Task
from pipeline.core.jsontext import canonical, parsed

RULE: Final = "gold.inspected@1"


def decide(pool: Pool, adjudications: Decisions) -> tuple[list[Outcome], list[Note]]:
    """Return the outcome of every item under the rule `inspected` of the spec, and notes.

    Unresolved queues: votes (no answer yet), inspection (no verdict yet), revision (rejected, and
    the round has attempts left), expert (contradiction, or attempts used up). An accepted answer
    without any span is removed: all that was marked in the item was false (Section 3.4.1).
    """
    names = pool.counted.names.items
    plan = stages(pool.spec)
    notes: list[Note] = []
    voted: dict[int, list[Said]] = {}
    who = people(pool.counted).tolist()
    for item, start, end in pool.counted.slices():
        voted[item], faults = valid(_votes(pool.counted, who, start, end), plan)
        notes += [Note(names[item], rule, reason) for rule, reason in faults]
    found = [
        _item(voted.get(item, ()), plan, adjudications.get(item, ()), pool.task)
        for item in range(len(names))
    ]
    return found, notes


def _votes(ballots: Ballots, who: Sequence[int], start: int, end: int) -> list[Said]:
    names = ballots.names
    return [
        Said(
            names.rounds[ballots.round[i]],
            int(ballots.attempt[i]),
            who[i],
            names.roles[ballots.role[i]] == EXPERT,
            names.labels[ballots.label[i]],
            names.answers[ballots.label[i]],
        )
        for i in range(start, end)
    ]


def _item(
    votes: Sequence[Said], plan: Sequence[Stage], decisions: Sequence[Decision], task: Task
) -> Outcome:
    evidence = _evidence(votes)
    done: list[Settled] = []
    for stage in plan:
        settled = settle(stage, votes, [one.answer for one in decisions])
        done.append(settled)
        evidence |= {MARK: settled.experts} if settled.experts else {}
        if settled.text is None:
            why, queue = settled.reason, settled.queue
            return Outcome(
                "unresolved", RULE, len(votes), reason=why, queue=queue, evidence=evidence
            )
    rule = ADJUDICATED if MARK in evidence else RULE
    answer = _joined([parsed(one.text or "") for one in done], task)
    if plan[-1].answer.answer == "spans" and not answer:
        return Outcome("removed", rule, len(votes), reason="no_entity", evidence=evidence)
    support = sum(map(_support, plan, [votes] * len(plan), done))
    share = support / len(votes) if votes else None
    label = canonical(answer)
    return Outcome("gold", rule, len(votes), label=label, agreement=share, evidence=evidence)


def _joined(parts: Sequence[Any], task: Task) -> Any:
    """Return the answer that the parts make; raises InputError for one of another form."""
    if len(parts) == 1:
        answer = parts[0]
    else:
        whole = all(isinstance(part, dict) for part in parts)
        answer = {k: v for part in parts for k, v in part.items()} if whole else None
    viewed(answer, task)
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
    judges, text = {one.id for one in stage.verdicts}, settled.text
    right = {v.attempt for v in votes if v.round == stage.answer.id and v.text == text}
    count = sum(v.round == stage.answer.id and v.text == text for v in votes)
    for v in votes:
        if v.round in judges:
            said = verdict_of(v.answer)
            count += said == "accept" and v.attempt in right
            count += said == "revise" and leads_to(v, None) == text
    return count
