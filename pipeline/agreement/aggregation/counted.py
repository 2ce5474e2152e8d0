"""Which votes count for a rule: given in a role of it, and once a person."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.aggregation.ballots import NONE, Ballots, Codes
from pipeline.agreement.aggregation.outcome import Note
from pipeline.contracts import decisions
from pipeline.contracts.decisions import DECIDING
from pipeline.contracts.spec import TaskSpec

RESOLVE: Final = decisions.RESOLVE


def answering(ballots: Ballots, spec: TaskSpec) -> tuple[Ballots, list[Note]]:
    """Return the votes that answer the items, in the roles of the rule, and notes on the others.

    Left out without a note: reports that come without an answer, and decisions.
    """
    given = (ballots.label != NONE) & ~ballots.in_rounds(DECIDING)
    known = ballots.by_roles(spec.aggregation.roles)
    wrong = ballots.only(given & ~known)
    allowed = ", ".join(spec.aggregation.roles)
    notes = [
        Note(
            wrong.names.items[wrong.item[i]],
            "vote.role@1",
            f"the role {wrong.names.roles[wrong.role[i]]} does not count; allowed: {allowed}",
        )
        for i in range(len(wrong))
    ]
    return ballots.only(given & known), notes


def others(answers: Ballots, every: Ballots, spec: TaskSpec) -> tuple[Ballots, list[Note]]:
    """Return the answers without those about a person's own work, and notes on the latter.

    They are in a round that the annotators of another (`not_by`), or the item's author, must leave
    to others. Intake refuses them; but an author's vote can be taken in after the person's own.
    """
    own = np.zeros(len(answers), np.bool_)
    written = every.by_roles(["author"])
    for one in spec.rounds:
        if one.not_by:
            here = answers.in_rounds([one.id]) & ~answers.by_roles(["author"])
            work = every.only(written | every.in_rounds(one.not_by))
            own |= here & (answers.annotator != NONE) & np.isin(_pairs(answers), _pairs(work))
    reason = "an answer about the annotator's own work"
    items = answers.names.items
    notes = [Note(items[item], "vote.own@1", reason) for item in answers.item[own].tolist()]
    return answers.only(~own), notes


def _pairs(votes: Ballots) -> Codes:
    """Number the pairs of an item and an annotator."""
    return votes.item * (len(votes.names.annotators) + 1) + votes.annotator


def once(ballots: Ballots, *, last: bool) -> tuple[Ballots, list[Note]]:
    """Return the votes of every person (or seat) in a round of an item, each counted once.

    With `last` only the last attempt counts; without it every attempt does. The same answer given
    twice in an attempt counts once; two different ones count for neither, since nothing says which
    was meant. A note tells of every vote left out.
    """
    who = people(ballots)
    attempt = np.zeros_like(ballots.attempt) if last else ballots.attempt
    order = np.lexsort((ballots.label, ballots.attempt, who, attempt, ballots.round, ballots.item))
    votes = ballots.only(order)
    key = np.stack([votes.item, votes.round, attempt[order], who[order]])
    starts = runs(key)
    ends = np.append(starts[1:], len(votes))
    keep = np.ones(len(votes), np.bool_)
    notes: list[Note] = []
    for group in np.flatnonzero(ends - starts > 1).tolist():
        notes += _settle(votes, keep, int(starts[group]), int(ends[group]))
    return votes.only(keep), notes


def runs(key: Codes) -> Codes:
    """Return where a run of equal columns of `key` (keys, votes) starts."""
    if not key.shape[1]:
        return np.empty(0, np.int64)
    return np.flatnonzero(np.append(True, (key[:, 1:] != key[:, :-1]).any(axis=0)))


def people(ballots: Ballots) -> Codes:
    """Number the people and seats; an anonymous vote without a seat is a person of its own."""
    people, seats = len(ballots.names.annotators), len(ballots.names.seats)
    alone = people + seats + np.arange(len(ballots))
    seated = np.where(ballots.seat != NONE, people + ballots.seat, alone)
    return np.where(ballots.annotator != NONE, ballots.annotator, seated)


def _settle(votes: Ballots, keep: npt.NDArray[np.bool_], start: int, end: int) -> list[Note]:
    """Mark what counts of one person's votes; they stand by attempt and label."""
    last = [i for i in range(start, end) if votes.attempt[i] == votes.attempt[end - 1]]
    same = votes.label[last[0]] == votes.label[last[-1]]
    keep[start:end] = False
    keep[last[0]] = same
    item = votes.names.items[votes.item[start]]
    earlier = Note(
        item, "vote.superseded@1", f"{votes.who(start)} answered again in a later attempt"
    )
    what = "the same answer twice" if same else "two different answers in one attempt"
    double = Note(item, "vote.double@1", f"{votes.who(start)} gave {what}")
    return [earlier] * (last[0] - start) + [double] * (len(last) - int(same))
