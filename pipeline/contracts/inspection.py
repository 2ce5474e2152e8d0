"""The answer that stands for an item under the rule `inspected`: what the next round shows is gold.

A spec's rounds form stages: a round of answers and the rounds that judge it (Sections 3.4, 3.6 to
3.8). Dependency parsing has two, morphemes and then arcs. In a stage the last attempt is what
counts. A rejected answer goes back to its author while the round has attempts left. Nobody judges
their own answer. An expert's verdict goes before those of inspectors; where people contradict each
other no answer stands until an expert adjudicates.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.contracts.decisions import DECIDING, verdict_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core.jsontext import canonical

VERDICTS: Final = ("accept", "reject", "revise")
#: Where an item waits that has no answer yet.
Wait = Literal["votes", "inspection", "revision", "expert"]
#: What a verdict leads to that rejects: no JSON text, so it is no answer.
_REJECTED: Final = "(rejected)"
#: The keys of gold that a round asks for, by the form of its answers, where gold has others too.
ANSWER_KEYS: Final = {"morphemes": ("lemmas", "pos"), "tree": ("heads", "deprels")}


@dataclass(frozen=True)
class Stage:
    """A round of answers and the rounds that judge them, in order."""

    answer: Round
    verdicts: tuple[Round, ...] = ()


@dataclass(frozen=True)
class InspectedVote:
    """One vote: where, by whom, whether as an expert, and what (canonical JSON, and plain data)."""

    round: str
    attempt: int
    who: Hashable
    expert: bool
    text: str
    answer: Any


@dataclass(frozen=True)
class Settled:
    """What a stage came to: the canonical answer, or why it has none and where the item waits.

    `experts` counts the adjudications that were read.
    """

    text: str | None = None
    reason: str | None = None
    queue: Wait | None = None
    experts: int = 0


def stages(spec: TaskSpec) -> list[Stage]:
    """Return the stages of a spec, in order; deciding rounds belong to none."""
    result: list[Stage] = []
    for round_ in spec.rounds:
        if round_.id in DECIDING:
            continue
        if round_.answer != "verdict":
            result.append(Stage(round_))
        elif result:
            result[-1] = Stage(result[-1].answer, (*result[-1].verdicts, round_))
    return result


def stage_up_to(round_: Round, spec: TaskSpec) -> tuple[Stage, bool]:
    """Return the stage of a round without what follows the round, and whether nothing does."""
    for stage in stages(spec):
        rounds = (stage.answer, *stage.verdicts)
        if round_.id in (each_round.id for each_round in rounds):
            place = [each_round.id for each_round in rounds].index(round_.id)
            return Stage(stage.answer, stage.verdicts[:place]), place == len(rounds) - 1
    return Stage(round_), True


def one_vote_each(votes: Sequence[InspectedVote]) -> list[InspectedVote]:
    """Return each person's vote of a round and attempt; two different ones count for neither."""
    by_person: dict[tuple[str, int, Hashable], list[InspectedVote]] = {}
    for vote in votes:
        by_person.setdefault((vote.round, vote.attempt, vote.who), []).append(vote)
    return [same[0] for same in by_person.values() if len({vote.text for vote in same}) == 1]


def valid(
    votes: Sequence[InspectedVote], plan: Sequence[Stage]
) -> tuple[list[InspectedVote], list[tuple[str, str]]]:
    """Return the votes on one item that count, and rule and reason of each that does not."""
    counted: list[InspectedVote] = []
    faults: list[tuple[str, str]] = []
    rounds = {stage.answer.id: stage.answer.id for stage in plan}
    rounds |= {judge.id: stage.answer.id for stage in plan for judge in stage.verdicts}
    for vote in votes:
        judged = rounds.get(vote.round)
        answers = [v for v in votes if v.round == judged and v.attempt == vote.attempt]
        if judged is None:
            faults.append(("vote.round@1", "the spec has no such round"))
        elif judged == vote.round:
            counted.append(vote)
        elif verdict_of(vote.answer) not in VERDICTS:
            faults.append(("vote.form@1", f"a verdict is one of {', '.join(VERDICTS)}"))
        elif not answers:
            faults.append(("vote.stray@1", f"attempt {vote.attempt} has no answer to judge"))
        elif vote.who in {answer.who for answer in answers}:
            faults.append(("vote.own@1", "a verdict on the inspector's own answer"))
        else:
            counted.append(vote)
    return counted, faults


def settle(
    stage: Stage, votes: Sequence[InspectedVote], adjudications: Sequence[Any] = ()
) -> Settled:
    """Return what a stage came to, by its valid votes on one item, or else by its adjudications.

    `adjudications` are the answers of experts in round `adjudicate`: of the stage, or of all.
    """
    settled = _judge(stage, votes)
    if settled.text is not None:
        return settled
    answers = [part for answer in adjudications if (part := _part(stage, answer)) is not None]
    if not answers:
        return settled
    text = consensus(answers)
    if text is None:
        return Settled(reason="experts_differ", queue="expert", experts=len(answers))
    return Settled(text, experts=len(answers))


def consensus(decisions: Sequence[str]) -> str | None:
    """Return the one thing that all experts say; None where they contradict each other."""
    return decisions[0] if len(set(decisions)) == 1 else None


def leads_to(vote: InspectedVote, current: str | None) -> str | None:
    """Return the answer that a verdict on the current one leads to."""
    verdict = verdict_of(vote.answer)
    if verdict == "revise":
        return canonical(vote.answer.get("answer"))
    return _REJECTED if verdict == "reject" else current


def _judge(stage: Stage, votes: Sequence[InspectedVote]) -> Settled:
    answers = [v for v in votes if v.round == stage.answer.id]
    if not answers:
        return Settled(reason="no_answer", queue="votes")
    last = max(v.attempt for v in answers)
    current = consensus([v.text for v in answers if v.attempt == last])
    for judge in stage.verdicts:
        verdicts = [v for v in votes if v.round == judge.id and v.attempt == last]
        if current is None and not verdicts:
            break
        settled = _verdict(verdicts, judge, current, more=last < stage.answer.attempts)
        if settled.text is None:
            return settled
        current = settled.text
    if current is None:
        return Settled(reason="answers_differ", queue="expert")
    return Settled(current)


def _verdict(
    verdicts: Sequence[InspectedVote], judge: Round, current: str | None, *, more: bool
) -> Settled:
    """Return the answer that a round of verdicts leads to from the current one, or why none."""
    experts = [v for v in verdicts if v.expert]
    if not experts and len(verdicts) < judge.per_item:
        return Settled(reason="not_inspected", queue="inspection")
    results = {leads_to(v, current) for v in experts or verdicts}
    if len(results) > 1:
        return Settled(reason="inspectors_differ", queue="expert")
    if results == {_REJECTED}:
        if more:
            return Settled(reason="rejected", queue="revision")
        return Settled(reason="attempts_used", queue="expert")
    if results == {None}:
        return Settled(reason="answers_differ", queue="expert")
    return Settled(results.pop())


def _part(stage: Stage, answer: Any) -> str | None:
    """Return what an adjudication says about a stage; None where it is about another one."""
    keys = ANSWER_KEYS.get(stage.answer.answer)
    if keys is None:
        return canonical(answer)
    if not isinstance(answer, dict) or not set(keys) <= set(answer):
        return None
    return canonical({key: answer[key] for key in keys})
