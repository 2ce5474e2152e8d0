"""Inspected: the last answer, once an inspector accepted or corrected it (3.4, 3.6 to 3.8).

A spec's rounds form stages: a round of answers and the rounds that judge it. Dependency parsing has
two, morphemes and then arcs; gold joins what both settled. In a stage the last attempt is what
counts. A rejected answer goes back to its author and, given again as the next attempt, is inspected
again. Nobody inspects their own answer. Where inspectors contradict each other, an expert's verdict
stands; without one the item goes to the experts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.agreement.aggregation.adjudicate import MARK, agreed
from pipeline.agreement.aggregation.adjudicate import RULE as ADJUDICATED
from pipeline.agreement.aggregation.ballots import Ballots
from pipeline.agreement.aggregation.counted import DECIDING, people
from pipeline.agreement.aggregation.decisions import EXPERT, Decision, Decisions, verdict
from pipeline.agreement.aggregation.outcome import Note, Outcome, Queue
from pipeline.agreement.aggregation.pool import Pool, viewed
from pipeline.core.jsontext import canonical, parsed
from pipeline.tasks.base import Task
from pipeline.tasks.spec import Round, TaskSpec

RULE: Final = "gold.inspected@1"
VERDICTS: Final = ("accept", "reject", "revise")
#: What a verdict leads to that rejects: no JSON text, so it is no answer.
REJECTED: Final = "(rejected)"
#: By what an answer of a form is known among the parts of a joined one.
_PARTS: Final = {"morphemes": ("lemmas", "pos"), "tree": ("heads", "deprels")}


@dataclass(frozen=True)
class Stage:
    """A round of answers and the rounds that judge them, in order."""

    answer: Round
    verdicts: tuple[Round, ...]


@dataclass(frozen=True)
class _Vote:
    round: str
    attempt: int
    who: int
    expert: bool
    text: str
    answer: Any


@dataclass(frozen=True)
class _Settled:
    """What a stage came to: the canonical answer, or why it has none; and how many said so."""

    text: str | None = None
    reason: str | None = None
    queue: Queue | None = None
    support: int = 0
    experts: int = 0


def stages(spec: TaskSpec) -> list[Stage]:
    """Return the stages of a spec, in order; deciding rounds belong to none."""
    found: list[Stage] = []
    for one in spec.rounds:
        if one.id in DECIDING:
            continue
        if one.answer != "verdict":
            found.append(Stage(one, ()))
        elif found:
            found[-1] = Stage(found[-1].answer, (*found[-1].verdicts, one))
    return found


def decide(pool: Pool, adjudications: Decisions) -> tuple[list[Outcome], list[Note]]:
    """Return the outcome of every item under the rule `inspected` of the spec, and notes.

    Unresolved queues: votes (no answer yet), inspection (no verdict yet), revision (rejected),
    expert (contradiction). An accepted answer without any span is removed: all that was marked in
    the item was false (Section 3.4.1).
    """
    names = pool.counted.names.items
    plan = stages(pool.spec)
    notes: list[Note] = []
    voted: dict[int, list[_Vote]] = {}
    who = people(pool.counted).tolist()
    for item, start, end in pool.counted.slices():
        voted[item], faults = _valid(_votes(pool.counted, who, start, end), plan)
        notes += [Note(names[item], rule, reason) for rule, reason in faults]
    found = [
        _item(voted.get(item, ()), plan, adjudications.get(item, ()), pool.task)
        for item in range(len(names))
    ]
    return found, notes


def _votes(ballots: Ballots, who: Sequence[int], start: int, end: int) -> list[_Vote]:
    names = ballots.names
    return [
        _Vote(
            names.rounds[ballots.round[i]],
            int(ballots.attempt[i]),
            who[i],
            names.roles[ballots.role[i]] == EXPERT,
            names.labels[ballots.label[i]],
            names.answers[ballots.label[i]],
        )
        for i in range(start, end)
    ]


def _valid(
    votes: Sequence[_Vote], plan: Sequence[Stage]
) -> tuple[list[_Vote], list[tuple[str, str]]]:
    """Return the votes that count, and rule and reason of each that does not."""
    kept: list[_Vote] = []
    faults: list[tuple[str, str]] = []
    rounds = {one.answer.id: one.answer.id for one in plan}
    rounds |= {judge.id: one.answer.id for one in plan for judge in one.verdicts}
    for vote in votes:
        judged = rounds.get(vote.round)
        answers = [v for v in votes if v.round == judged and v.attempt == vote.attempt]
        if judged is None:
            faults.append(("vote.round@1", "the spec has no such round"))
        elif judged == vote.round:
            kept.append(vote)
        elif verdict(vote.answer) not in VERDICTS:
            faults.append(("vote.form@1", f"a verdict is one of {', '.join(VERDICTS)}"))
        elif not answers:
            faults.append(("vote.stray@1", f"attempt {vote.attempt} has no answer to judge"))
        elif vote.who in {one.who for one in answers}:
            faults.append(("vote.own@1", "a verdict on the inspector's own answer"))
        else:
            kept.append(vote)
    return kept, faults


def _item(
    votes: Sequence[_Vote], plan: Sequence[Stage], decisions: Sequence[Decision], task: Task
) -> Outcome:
    evidence = _evidence(votes)
    done: list[_Settled] = []
    for stage in plan:
        settled = _settle(stage, votes)
        if settled.text is None:
            settled = _adjudicate(stage, settled, decisions, votes)
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
    share = sum(one.support for one in done) / len(votes) if votes else None
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


def _evidence(votes: Sequence[_Vote]) -> dict[str, Any]:
    said = Counter(verdict(v.answer) for v in votes if verdict(v.answer) in VERDICTS)
    return {
        "rounds": dict(sorted(Counter(v.round for v in votes).items())),
        "voters": len({v.who for v in votes}),
        "attempts": max((v.attempt for v in votes), default=0),
        "verdicts": dict(sorted(said.items())),
    }


def _settle(stage: Stage, votes: Sequence[_Vote]) -> _Settled:
    given = [v for v in votes if v.round == stage.answer.id]
    if not given:
        return _Settled(reason="no_answer", queue="votes")
    last = max(v.attempt for v in given)
    texts = {v.text for v in given if v.attempt == last}
    current = texts.pop() if len(texts) == 1 else None
    for judge in stage.verdicts:
        said = [v for v in votes if v.round == judge.id and v.attempt == last]
        judged = _judge(said, judge, current)
        if judged.text is None:
            return judged
        current = judged.text
    if current is None:
        return _Settled(reason="answers_differ", queue="expert")
    return _Settled(current, support=_support(stage, votes, current))


def _judge(said: Sequence[_Vote], judge: Round, current: str | None) -> _Settled:
    """Return the answer that a round of verdicts leads to from the current one, or why none."""
    experts = [v for v in said if v.expert]
    if not experts and len(said) < judge.per_item:
        return _Settled(reason="not_inspected", queue="inspection")
    results = {_result(v, current) for v in experts or said}
    if len(results) > 1:
        return _Settled(reason="inspectors_differ", queue="expert")
    if results == {REJECTED}:
        return _Settled(reason="rejected", queue="revision")
    if results == {None}:
        return _Settled(reason="answers_differ", queue="expert")
    return _Settled(results.pop())


def _result(vote: _Vote, current: str | None) -> str | None:
    """Return the answer that a verdict leads to."""
    said = verdict(vote.answer)
    if said == "revise":
        return canonical(vote.answer.get("answer"))
    return REJECTED if said == "reject" else current


def _support(stage: Stage, votes: Sequence[_Vote], text: str) -> int:
    """Count the answers equal to gold, and the verdicts that accepted it or corrected to it."""
    judges = {one.id for one in stage.verdicts}
    right = {v.attempt for v in votes if v.round == stage.answer.id and v.text == text}
    count = sum(v.round == stage.answer.id and v.text == text for v in votes)
    for v in votes:
        if v.round in judges:
            said = verdict(v.answer)
            count += said == "accept" and v.attempt in right
            count += said == "revise" and _result(v, None) == text
    return count


def _adjudicate(
    stage: Stage, open_: _Settled, decisions: Sequence[Decision], votes: Sequence[_Vote]
) -> _Settled:
    said = [part for one in decisions if (part := _part(stage, one.answer)) is not None]
    if not said:
        return open_
    text = agreed(said)
    if text is None:
        return _Settled(reason="experts_differ", queue="expert", experts=len(said))
    return _Settled(text, support=_support(stage, votes, text), experts=len(said))


def _part(stage: Stage, answer: Any) -> str | None:
    """Return what a decision says about a stage; None where it is about another one."""
    keys = _PARTS.get(stage.answer.answer)
    if keys is None:
        return canonical(answer)
    if not isinstance(answer, dict) or not set(keys) <= set(answer):
        return None
    return canonical({key: answer[key] for key in keys})
