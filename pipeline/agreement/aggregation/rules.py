"""The rules that count answers: the majority of categories or labels, and the mean of scores.

Majority (Sections 3.1.1, 3.3.1, 3.5.1): the label that enough votes name, and nothing else.

Mean (Section 3.2.1): the paper says that the score is "rounded up to the first decimal place"; all
519 pairs of KLUE-STS dev are rounded to the nearest tenth instead. A mean that lies halfway between
two steps (four votes: 2.25) goes to the upper one; with five, six or seven votes there is none. All
is computed in fractions, so that no order of additions and no binary fraction decides anything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, cast

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE, CodedVotes, Codes
from pipeline.agreement.aggregation.outcome import Outcome, queue_outcome
from pipeline.agreement.votes.labels import view_answer
from pipeline.contracts.aggregation_rules import LabelMajority, Majority, Mean
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.jsontext import canonical


@dataclass(frozen=True)
class Tally:
    """The votes on one item: how many for each value, in the order of values, and each round.

    `excluded` counts the votes of excluded annotators, which are in neither; `authors` those of
    authors, which are in both.
    """

    counts: tuple[tuple[Any, int], ...]
    rounds: tuple[tuple[str, int], ...]
    excluded: int
    authors: int = 0

    @property
    def votes(self) -> int:
        """Return the number of votes that count."""
        return sum(n for _, n in self.counts)

    def evidence(self, **more: Any) -> dict[str, Any]:
        """Return it as plain data, with more facts."""
        facts: dict[str, Any] = {
            "counts": {str(value): n for value, n in self.counts},
            "voters": self.votes,
            "rounds": dict(self.rounds),
        }
        return facts | ({"excluded": self.excluded} if self.excluded else {}) | more

    def without_majority(
        self, rule: str, otherwise: Literal["removed", "expert", "top_annotators"], facts: Any
    ) -> Outcome:
        """Return the outcome of an item on which no label has enough votes."""
        if otherwise == "removed":
            return Outcome("removed", rule, self.votes, reason="no_majority", evidence=facts)
        return queue_outcome(rule, self.votes, "no_majority", otherwise, facts)


@dataclass(frozen=True)
class Pool:
    """The votes that count for a rule.

    `excluded` are votes of excluded annotators. Both are by item and hold only known items.
    """

    counted: CodedVotes
    excluded: CodedVotes
    task: Task
    spec: TaskSpec

    @cached_property
    def coded(self) -> tuple[Codes, tuple[Any, ...]]:
        """Return the value of every counted vote as a code, and the values in their order."""
        return values(self.counted, self.task)

    def decide(self, rule: Callable[[Tally, TaskSpec], Outcome]) -> list[Outcome]:
        """Return the outcome of every item: the rule is asked once for each different tally."""
        codes, names = self.coded
        rounds = self.counted.names.rounds
        width = max(len(rounds), 1)
        cells = codes * width + self.counted.round
        cells = cells[np.lexsort((cells, self.counted.item))]
        by_authors = self.counted.only(self.counted.by_roles(["author"]))
        excluded, authors = (
            np.bincount(votes.item, minlength=len(votes.names.items)).tolist()
            for votes in (self.excluded, by_authors)
        )
        ranges = {item: slice(start, end) for item, start, end in self.counted.slices()}
        known: dict[tuple[bytes, int, int], Outcome] = {}
        outcomes: list[Outcome] = []
        for item, (out, wrote) in enumerate(zip(excluded, authors, strict=True)):
            cells_of_item = cells[ranges.get(item, slice(0, 0))]
            key = (cells_of_item.tobytes(), out, wrote)
            if key not in known:
                counts = Counter((cells_of_item // width).tolist())
                in_rounds = Counter((cells_of_item % width).tolist())
                tally = Tally(
                    tuple((names[code], n) for code, n in sorted(counts.items())),
                    tuple((rounds[code], n) for code, n in sorted(in_rounds.items())),
                    out,
                    wrote,
                )
                known[key] = rule(tally, self.spec)
            outcomes.append(known[key])
        return outcomes


def values(votes: CodedVotes, task: Task) -> tuple[Codes, tuple[Any, ...]]:
    """Return the values that votes are compared as: a code for each vote, and the sorted values.

    Categories are texts, scores exact fractions, several labels frozensets. Raises InputError for
    an answer of another form.
    """
    used = np.unique(votes.label).tolist()
    answers = votes.names.answers
    views = {code: value_of(answers[code], task) for code in used if code != NONE}
    ordered = sorted(set(views.values()), key=sorted if task.kind == "labels" else None)
    place = {value: i for i, value in enumerate(ordered)}
    codes = np.full(len(answers) + 1, NONE, np.int64)
    for code, value in views.items():
        codes[code] = place[value]
    return codes[votes.label], tuple(ordered)


def value_of(answer: Any, task: Task) -> Any:
    """Return what an answer is compared as; a score as an exact fraction.

    Raises InputError for an answer of another form; it is not shown.
    """
    view = view_answer(answer, task)
    return Fraction(str(view)) if task.kind == "number" else view


MAJORITY: Final = "gold.majority@1"
LABEL_MAJORITY: Final = "gold.label_majority@1"
MEAN: Final = "gold.mean@1"


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
    return tally.without_majority(MAJORITY, rule.otherwise, evidence)


def category_label(value: Any, spec: TaskSpec) -> str:
    """Return a category as the JSON text of an answer of the task's form."""
    ranked = any(round_.answer == "topics" for round_ in spec.rounds)
    return canonical([value] if ranked else value)


