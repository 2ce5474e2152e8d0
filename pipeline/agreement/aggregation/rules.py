"""The rules that count labels, the majority and the plurality, and what rules there are.

Majority (Sections 3.1.1, 3.3.1, 3.5.1): the label that enough votes name, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from pipeline.agreement.aggregation.outcome import Outcome, queue_outcome
from pipeline.agreement.aggregation.score_rules import mean, median, score_label
from pipeline.agreement.aggregation.tally import Tally, exact
from pipeline.contracts.aggregation_rules import LabelMajority, Majority, Plurality
from pipeline.contracts.spec import TaskSpec
from pipeline.core.jsontext import canonical

MAJORITY: Final = "gold.majority@1"
LABEL_MAJORITY: Final = "gold.label_majority@1"
PLURALITY: Final = "gold.plurality@1"


def majority(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `majority` of the spec.

    Fewer than `minimum` votes, or none by an author where authors are to vote: unresolved, queue
    votes. A label that at least `needed` votes name, and more than half of all: gold (two of three,
    three of five; four of seven). Otherwise the item is removed, or goes to the experts or the
    top-ranked annotators, as the spec says; a tie is never settled.
    """
    rule = cast(Majority, spec.aggregation)
    evidence = tally.evidence()
    if tally.votes < rule.minimum:
        return queue_outcome(MAJORITY, tally.votes, "too_few_votes", "votes", evidence)
    if "author" in rule.roles and not tally.authors:
        return queue_outcome(MAJORITY, tally.votes, "no_author", "votes", evidence)
    leading, most = max(tally.counts, key=lambda pair: pair[1])
    if most >= max(rule.needed, tally.votes // 2 + 1):
        label, share = category_label(leading, spec), most / tally.votes
        return Outcome("gold", MAJORITY, tally.votes, label, agreement=share, evidence=evidence)
    return tally.open(MAJORITY, rule.otherwise, evidence)


def plurality(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `plurality` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. The label that most votes name is gold
    where the next one has at least `margin` fewer; `margin` of the evidence is how many fewer.
    """
    rule = cast(Plurality, spec.aggregation)
    if tally.votes < rule.minimum:
        return queue_outcome(PLURALITY, tally.votes, "too_few_votes", "votes", tally.evidence())
    (leading, most), *others = sorted(tally.counts, key=lambda pair: -pair[1])
    margin = most - (others[0][1] if others else 0)
    evidence = tally.evidence(margin=margin)
    if margin < rule.margin:
        reason = "small_margin" if margin else "tie"
        return tally.open(PLURALITY, rule.otherwise, evidence, reason=reason)
    label, share = category_label(leading, spec), most / tally.votes
    return Outcome("gold", PLURALITY, tally.votes, label, agreement=share, evidence=evidence)


def category_label(value: Any, spec: TaskSpec) -> str:
    """Return a category as the JSON text of an answer of the task's form."""
    ranked = any(round_.answer == "topics" for round_ in spec.rounds)
    return canonical([value] if ranked else value)


def label_majority(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `label_majority` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. The labels that more than the share
    `needed` of the votes name are gold; its agreement is the share of votes for exactly these. An
    item without such a label is gold without any where the rule allows it (`empty`), else removed
    or for the experts; with `queue_ties` an item with a label of just this share is for them, too.
    `counts` of the evidence are votes by label.
    """
    rule = cast(LabelMajority, spec.aggregation)
    counts = tally.by_label
    evidence = tally.evidence(counts=counts)
    if tally.votes < rule.minimum:
        return queue_outcome(LABEL_MAJORITY, tally.votes, "too_few_votes", "votes", evidence)
    least = exact(rule.needed) * tally.votes
    if rule.queue_ties and least in counts.values():
        return queue_outcome(LABEL_MAJORITY, tally.votes, "tie", "expert", evidence)
    gold = frozenset(label for label, n in counts.items() if n > least)
    if gold or rule.empty:
        label, share = labels_label(gold, spec), dict(tally.counts).get(gold, 0) / tally.votes
        return Outcome(
            "gold", LABEL_MAJORITY, tally.votes, label, agreement=share, evidence=evidence
        )
    return tally.open(LABEL_MAJORITY, rule.otherwise, evidence)


def labels_label(labels: frozenset[str], spec: TaskSpec) -> str:
    """Return several labels as a JSON list, in the order of the spec."""
    order = {label: place for place, label in enumerate(spec.ids())}
    return canonical(sorted(labels, key=lambda label: (order.get(label, len(order)), label)))


#: The label of a value as gold has it, by kind; other kinds are taken for categories.
LABELS: Final[Mapping[str, Callable[[Any, TaskSpec], str]]] = {
    "labels": labels_label,
    "number": score_label,
}
#: The rules that count answers; `inspected` follows one answer through its inspections.
COUNTING: Final[Mapping[str, Callable[[Tally, TaskSpec], Outcome]]] = {
    "majority": majority,
    "plurality": plurality,
    "label_majority": label_majority,
    "mean": mean,
    "median": median,
}
