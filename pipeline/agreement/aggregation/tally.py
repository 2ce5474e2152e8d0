"""The votes on items as rules see them: how many for each answer, and the pool of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import NONE, CodedVotes, Codes
from pipeline.agreement.aggregation.outcome import Outcome, queue_outcome
from pipeline.agreement.votes.labels import view_answer
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task

T = TypeVar("T")


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

    def plus(self, value: Any) -> Tally:
        """Return the tally with one more vote for a category, in no round."""
        counts = dict(self.counts)
        return replace(
            self, counts=tuple(sorted((counts | {value: counts.get(value, 0) + 1}).items()))
        )

    @property
    def by_label(self) -> dict[str, int]:
        """Return how many votes name each label, where a vote names several or none."""
        counts: Counter[str] = Counter()
        for labels, n in self.counts:
            counts.update(dict.fromkeys(labels, n))
        return dict(sorted(counts.items()))

    @property
    def moments(self) -> tuple[Fraction, Fraction]:
        """Return the mean of the scores and their population variance; (0, 0) without votes."""
        n = max(self.votes, 1)
        mean = sum((value * k for value, k in self.counts), Fraction()) / n
        squares = sum((value * value * k for value, k in self.counts), Fraction())
        return mean, squares / n - mean**2

    def evidence(self, **more: Any) -> dict[str, Any]:
        """Return it as plain data, with more facts."""
        facts: dict[str, Any] = {
            "counts": {str(value): n for value, n in self.counts},
            "voters": self.votes,
            "rounds": dict(self.rounds),
        }
        return facts | ({"excluded": self.excluded} if self.excluded else {}) | more

    def open(
        self,
        rule: str,
        otherwise: Literal["removed", "expert", "top_annotators"],
        facts: Mapping[str, Any],
        *,
        reason: str = "no_majority",
    ) -> Outcome:
        """Return the outcome of an item on which a rule finds no label, as its spec says."""
        if otherwise == "removed":
            return Outcome("removed", rule, self.votes, reason=reason, evidence=facts)
        return queue_outcome(rule, self.votes, reason, otherwise, facts)


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

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """Return the votes on every item; items with equal votes share one tally."""
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
        known: dict[tuple[bytes, int, int], Tally] = {}
        tallies: list[Tally] = []
        for item, (out, wrote) in enumerate(zip(excluded, authors, strict=True)):
            cells_of_item = cells[ranges.get(item, slice(0, 0))]
            key = (cells_of_item.tobytes(), out, wrote)
            if key not in known:
                counts = Counter((cells_of_item // width).tolist())
                in_rounds = Counter((cells_of_item % width).tolist())
                known[key] = Tally(
                    tuple((names[code], n) for code, n in sorted(counts.items())),
                    tuple((rounds[code], n) for code, n in sorted(in_rounds.items())),
                    out,
                    wrote,
                )
            tallies.append(known[key])
        return tuple(tallies)

    def each(self, function: Callable[[Tally], T]) -> list[T]:
        """Return what a function makes of every item's tally, asked once for each of them."""
        known = {id(tally): tally for tally in self.tallies}
        results = {key: function(tally) for key, tally in known.items()}
        return [results[id(tally)] for tally in self.tallies]

    def decide(self, rule: Callable[[Tally, TaskSpec], Outcome]) -> list[Outcome]:
        """Return the outcome of every item under a rule."""
        return self.each(lambda tally: rule(tally, self.spec))


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


def exact(number: Any) -> Fraction:
    """Return a number of a spec as it is written there: 0.1 is one tenth."""
    return Fraction(str(number))