def label_majority(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `label_majority` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. The labels that more than the share
    `needed` of the votes name are gold; its agreement is the share of votes for exactly these. An
    item without such a label is gold without any where the rule allows it (`empty`), else removed
    or for the experts. `counts` of the evidence are votes by label.
    """
    rule = cast(LabelMajority, spec.aggregation)
    counts: Counter[str] = Counter()
    for labels, n in tally.counts:
        counts.update(dict.fromkeys(labels, n))
    evidence = tally.evidence(counts=dict(sorted(counts.items())))
    if tally.votes < rule.minimum:
        return queue_outcome(LABEL_MAJORITY, tally.votes, "too_few_votes", "votes", evidence)
    least = exact(rule.needed) * tally.votes
    gold = frozenset(label for label, n in counts.items() if n > least)
    if gold or rule.empty:
        label, share = labels_label(gold, spec), dict(tally.counts).get(gold, 0) / tally.votes
        return Outcome(
            "gold", LABEL_MAJORITY, tally.votes, label, agreement=share, evidence=evidence
        )
    return tally.without_majority(LABEL_MAJORITY, rule.otherwise, evidence)


def labels_label(labels: frozenset[str], spec: TaskSpec) -> str:
    """Return several labels as a JSON list, in the order of the spec."""
    order = {label: place for place, label in enumerate(spec.ids())}
    return canonical(sorted(labels, key=lambda label: (order.get(label, len(order)), label)))


def mean(tally: Tally, spec: TaskSpec) -> Outcome:
    """Return the outcome of an item with these votes under the rule `mean` of the spec.

    Fewer than `minimum` votes: unresolved, queue votes. A population standard deviation above
    `drop_deviation`: removed. Otherwise gold, {"label", "real-label", "binary-label"}; its
    agreement is 1 - deviation / half the scale.
    """
    rule = cast(Mean, spec.aggregation)
    n = tally.votes
    if n < rule.minimum:
        return queue_outcome(MEAN, n, "too_few_votes", "votes", tally.evidence())
    average = sum((value * k for value, k in tally.counts), Fraction()) / n
    variance = sum((value * value * k for value, k in tally.counts), Fraction()) / n - average**2
    deviation = math.sqrt(variance)
    evidence = tally.evidence(deviation=round(deviation, 6))
    if variance > exact(rule.drop_deviation) ** 2:
        return Outcome("removed", MEAN, n, reason="deviation", evidence=evidence)
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    agreement = max(0.0, 1 - deviation / ((high - low) / 2))
    label = score_label(average, spec)
    return Outcome("gold", MEAN, n, label, agreement=agreement, evidence=evidence)


def score_label(average: Fraction, spec: TaskSpec) -> str:
    """Return the gold label of a mean as JSON: rounded, as it is, and whether it is high enough."""
    rule = cast(Mean, spec.aggregation)
    step = exact(rule.step)
    return canonical(
        {
            "label": float(math.floor(average / step + Fraction(1, 2)) * step),
            "real-label": float(f"{float(average):.16g}"),  # as the official file prints it
            "binary-label": int(average >= exact(rule.binary_at)),
        }
    )


def exact(number: Any) -> Fraction:
    """Return a number of a spec as it is written there: 0.1 is one tenth."""
    return Fraction(str(number))


#: The label of a value as gold has it, by kind; other kinds are taken for categories.
LABELS: Final[Mapping[str, Callable[[Any, TaskSpec], str]]] = {
    "labels": labels_label,
    "number": score_label,
}
#: The rules that count answers; `inspected` follows one answer through its inspections.
COUNTING: Final[Mapping[str, Callable[[Tally, TaskSpec], Outcome]]] = {
    "majority": majority,
    "label_majority": label_majority,
    "mean": mean,
}
