"""What counting leaves open: inspected answers, top annotators and experts.

Inspected (3.4, 3.6 to 3.8): the last answer, once an inspector accepted or corrected it.
contracts/inspection.py says which answer of a stage is valid, for the rounds that follow and for
gold alike; gold joins the answers of all stages (dependency parsing: morphemes and arcs), and where
the spec has a final round, it is what experts made of that. Where inspectors contradict each other,
or a rejected answer has no attempt left, the item goes to the experts.

Items without a majority go to the annotators who agree best with it (Section 3.5.1): they choose
among the labels that were already given to the item. What is open then, an expert settles by a vote
in round `adjudicate`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, cast

import numpy as np

from pipeline.agreement.aggregation.decisions import Decision, Decisions, note_unneeded
from pipeline.agreement.aggregation.eligible_votes import (
    NONE,
    CodedVotes,
    once_per_person,
    person_codes,
)
from pipeline.agreement.aggregation.outcome import Note, Outcome, queue_outcome
from pipeline.agreement.aggregation.rules import LABELS, category_label
from pipeline.agreement.aggregation.tally import Pool, value_of, values
from pipeline.contracts.aggregation_rules import Inspected, Majority
from pipeline.contracts.decisions import EXPERT, RESOLVE, verdict_of
from pipeline.contracts.inspection import (
    VERDICTS,
    InspectedVote,
    Settled,
    Stage,
    consensus,
    final_round,
    join,
    leads_to,
    review,
    settle,
    stages,
    valid,
)
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.jsontext import parsed

INSPECTED: Final = "gold.inspected@1"
RESOLVED: Final = "gold.resolve@1"
ADJUDICATED: Final = "gold.adjudicate@1"
#: The key of the evidence that counts the experts who adjudicated.
MARK: Final = "adjudicated"
#: How many annotators are asked where the spec does not say.
TOP: Final = 30


def apply_inspection(pool: Pool, adjudications: Decisions) -> tuple[list[Outcome], list[Note]]:
    """Return the outcome of every item under the rule `inspected` of the spec, and notes.

    Unresolved queues: votes (no answer yet), inspection (no verdict yet), revision (rejected, and
    the round has attempts left), expert (contradiction, or attempts used up). An accepted answer
    without any span is removed (all that was marked in the item was false, Section 3.4.1) unless
    the rule says that it may be `empty`, and so is an item that the final round rejected.
    """
    votes, names = pool.counted, pool.counted.names
    plan = stages(pool.spec)
    notes: list[Note] = []
    on_item: dict[int, list[InspectedVote]] = {}
    who = person_codes(votes).tolist()
    for item, start, end in votes.slices():
        inspected_votes = [
            InspectedVote(
                names.rounds[votes.round[i]],
                int(votes.attempt[i]),
                who[i],
                names.roles[votes.role[i]] == EXPERT,
                names.labels[votes.label[i]],
                names.answers[votes.label[i]],
            )
            for i in range(start, end)
        ]
        on_item[item], faults = valid(inspected_votes, pool.spec)
        notes += [Note(names.items[item], rule, reason) for rule, reason in faults]
    outcomes = [
        _outcome(on_item.get(item, ()), plan, adjudications.get(item, ()), pool)
        for item in range(len(names.items))
    ]
    return outcomes, notes


def _outcome(
    votes: Sequence[InspectedVote], plan: Sequence[Stage], decisions: Sequence[Decision], pool: Pool
) -> Outcome:
    judged = (verdict_of(vote.answer) for vote in votes)
    evidence: dict[str, Any] = {
        "rounds": dict(sorted(Counter(vote.round for vote in votes).items())),
        "voters": len({vote.who for vote in votes}),
        "attempts": max((vote.attempt for vote in votes), default=0),
        "verdicts": dict(sorted(Counter(v for v in judged if v in VERDICTS).items())),
    }
    adjudications = [decision.answer for decision in decisions]
    done = [settle(stage, votes, adjudications) for stage in plan]
    settled = join(done)
    final = final_round(pool.spec)
    if final is not None and settled.text is not None:
        settled = review(final, votes, settled, adjudications)
    evidence |= {MARK: settled.experts} if settled.experts else {}
    rule = ADJUDICATED if settled.experts else INSPECTED
    if settled.queue is not None:
        return queue_outcome(INSPECTED, len(votes), str(settled.reason), settled.queue, evidence)
    if settled.text is None:
        return Outcome("removed", rule, len(votes), reason=settled.reason, evidence=evidence)
    answer = parsed(settled.text)
    value_of(answer, pool.task)  # raises InputError for an answer of another form
    may_be_empty = cast(Inspected, pool.spec.aggregation).empty
    if plan[-1].answer.answer == "spans" and not answer and not may_be_empty:
        return Outcome("removed", rule, len(votes), reason="no_entity", evidence=evidence)
    support = sum(_support(stage, votes, each) for stage, each in zip(plan, done, strict=True))
    if final is not None:
        before = join(done).text
        support += sum(
            vote.round == final.id and leads_to(vote, before) == settled.text for vote in votes
        )
    share = support / len(votes) if votes else None
    return Outcome("gold", rule, len(votes), settled.text, agreement=share, evidence=evidence)


def _support(stage: Stage, votes: Sequence[InspectedVote], settled: Settled) -> int:
    """Count the answers equal to gold, and the verdicts that accepted it or corrected to it."""
    judges, text = {judge.id for judge in stage.verdicts}, settled.text
    right = {v.attempt for v in votes if v.round == stage.answer.id and v.text == text}
    count = sum(v.round == stage.answer.id and v.text == text for v in votes)
    for v in votes:
        if v.round in judges:
            verdict = verdict_of(v.answer)
            count += verdict == "accept" and v.attempt in right
            count += verdict == "revise" and leads_to(v, None) == text
    return count


def top_annotators(pool: Pool, outcomes: Sequence[Outcome]) -> list[str] | None:
    """Return the ids of the top-ranked annotators, best first; None if the spec asks none.

    Annotators are ranked by their share of votes for the majority's label, ties by id. Their own
    votes are part of the majority. Whoever has fewer than `exclusion.minimum_items` items with a
    majority is not ranked.
    """
    rule = pool.spec.aggregation
    if not isinstance(rule, Majority) or rule.otherwise != "top_annotators":
        return None
    codes, values_ = pool.coded
    place = {category_label(value, pool.spec): code for code, value in enumerate(values_)}
    gold = np.array([place.get(o.label or "", NONE) for o in outcomes] or [NONE])
    majority, voters = gold[pool.counted.item], pool.counted.annotator
    valid = (majority != NONE) & (voters != NONE)
    names = pool.counted.names.annotators
    items = np.bincount(voters[valid], minlength=len(names)).tolist()
    agreed = np.bincount(voters[valid & (majority == codes)], minlength=len(names)).tolist()
    ranked = [who for who in range(len(names)) if items[who] >= pool.spec.exclusion.minimum_items]
    ranked.sort(key=lambda who: (-Fraction(agreed[who], items[who]), names[who]))
    return [names[who] for who in ranked[: rule.top or TOP]]


def resolve(
    outcomes: Sequence[Outcome],
    pool: Pool,
    votes: CodedVotes,
    *,
    top: Collection[str],
    held_items: Collection[int],
) -> tuple[list[Outcome], list[Note]]:
    """Return the outcomes with the votes of round `resolve`, and notes.

    More than half of those who were to answer (the round's `per_item`, or all who did if they are
    more) must choose a label. If all answered and none has so many, the item goes to the experts.
    A vote by somebody not among the top, or for a label nobody gave before, does not count.
    `held_items` are the items that a report holds: their votes wait.
    """
    in_round = votes.only(votes.in_rounds([RESOLVE]) & (votes.label != NONE))
    asked = [i for i, outcome in enumerate(outcomes) if outcome.queue == "top_annotators"]
    items = in_round.names.items
    late = in_round.item[~np.isin(in_round.item, [*asked, *held_items])].tolist()
    notes = [note for item in late for note in note_unneeded(items[item], "the top annotators", 1)]
    waits = np.isin(in_round.item, sorted({*asked} - {*held_items}))
    answers, more = once_per_person(in_round.only(waits), last=True)
    codes, names = values(answers, pool.task)
    best = {code for code, name in enumerate(answers.names.annotators) if name in top}
    results = list(outcomes)
    for item, start, end in answers.slices():
        known = outcomes[item].evidence["counts"]
        chosen: Counter[str] = Counter()
        for i in range(start, end):
            value, who = names[codes[i]], answers.who(i)
            if int(answers.annotator[i]) not in best:
                fault = "vote.not_top@1", f"{who} is not among the top-ranked annotators"
                notes.append(Note(items[item], *fault))
            elif value not in known:
                fault = "vote.not_given@1", f"{who} chose a label nobody had given"
                notes.append(Note(items[item], *fault))
            else:
                chosen[value] += 1
        if chosen:
            results[item] = _outcome_of_resolution(outcomes[item], chosen, pool)
    return results, [*notes, *more]


def _outcome_of_resolution(outcome: Outcome, chosen: Counter[str], pool: Pool) -> Outcome:
    round_ = pool.spec.round(RESOLVE)
    planned = max(chosen.total(), round_.per_item if round_ else 1)
    facts = {"counts": dict(sorted(chosen.items())), "voters": chosen.total()}
    evidence = {**outcome.evidence, "resolve": facts}
    leading, most = min(chosen.items(), key=lambda pair: (-pair[1], pair[0]))
    if 2 * most > planned:
        label = category_label(leading, pool.spec)
        share = outcome.evidence["counts"][leading] / outcome.votes
        return Outcome("gold", RESOLVED, outcome.votes, label, agreement=share, evidence=evidence)
    if chosen.total() < planned:
        return replace(outcome, evidence=evidence)
    return queue_outcome(RESOLVED, outcome.votes, "no_majority_of_top", "expert", evidence)


def adjudicate(
    outcomes: Sequence[Outcome], decisions: Decisions, task: Task, spec: TaskSpec
) -> list[Outcome]:
    """Return the outcomes of categories or scores, with the unresolved ones settled by experts."""
    results = list(outcomes)
    label_of = LABELS.get(task.kind, category_label)
    for item, decisions_on_item in decisions.items():
        outcome = outcomes[item]
        if outcome.status != "unresolved":
            continue
        evidence = {**outcome.evidence, MARK: len(decisions_on_item)}
        label = consensus(
            [label_of(value_of(decision.answer, task), spec) for decision in decisions_on_item]
        )
        if label is None:
            results[item] = queue_outcome(
                ADJUDICATED, outcome.votes, "experts_differ", "expert", evidence
            )
            continue
        share = None  # of votes for the expert's category; for scores there is none
        if task.kind == "category" and outcome.votes:
            same = (n for v, n in evidence["counts"].items() if category_label(v, spec) == label)
            share = sum(same) / outcome.votes
        results[item] = Outcome(
            "gold", ADJUDICATED, outcome.votes, label, agreement=share, evidence=evidence
        )
    return results
