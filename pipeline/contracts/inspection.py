"""The answer that stands for an item under the rule `inspected`: what the next round shows is gold.

A spec's rounds form stages: a round of answers and the rounds that judge it (Sections 3.4, 3.6 to
3.8). Dependency parsing has two, morphemes and then arcs. In a stage the last attempt is what
counts. A rejected answer goes back to its author while the round has attempts left. Nobody judges
their own answer. An expert's verdict goes before those of inspectors; where people contradict each
other no answer stands until an expert adjudicates. A final round comes after all stages (Sections
3.4, 3.6, 3.7): experts accept the whole answer of an item, correct it or parts of it, or reject
the item. What an expert adjudicated needs no final review.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.contracts.decisions import DECIDING, verdict_of
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.core.jsontext import canonical, parsed

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
    """Return the stages of a spec, in order; deciding rounds and a final one belong to none."""
    result: list[Stage] = []
    for round_ in spec.rounds:
        if round_.id in DECIDING or round_.final:
            continue
        if round_.answer != "verdict":
            result.append(Stage(round_))
        elif result:
            result[-1] = Stage(result[-1].answer, (*result[-1].verdicts, round_))
    return result


def final_round(spec: TaskSpec) -> Round | None:
    """Return the round in which experts review whole answers, if the spec has one."""
    return next((round_ for round_ in spec.rounds if round_.final), None)


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
    votes: Sequence[InspectedVote], spec: TaskSpec
) -> tuple[list[InspectedVote], list[tuple[str, str]]]:
    """Return the votes on one item that count, and rule and reason of each that does not."""
    counted: list[InspectedVote] = []
    faults: list[tuple[str, str]] = []
    plan, final = stages(spec), final_round(spec)
    rounds = {stage.answer.id: {stage.answer.id} for stage in plan}
    rounds |= {judge.id: {stage.answer.id} for stage in plan for judge in stage.verdicts}
    rounds |= {final.id: {stage.answer.id for stage in plan}} if final else {}
    for vote in votes:
        judged, of_any = rounds.get(vote.round), final is not None and vote.round == final.id
        answers = [
            v for v in votes if v.round in (judged or ()) and (of_any or v.attempt == vote.attempt)
        ]
        if judged is None:
            faults.append(("vote.round@1", "the spec has no such round"))
        elif vote.round in judged:
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


def review(
    final: Round,
    votes: Sequence[InspectedVote],
    answer: Settled,
    adjudications: Sequence[Any] = (),
) -> Settled:
    """Return what the final review of a whole answer came to, by the valid votes on its item.

    `answer` is what the stages came to, joined. Rejected, the item has neither answer nor queue.
    Where reviewers contradict each other, the answers of experts in round `adjudicate` decide.
    """
    verdicts = [vote for vote in votes if vote.round == final.id]
    if len(verdicts) < final.per_item:
        waits = Settled(reason="not_reviewed", queue="inspection")
        return answer if answer.experts else waits
    results = {leads_to(vote, answer.text) for vote in verdicts}
    if len(results) > 1:
        decisions = [corrected(answer.text, decision) for decision in adjudications]
        text = consensus(decisions) if decisions else None
        if text is None:
            return Settled(reason="reviewers_differ", queue="expert", experts=len(adjudications))
        return Settled(text, experts=len(adjudications))
    if results == {_REJECTED}:
        return Settled(reason="rejected_in_review", experts=answer.experts)
    return Settled(results.pop(), experts=answer.experts)


def join(settled: Sequence[Settled]) -> Settled:
    """Return the answers of all stages as one: objects are merged, one answer alone stays.

    The first stage without an answer says why there is none.
    """
    missing = next((stage for stage in settled if stage.text is None), None)
    if missing is not None:
        return missing
    experts = sum(stage.experts for stage in settled)
    if len(settled) == 1:
        return Settled(settled[0].text, experts=experts)
    parts = [parsed(stage.text or "") for stage in settled]
    objects = all(isinstance(part, dict) for part in parts)
    merged = {key: value for part in parts for key, value in part.items()} if objects else None
    return Settled(canonical(merged), experts=experts)


def consensus(decisions: Sequence[str]) -> str | None:
    """Return the one thing that all experts say; None where they contradict each other."""
    return decisions[0] if len(set(decisions)) == 1 else None


def leads_to(vote: InspectedVote, current: str | None) -> str | None:
    """Return the answer that a verdict on the current one leads to."""
    verdict = verdict_of(vote.answer)
    if verdict == "revise":
        return corrected(current, vote.answer.get("answer"))
    return _REJECTED if verdict == "reject" else current


def corrected(current: str | None, answer: Any) -> str:
    """Return a corrected answer; of a current one with several parts it may name some alone."""
    before = parsed(current) if current else None
    if isinstance(answer, dict) and isinstance(before, dict):
        answer = before | answer
    return canonical(answer)


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
