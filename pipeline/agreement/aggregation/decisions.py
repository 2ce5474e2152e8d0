"""What experts decided: about a report, about a person's name, about an item left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.ballots import NONE, Ballots
from pipeline.agreement.aggregation.outcome import Note
from pipeline.contracts.decisions import EXPERT, verdict_of


@dataclass(frozen=True)
class Decision:
    """One expert's decision: what it says, and when (microseconds, or UNKNOWN)."""

    answer: Any
    at: int


#: The decisions about each item, by its place.
Decisions = Mapping[int, Sequence[Decision]]


def newest(ballots: Ballots, round_: str) -> tuple[dict[int, list[Decision]], list[Note]]:
    """Return the decisions of a round, of each item those of the last attempt.

    Notes tell of votes in it that no expert gave, and of those without an answer.
    """
    here = ballots.only(ballots.in_rounds([round_]))
    expert = here.by_roles([EXPERT])
    valid = expert & (here.label != NONE)
    notes = _strangers(here.only(~expert), round_)
    notes += _empty(here.only(expert & (here.label == NONE) & (here.report == NONE)), round_)
    votes = here.only(valid)
    votes = votes.only(np.lexsort((votes.at, votes.label, votes.attempt, votes.item)))
    found: dict[int, list[Decision]] = {}
    for item, start, end in votes.slices():
        found[item] = [
            Decision(votes.names.answers[votes.label[i]], int(votes.at[i]))
            for i in range(start, end)
            if votes.attempt[i] == votes.attempt[end - 1]
        ]
    return found, notes


def verdicts(
    ballots: Ballots, round_: str, allowed: tuple[str, ...]
) -> tuple[dict[int, list[Decision]], list[Note]]:
    """Return the decisions of a round whose answers are {"verdict": one of `allowed`, ...}.

    Notes tell of the others.
    """
    found, notes = newest(ballots, round_)
    kept: dict[int, list[Decision]] = {}
    for item, given in found.items():
        good = [one for one in given if verdict_of(one.answer) in allowed]
        if good:
            kept[item] = good
        reason = f"a decision of round {round_} has a verdict of {', '.join(allowed)}"
        notes += [Note(ballots.names.items[item], "vote.form@1", reason)] * (len(given) - len(good))
    return kept, notes


def unneeded(item: str, what: str, count: int) -> list[Note]:
    """Return notes on votes about an item that needs none of the kind."""
    return [Note(item, "vote.unneeded@1", f"the item does not wait for {what}")] * count


def _strangers(votes: Ballots, round_: str) -> list[Note]:
    return [
        Note(
            votes.names.items[votes.item[i]],
            "vote.role@1",
            f"only an expert decides in round {round_}; given: {votes.names.roles[votes.role[i]]}",
        )
        for i in range(len(votes))
    ]


def _empty(votes: Ballots, round_: str) -> list[Note]:
    reason = f"a decision of round {round_} needs a label"
    return [Note(votes.names.items[item], "vote.form@1", reason) for item in votes.item.tolist()]
