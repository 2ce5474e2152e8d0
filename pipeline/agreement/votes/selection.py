"""Which votes are compared, and as what: one vote table coded for every part of the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.agreement.votes.labels import (
    category,
    labels,
    load_label,
    need_numbers,
    number,
    view_answer,
)
from pipeline.agreement.votes.ratings import Ratings, code_texts
from pipeline.contracts.decisions import verdict_of
from pipeline.contracts.spec import Level, Round, TaskSpec
from pipeline.contracts.task import Kind, Task, answered
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical

#: Forms of answers that are never the main one of a task.
SIDE_FORMS: Final = frozenset({"hypotheses", "morphemes", "verdict"})
LEVELS: Final = ("nominal", "ordinal", "interval", "ratio", "multilabel")
#: How labels of votes of no task are read, and the kind of answer they are, by level.
_READERS: Final[dict[str, tuple[Callable[[str], Any], Kind]]] = {
    "nominal": (category, "category"),
    "multilabel": (labels, "labels"),
}
Ints = npt.NDArray[np.int64]


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
    rows: Ints
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
) -> Selection:
    """Choose and code the votes that are compared.

    With a task these are the answers of the spec's aggregation roles in its first round whose
    answer has the main form, and for spans, trees and states also what inspectors of that round
    accepted or corrected. Without one every label, a JSON scalar, is compared on `level`. Of
    several attempts of a person at an item the last counts; of two different answers in one attempt
    neither does, since nothing says which was meant. Raises InputError for labels that are
    not of the right form, and without both task and level.
    """
    if level is not None and level not in LEVELS:
        raise InputError(f"{level!r} is no level; allowed: {', '.join(LEVELS)}")
    if task is None:
        if level is None:
            raise InputError(f"say --task or --level; allowed levels: {', '.join(LEVELS)}")
        chosen = _Rows(votes)
        read, form = _READERS.get(level, (number, "number"))
        rated = _rated(chosen, chosen.column("label"), read, (), form)
        compared = None if form == "labels" else cast(Level, level)
        return Selection(votes, form, compared, rated, chosen.rows, chosen.left_out)
    if spec is None:
        raise InputError(f"task {task.id}: its spec is needed to know which votes to compare")
    kind = task.kind
    chosen = _Rows(votes, {task.id}, _rounds(spec, kind), set(spec.aggregation.roles))
    verdicts: Counter[str] = Counter()
    texts = chosen.column("label")
    if kind in ("spans", "tree", "states"):
        texts, verdicts = _replace_verdicts(chosen)
    known: Sequence[Any] = spec.ids() if kind == "category" else ()
    scale = None
    if kind == "number" and spec.scale is not None:
        known = [float(n) for n in range(spec.scale.low, spec.scale.high + 1)]
        scale = (float(spec.scale.low), float(spec.scale.high))
    rated = _rated(chosen, texts, lambda text: _view(text, task), known, kind)
    default = {"category": "nominal", "number": "interval"}.get(kind)
    wanted = default and (level or spec.agreement.level or default)
    if kind == "category" and wanted is not None and wanted != "nominal":
        need_numbers(rated.values, wanted)
    measured = cast(Level | None, wanted)
    return Selection(votes, kind, measured, rated, chosen.rows, chosen.left_out, verdicts, scale)


def _view(text: str, task: Task) -> Any:
    """Return what an answer is compared as, a list as a tuple."""
    view = view_answer(load_label(text, "an answer"), task)
    return tuple(view) if isinstance(view, list) else view


def _rounds(spec: TaskSpec, kind: Kind) -> dict[str, Round]:
    """Return the rounds whose answers are compared, by id."""
    first = next((r for r in spec.rounds if r.answer not in SIDE_FORMS), None)
    if first is None:
        return {}
    if kind in ("category", "number", "labels"):
        return {first.id: first}
    return {r.id: r for r in spec.rounds if answered(spec, r) == first.answer}


class _Rows:
    """The rows that are compared, sorted by item and then by who gave them."""

    def __init__(
        self,
        votes: pa.Table,
        tasks: set[str] | None = None,
        rounds: dict[str, Round] | None = None,
        roles: set[str] | None = None,
    ) -> None:
        """Leave out what is not compared, and code items, people and labels by their order."""
        self.votes = votes
        self.rounds = rounds or {}
        self.left_out: Counter[str] = Counter()
        keep = votes.column("label").is_valid().to_numpy(zero_copy_only=False)
        for name, allowed in (("task", tasks), ("round", rounds), ("role", roles)):
            if allowed is not None:
                keep = self._within(keep, name, set(allowed))
        rows = np.flatnonzero(keep)
        item, _ = code_texts(votes.column("item").take(pa.array(rows)))
        who, named = self._people(rows)
        label, _ = code_texts(votes.column("label").take(pa.array(rows)))
        attempt = votes.column("attempt").to_numpy()[rows]
        later = self._later(rows)
        order = np.lexsort((label, attempt, later, who, item))
        keys = np.stack([item, who, later, attempt, label])[:, order]
        self.rows: Ints = rows[order[self._once(keys, named)]]
        self.left_out = +self.left_out

    def _within(self, keep: npt.NDArray[np.bool_], name: str, allowed: set[str]) -> Any:
        column = self.votes.column(name).combine_chunks().dictionary_encode()
        fits = np.array([value in allowed for value in column.dictionary.to_pylist()], bool)
        good = fits[column.indices.to_numpy()] if len(fits) else keep
        for code, value in enumerate(column.dictionary.to_pylist()):
            if not fits[code]:
                gone = int((keep & (column.indices.to_numpy() == code)).sum())
                self.left_out[f"{name} {value}"] += gone
        return keep & good

    def _people(self, rows: Ints) -> tuple[Ints, int]:
        """Return who gave each vote: people, then seats; the last code says nothing is known."""
        people, names = code_texts(self.votes.column("annotator").take(pa.array(rows)))
        seats, held = code_texts(self.votes.column("seat").take(pa.array(rows)))
        roles, kinds = code_texts(self.votes.column("role").take(pa.array(rows)))
        seated = len(names) + roles * len(held) + seats
        nobody = len(names) + len(kinds) * len(held)
        return np.where(people >= 0, people, np.where(seats >= 0, seated, nobody)), nobody

    def _later(self, rows: Ints) -> Ints:
        """Return the place of each vote's round in the spec."""
        if not self.rounds:
            return np.zeros(len(rows), np.int64)
        place = {name: i for i, name in enumerate(self.rounds)}
        codes, names = code_texts(self.votes.column("round").take(pa.array(rows)))
        return np.array([place[name] for name in names], np.int64)[codes]

    def _once(self, keys: Ints, nobody: int) -> npt.NDArray[np.bool_]:
        """Tell which votes count, one of a person on an item, and count why others do not.

        `keys` are item, person, round, attempt and label, (5, votes), sorted by them in turn.
        """
        if not keys.shape[1]:
            return np.zeros(0, bool)
        person, attempt, answer = (_runs(keys[:many]) for many in (2, 4, 5))
        last = np.append(np.diff(person) > 0, True)
        latest = attempt == attempt[last][person]
        answers = np.bincount(attempt[np.append(True, np.diff(answer) > 0)])[attempt]
        known = keys[1] != nobody
        for reason, left_out in (
            ("an earlier attempt", ~latest),
            ("two different answers of one person in one attempt", latest & (answers > 1)),
            ("the same answer twice", latest & (answers == 1) & ~last),
        ):
            self.left_out[reason] = int((left_out & known).sum())
        counts: npt.NDArray[np.bool_] = last & (answers == 1) | ~known
        return counts

    def column(self, name: str) -> pa.ChunkedArray:
        """Return a column of the rows."""
        return self.votes.column(name).take(pa.array(self.rows))


