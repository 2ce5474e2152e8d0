"""What a rule decides on: the votes that count, as values, and how many were left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.ballots import NONE, Ballots, Codes
from pipeline.agreement.aggregation.outcome import Outcome
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError


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
        found: dict[str, Any] = {
            "counts": {str(value): n for value, n in self.counts},
            "voters": self.votes,
            "rounds": dict(self.rounds),
        }
        return found | ({"excluded": self.excluded} if self.excluded else {}) | more


@dataclass(frozen=True)
class Pool:
    """The votes that count for a rule.

    `excluded` are votes of excluded annotators. Both are by item and hold only known items.
    """

    counted: Ballots
    excluded: Ballots
    task: Task
    spec: TaskSpec

    @cached_property
    def coded(self) -> tuple[Codes, tuple[Any, ...]]:
        """Return the value of every counted vote as a code, and the values in their order."""
        return values(self.counted, self.task)

    @cached_property
    def left_out(self) -> list[int]:
        """Return for every item how many votes of excluded annotators it has."""
        return _per_item(self.excluded)

    @cached_property
    def authors(self) -> list[int]:
        """Return for every item how many of the counted votes are by authors."""
        return _per_item(self.counted.only(self.counted.by_roles(["author"])))

    def decide(self, rule: Callable[[Tally], Outcome]) -> list[Outcome]:
        """Return the outcome of every item: the rule is asked once for each different tally."""
        codes, names = self.coded
        rounds = self.counted.names.rounds
        both = codes * len(rounds) + self.counted.round
        both = both[np.lexsort((both, self.counted.item))]
        made: dict[tuple[bytes, int, int], Outcome] = {}
        ends = [(0, 0)] * len(self.left_out)
        for item, start, end in self.counted.slices():
            ends[item] = (start, end)
        found: list[Outcome] = []
        for (start, end), out, wrote in zip(ends, self.left_out, self.authors, strict=True):
            key = (both[start:end].tobytes(), out, wrote)
            if key not in made:
                made[key] = rule(_tally(both[start:end], names, rounds, out, wrote))
            found.append(made[key])
        return found


def _per_item(votes: Ballots) -> list[int]:
    return [int(n) for n in np.bincount(votes.item, minlength=len(votes.names.items))]


def _tally(
    both: Codes, names: tuple[Any, ...], rounds: tuple[str, ...], excluded: int, authors: int
) -> Tally:
    counts = Counter((both // max(len(rounds), 1)).tolist())
    given = Counter((both % max(len(rounds), 1)).tolist())
    return Tally(
        tuple((names[code], n) for code, n in sorted(counts.items())),
        tuple((rounds[code], n) for code, n in sorted(given.items())),
        excluded,
        authors,
    )


def values(ballots: Ballots, task: Task) -> tuple[Codes, tuple[Any, ...]]:
    """Return the values that votes are compared as: a code for each vote, and the sorted values.

    Categories are texts, scores exact fractions. Raises InputError for an answer of another form.
    """
    used = np.unique(ballots.label).tolist()
    answers = ballots.names.answers
    seen = {code: viewed(answers[code], task) for code in used if code != NONE}
    ordered = sorted(set(seen.values()))
    place = {value: i for i, value in enumerate(ordered)}
    moved = np.full(len(answers) + 1, NONE, np.int64)
    for code, value in seen.items():
        moved[code] = place[value]
    return moved[ballots.label], tuple(ordered)


def viewed(answer: Any, task: Task) -> Any:
    """Return what an answer is compared as; a score as an exact fraction.

    Raises InputError for an answer of another form; it is not shown.
    """
    try:
        found = task.view(answer)
        if task.kind == "number":
            return Fraction(str(found))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        found = None
    if isinstance(answer, str) and found != answer:
        found = None  # a text that is taken for a list of letters
    if found is None or (task.kind == "category" and not isinstance(found, str)):
        raise InputError(
            f"an answer has not the form that task {task.id} has; import the votes, which checks"
            " each answer against the spec"
        )
    return found
