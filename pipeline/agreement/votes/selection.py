"""Which votes are compared, and as what: one vote table coded for every part of the audit."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.votes.labels import (
    category,
    labels,
    load_label,
    number,
    view_answer,
)
from pipeline.agreement.votes.ratings import Ratings, Whole, code_texts, rank_texts
from pipeline.contracts.decisions import verdict_of
from pipeline.contracts.inspection import corrected
from pipeline.contracts.spec import Level, Round, TaskSpec
from pipeline.contracts.task import Kind, Task, answer_form
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical

#: Forms of answers that are never the main one of a task.
SIDE_FORMS: Final = frozenset({"hypotheses", "morphemes", "verdict"})
#: What tells which of several votes on an item counts.
_DECISIVE: Final = ("item", "annotator", "seat", "role", "round")
LEVELS: Final = ("nominal", "ordinal", "interval", "ratio", "multilabel")
#: How labels of votes of no task are read, and the kind of answer they are, by level.
_READERS: Final[dict[str, tuple[Callable[[str], Any], Kind]]] = {
    "nominal": (category, "category"),
    "multilabel": (labels, "labels"),
}


@dataclass(frozen=True)
class Selection:
    """The votes that are compared, and what became of the others.

    `ratings` holds one answer of every person to every item, units and raters in the order of
    their names, so that the order of the rows does not matter; its `values` are categories, numbers
    or, for spans, trees and states, whole views as tuples (see `Kind` in contracts/task.py).
    `rows` is the row of each vote in `votes`. `left_out` counts answers that are not compared, by
    reason, `verdicts` the inspectors' verdicts. `scale` is None where only values are known.
    """

    votes: pa.Table
    kind: Kind
    level: Level | None
    ratings: Ratings
    rows: Whole
    left_out: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    scale: tuple[float, float] | None = None

    def column(self, name: str) -> list[Any]:
        """Return a column of the table for the compared votes, in their order."""
        return self.votes.column(name).take(pa.array(self.rows)).to_pylist()  # type: ignore[no-any-return]


def select(
    votes: pa.Table,
    *,
    task: Task | None = None,
    spec: TaskSpec | None = None,
    level: str | None = None,
    labels: Sequence[Any] = (),
) -> Selection:
    """Choose and code the votes that are compared.

    With a task these are the answers of the spec's aggregation roles in its first round whose
    answer has the main form, and for spans, trees and states also what inspectors of that round
    accepted or corrected. Without one every label, a JSON scalar, is compared on `level`; `labels`
    are those that could be chosen, if that is known. Of
    several attempts of a person at an item the last counts; of two different answers in one attempt
    neither does, since nothing says which was meant. Raises InputError for labels that are
    not of the right form, and without both task and level.
    """
    if level is not None and level not in LEVELS:
        raise InputError(f"{level!r} is no level; allowed: {', '.join(LEVELS)}")
    label, texts = rank_texts(votes["label"])
    if task is None:
        if level is None:
            raise InputError(f"say --task or --level; allowed levels: {', '.join(LEVELS)}")
        rows, left_out = _choose(votes, label, {}, {})
        read, form = _READERS.get(level, (number, "number"))
        choices = [] if form == "labels" else [read(canonical(each)) for each in labels]
        rated = _build_ratings(votes, rows, label[rows], texts, read, choices, form)
        measured = None if form == "labels" else cast(Level, level)
        ends = (min(choices), max(choices)) if choices and form == "number" else None
        return Selection(votes, form, measured, rated, rows, left_out, scale=ends)
    if spec is None:
        raise InputError(f"task {task.id}: its spec is needed to know which votes to compare")
    kind, rounds = task.kind, _rounds(spec, task.kind)
    allowed = {"task": [task.id], "round": list(rounds), "role": spec.aggregation.roles}
    rows, left_out = _choose(votes, label, allowed, rounds)
    answer, verdicts = label[rows], Counter[str]()
    if kind in ("spans", "tree", "states"):
        answer, texts, verdicts = _replace_verdicts(votes, rows, answer, texts, rounds)
        left_out["a verdict without an answer"] += int((answer < 0).sum())
        rows, answer = rows[answer >= 0], answer[answer >= 0]
    known: Sequence[Any] = spec.ids() if kind == "category" else ()
    scale = None
    if kind == "number" and spec.scale is not None:
        known = [float(n) for n in range(spec.scale.low, spec.scale.high + 1)]
        scale = (float(spec.scale.low), float(spec.scale.high))
    shared: dict[Any, Any] = {}
    rated = _build_ratings(
        votes, rows, answer, texts, lambda text: _view(text, task, shared), known, kind
    )
    default = {"category": "nominal", "number": "interval"}.get(kind)
    wanted = default and (level or spec.agreement.level or default)
    if kind == "category" and wanted != "nominal":
        raise InputError(f"the labels of this task are names: level nominal, not {wanted}")
    measured = cast(Level | None, wanted)
    return Selection(votes, kind, measured, rated, rows, +left_out, verdicts, scale)


def _view(text: str, task: Task, shared: dict[Any, Any]) -> Any:
    """Return what an answer is compared as; its parts are those of earlier ones where equal."""
    view = view_answer(load_label(text, "an answer"), task)
    if not isinstance(view, list):
        return view
    return tuple(shared.setdefault(part, part) for part in view)


def _rounds(spec: TaskSpec, kind: Kind) -> dict[str, Round]:
    first = next((r for r in spec.rounds if r.answer not in SIDE_FORMS), None)
    if first is None:
        return {}
    if kind in ("category", "number", "labels"):
        return {first.id: first}
    return {r.id: r for r in spec.rounds if answer_form(spec, r) == first.answer}


#: What becomes of a vote among those of one person on one item.
COUNTS, EARLIER, DIFFERENT, SAME = range(4)
_LEFT_OUT: Final = {
    EARLIER: "an earlier attempt",
    DIFFERENT: "two different answers of one person in one attempt",
    SAME: "the same answer twice",
}


def judge_repeats(person: Whole, attempt: Whole, label: Whole) -> Whole:
    """Return what becomes of every vote, (votes,): COUNTS, EARLIER, DIFFERENT or SAME.

    Arrays (keys, votes), sorted by all of them in turn: votes of equal `person` are those of one
    person on one item, `attempt` says when they were given. One vote of a person counts, the first
    of the last attempt, unless that holds different labels: nothing says which one was meant.
    """
    votes = person.shape[1]
    if not votes:
        return np.zeros(0, np.int64)
    start, starts = np.arange(votes) == 0, []
    for part in (person, attempt, label):
        for key in part:
            start[1:] |= key[1:] != key[:-1]
        starts.append(start.copy())
    new_person, new_attempt, new_label = starts
    people, attempts = new_person.cumsum() - 1, new_attempt.cumsum() - 1
    is_latest = attempts == np.maximum.reduceat(attempts, np.flatnonzero(new_person))[people]
    labels = np.bincount(attempts, weights=new_label)[attempts]
    status = np.where(labels > 1, DIFFERENT, np.where(new_attempt, COUNTS, SAME))
    return np.where(is_latest, status, EARLIER).astype(np.int64)


def _choose(
    votes: pa.Table, label: Whole, allowed: Mapping[str, Collection[str]], rounds: dict[str, Round]
) -> tuple[Whole, Counter[str]]:
    """Return the rows that are compared, by item, person and round, and counts of the others.

    `label` (rows,) is the rank of each label, `allowed` lists the values of columns that are
    compared.
    """
    left_out: Counter[str] = Counter()
    keep = label >= 0
    for name, values in allowed.items():
        good = pc.is_in(votes[name], value_set=pa.array(values, pa.string())).to_numpy()
        others = votes[name].filter(pa.array(keep & ~good)).to_pylist()
        left_out.update(f"{name} {value}" for value in others)
        keep = keep & good
    rows = np.flatnonzero(keep)
    chosen = {name: votes[name].take(pa.array(rows)) for name in _DECISIVE}
    (item, _), label = rank_texts(chosen.pop("item")), label[rows]
    (person, people), (seat, seats), (role, roles), (codes, texts) = map(
        code_texts, chosen.values()
    )
    # people, then the seats of each role; nothing is known of the last
    nobody = len(people) + len(roles) * len(seats)
    seated = np.where(seat >= 0, len(people) + role * len(seats) + seat, nobody)
    who = np.where(person >= 0, person, seated)
    place = {name: i for i, name in enumerate(rounds)}
    later = np.array([*(place.get(text, 0) for text in texts), 0], np.int64)[codes]
    attempt = votes["attempt"].to_numpy()[rows].astype(np.int64)
    order = np.lexsort((-rows, label, attempt, later, who, item))
    item, who, later, attempt, label = (part[order] for part in (item, who, later, attempt, label))
    who = np.where(who == nobody, nobody + np.arange(len(who)), who)
    status = judge_repeats(np.stack([item, who]), np.stack([later, attempt]), label[None])
    left_out.update(_LEFT_OUT[code] for code in status.tolist() if code != COUNTS)
    return rows[order[status == COUNTS]], left_out


def _replace_verdicts(
    votes: pa.Table, rows: Whole, answer: Whole, texts: pa.Array, rounds: dict[str, Round]
) -> tuple[Whole, pa.Array, Counter[str]]:
    """Put an inspector's answer in the place of the verdict; rejections give none.

    Revise gives the corrected answer; of a whole answer it may name some parts. Accept gives the
    accepted one, which the inspector confirms; that takes an item on which all agreed before.
    `answer` (rows,) are places in `texts`, which are sorted. Returns answers, -1 for none, the
    texts with those that are new, and the verdicts by name.
    """
    counts: Counter[str] = Counter()
    item, of_round = (votes[name].take(pa.array(rows)).to_pylist() for name in ("item", "round"))
    known, codes = _Texts(texts), answer.tolist()
    before: dict[str, set[int]] = {}
    for name, round_ in rounds.items():  # in the order of the spec
        places = [place for place, other in enumerate(of_round) if other == name]
        for place in places if round_.answer == "verdict" else ():
            given = before.get(item[place], set())
            current = next(iter(given)) if len(given) == 1 else -1
            value = load_label(known[codes[place]], "a verdict")
            verdict = verdict_of(value)
            counts[str(verdict)] += 1
            codes[place] = current if verdict == "accept" else -1
            if verdict == "revise":
                text = known[current] if current >= 0 else None
                codes[place] = known.place_of(corrected(text, value["answer"]))
        after = schemas.group((item[place], codes[place]) for place in places)
        before |= {name: {code for code in of if code >= 0} for name, of in after.items()}
    return np.array(codes, np.int64), known.array(), counts


class _Texts:
    """Distinct texts by their place: sorted ones, then new ones in the order of their coming."""

    def __init__(self, texts: pa.Array) -> None:
        self._sorted = texts
        self._new: list[str] = []
        self._places: dict[str, int] = {}

    def __getitem__(self, place: int) -> str:
        known = len(self._sorted)
        return self._sorted[place].as_py() if place < known else self._new[place - known]

    def place_of(self, text: str) -> int:
        """Return the place of a text, a new one where there is none."""
        known = range(len(self._sorted))
        place = bisect_left(known, text, key=self.__getitem__)
        if place < len(known) and self[place] == text:
            return place
        if text not in self._places:
            self._places[text] = len(known) + len(self._new)
            self._new.append(text)
        return self._places[text]

    def array(self) -> pa.Array:
        """Return all of them."""
        if not self._new:
            return self._sorted
        return pa.concat_arrays([self._sorted, pa.array(self._new, pa.string())])


def _build_ratings(
    votes: pa.Table,
    rows: Whole,
    answer: Whole,
    texts: pa.Array,
    read: Callable[[str], Any],
    known: Sequence[Any],
    kind: Kind,
) -> Ratings:
    """Return the ratings in `rows`; `answer` (rows,) is the place of each one's text in `texts`."""
    (unit, units), (rater, raters) = (
        code_texts(votes[name].take(pa.array(rows))) for name in ("item", "annotator")
    )
    order = pc.sort_indices(texts).to_numpy()  # texts are read one by one: they may be long
    used, coded = np.unique(np.argsort(order)[answer], return_inverse=True)
    views = [read(texts[place].as_py()) for place in order[used].tolist()]
    more = sorted(set(views) - set(known)) if kind in ("category", "number") else views
    values = list(dict.fromkeys([*known, *more]))  # answers may differ in what is not compared
    if kind == "number":
        values.sort()
    place = {value: i for i, value in enumerate(values)}
    value = np.array([place[view] for view in views], np.int32)[coded]
    return Ratings(
        unit.astype(np.int32),
        rater.astype(np.int32),
        value,
        tuple(units),
        tuple(raters),
        tuple(values),
    )