def _replace_verdicts(chosen: _Rows) -> tuple[pa.ChunkedArray, Counter[str]]:
    """Put an inspector's answer in the place of the verdict; rejections give none.

    Revise gives the corrected answer. Accept gives the accepted one, which the inspector confirms;
    that takes an item with the answer of one person only. Returns the labels of the rows that are
    kept, and the verdicts by name.
    """
    rounds = chosen.column("round").to_pylist()
    items = chosen.column("item").to_pylist()
    labels: list[str | None] = chosen.column("label").to_pylist()
    judging = [chosen.rounds[name].answer == "verdict" for name in rounds]
    answers: dict[str, set[str]] = {}
    for item, label, judges in zip(items, labels, judging, strict=True):
        if not judges and label is not None:
            answers.setdefault(item, set()).add(label)
    counts: Counter[str] = Counter()
    for place in np.flatnonzero(judging):
        value = load_label(labels[place] or "null", "a verdict")
        verdict = verdict_of(value)
        counts[str(verdict)] += 1
        own = answers.get(items[place], set())
        labels[place] = next(iter(own)) if verdict == "accept" and len(own) == 1 else None
        if verdict == "revise":
            labels[place] = canonical(value["answer"])
    keep = np.array([label is not None for label in labels], bool)
    chosen.left_out["a verdict without an answer"] += int((~keep).sum())
    chosen.left_out = +chosen.left_out
    chosen.rows = chosen.rows[keep]
    return pa.chunked_array([pa.array([x for x in labels if x], pa.string())]), counts


def _runs(keys: Ints) -> Ints:
    """Number the runs of equal columns of `keys`, (keys, votes); (votes,), from 0."""
    new = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return np.append(0, np.cumsum(new)).astype(np.int64)


def _rated(
    chosen: _Rows,
    answers: pa.ChunkedArray,
    read: Callable[[str], Any],
    known: Sequence[Any],
    kind: Kind,
) -> Ratings:
    unit, units = code_texts(chosen.column("item"))
    rater, raters = code_texts(chosen.column("annotator"))
    coded, texts = code_texts(answers)
    views = [read(text) for text in texts]
    more = sorted(set(views) - set(known)) if kind in ("category", "number") else views
    values = list(dict.fromkeys([*known, *more]))  # answers may differ in what is not compared
    if kind == "number":
        values.sort()
    place = {value: i for i, value in enumerate(values)}
    coded = np.array([place[value] for value in views], np.int64)[coded]
    return Ratings(
        unit.astype(np.int32),
        rater.astype(np.int32),
        coded.astype(np.int32),
        tuple(units),
        tuple(raters),
        tuple(values),
    )
