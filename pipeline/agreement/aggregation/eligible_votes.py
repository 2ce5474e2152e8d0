"""Votes as arrays of codes, and which of them count for a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.agreement.aggregation.outcome import Note
from pipeline.agreement.votes.labels import load_label
from pipeline.agreement.votes.ratings import code_texts
from pipeline.agreement.votes.selection import COUNTS, DIFFERENT, EARLIER, SAME, judge_repeats
from pipeline.contracts.decisions import DECIDING
from pipeline.contracts.spec import TaskSpec

Codes = npt.NDArray[np.int64]
#: The code of a null.
NONE: Final = -1
#: When a vote was given, where the table does not say.
UNKNOWN: Final = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Names:
    """What the codes of votes stand for: items in their own order, all else sorted."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    seats: tuple[str, ...]
    roles: tuple[str, ...]
    rounds: tuple[str, ...]
    labels: tuple[str, ...]
    reports: tuple[str, ...]

    @cached_property
    def answers(self) -> tuple[Any, ...]:
        """Return what every label says, each text read once.

        Raises InputError for a label that is not JSON; it is not shown.
        """
        return tuple(load_label(text, "a label of the votes") for text in self.labels)


@dataclass(frozen=True)
class CodedVotes:
    """Votes, one entry each: codes into `names`, -1 for null; `at` in microseconds or UNKNOWN.

    Sorted by item, round, attempt, annotator, seat, role, label, report and time, so that whatever
    is computed from them is the same for any order of the rows.
    """

    item: Codes
    round: Codes
    attempt: Codes
    annotator: Codes
    seat: Codes
    role: Codes
    label: Codes
    report: Codes
    at: Codes
    names: Names

    def __len__(self) -> int:
        """Return the number of votes."""
        return len(self.item)

    def only(self, keep: npt.NDArray[np.bool_] | Codes) -> CodedVotes:
        """Return the votes where `keep` is true, or those at its places, in its order."""
        arrays = {
            field.name: getattr(self, field.name)[keep]
            for field in fields(self)
            if field.name != "names"
        }
        return CodedVotes(**arrays, names=self.names)

    def in_rounds(self, rounds: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell of each vote whether it was given in one of these rounds."""
        return np.isin(self.round, [i for i, r in enumerate(self.names.rounds) if r in rounds])

    def by_roles(self, roles: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell of each vote whether it was given in one of these roles."""
        return np.isin(self.role, [i for i, r in enumerate(self.names.roles) if r in roles])

    def who(self, place: int) -> str:
        """Return how to call the annotator of a vote."""
        code = self.annotator[place]
        return (
            "an anonymous annotator" if code == NONE else f"annotator {self.names.annotators[code]}"
        )

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield (item, start, end) of the votes of each item that has any; needs them by item."""
        if not len(self):
            return
        starts = np.flatnonzero(np.diff(self.item, prepend=NONE))
        ends = np.append(starts[1:], len(self))
        yield from zip(self.item[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)


def code_votes(votes: pa.Table, items: Sequence[str]) -> CodedVotes:
    """Code a table of votes (VOTES); a vote for none of the `items` has the item -1."""
    columns = ("annotator", "seat", "role", "round", "label", "report")
    coded = {name: code_texts(votes.column(name)) for name in columns}
    codes = {name: code for name, (code, _) in coded.items()}
    item, item_names = code_texts(votes.column("item"))
    place = {name: i for i, name in enumerate(items)}
    codes["item"] = np.array([place.get(name, NONE) for name in item_names] + [NONE])[item]
    codes["attempt"] = votes.column("attempt").to_numpy().astype(np.int64)
    codes["at"] = votes.column("at").cast(pa.int64()).fill_null(int(UNKNOWN)).to_numpy()
    keys = ("at", "report", "label", "role", "seat", "annotator", "attempt", "round", "item")
    order = np.lexsort([codes[key] for key in keys])
    names = Names(tuple(items), *(tuple(coded[name][1]) for name in columns))
    return CodedVotes(**{key: code[order] for key, code in codes.items()}, names=names)


def eligible(votes: CodedVotes, spec: TaskSpec) -> tuple[CodedVotes, list[Note]]:
    """Return the votes that answer the items, in the roles of the rule, and notes on the others.

    Left out without a note: reports that come without an answer, and decisions.
    """
    answers = (votes.label != NONE) & ~votes.in_rounds(DECIDING)
    known = votes.by_roles(spec.aggregation.roles)
    wrong = votes.only(answers & ~known)
    allowed = ", ".join(spec.aggregation.roles)
    notes = [
        Note(
            wrong.names.items[item],
            "vote.role@1",
            f"the role {wrong.names.roles[role]} does not count; allowed: {allowed}",
        )
        for item, role in zip(wrong.item, wrong.role, strict=True)
    ]
    return votes.only(answers & known), notes


def without_own_work(
    answers: CodedVotes, votes: CodedVotes, spec: TaskSpec
) -> tuple[CodedVotes, list[Note]]:
    """Return the answers without those about a person's own work, and notes on the latter.

    They are in a round that the annotators of another (`not_by`), or the item's author, must leave
    to others. Intake refuses them; but an author's vote can be taken in after the person's own.
    """
    on_own_work = np.zeros(len(answers), np.bool_)
    written = votes.by_roles(["author"])
    width = len(votes.names.annotators) + 1
    for round_ in spec.rounds:
        if round_.not_by:
            in_round = answers.in_rounds([round_.id]) & ~answers.by_roles(["author"])
            work = votes.only(written | votes.in_rounds(round_.not_by))
            done = np.isin(
                answers.item * width + answers.annotator, work.item * width + work.annotator
            )
            on_own_work |= in_round & (answers.annotator != NONE) & done
    reason = "an answer about the annotator's own work"
    names = (answers.names.items[item] for item in answers.item[on_own_work].tolist())
    return answers.only(~on_own_work), [Note(name, "vote.own@1", reason) for name in names]


_REPEATS: Final = {
    EARLIER: ("vote.superseded@1", "answered again in a later attempt"),
    DIFFERENT: ("vote.double@1", "gave two different answers in one attempt"),
    SAME: ("vote.double@1", "gave the same answer twice"),
}


def once_per_person(every: CodedVotes, *, last: bool) -> tuple[CodedVotes, list[Note]]:
    """Return the votes of every person (or seat) in a round of an item, each counted once.

    With `last` only the last attempt counts; without it every attempt does. The same answer given
    twice in an attempt counts once; two different ones count for neither, since nothing says which
    was meant. Every vote left out has a note.
    """
    who = person_codes(every)
    attempt = np.zeros_like(every.attempt) if last else every.attempt
    order = np.lexsort((every.label, every.attempt, who, attempt, every.round, every.item))
    votes = every.only(order)
    person = np.stack([votes.item, votes.round, attempt[order], who[order]])
    status = judge_repeats(person, votes.attempt[None], votes.label[None])
    notes = []
    for place in np.flatnonzero(status != COUNTS).tolist():
        rule, fault = _REPEATS[int(status[place])]
        item = votes.names.items[votes.item[place]]
        notes.append(Note(item, rule, f"{votes.who(place)} {fault}"))
    return votes.only(status == COUNTS), notes


def person_codes(votes: CodedVotes) -> Codes:
    """Number the people and seats; an anonymous vote without a seat is a person of its own."""
    people, seats = len(votes.names.annotators), len(votes.names.seats)
    alone = people + seats + np.arange(len(votes))
    seated = np.where(votes.seat != NONE, people + votes.seat, alone)
    return np.where(votes.annotator != NONE, votes.annotator, seated)
