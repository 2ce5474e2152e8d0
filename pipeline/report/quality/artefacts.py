"""What can be guessed without solving the task: the artefacts of a data set, as report sections.

A model that scores little above these has learned the habits of annotators and sources, not the
task (Gururangan et al., "Annotation Artifacts in Natural Language Inference Data", NAACL 2018).
Guesses are learned on train, and scored on dev and test.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any, Final, NamedTuple

import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas
from pipeline.report.quality.statistics import iter_rows
from pipeline.report.record import Cell, Column, Section, Table

Part = Callable[[pa.Table, TaskSpec], Section | None]
#: What makes the parts of a task's section; one that returns None is left out.
ARTEFACTS: Final[Mapping[str, Sequence[Part]]] = Parts("statistics", "ARTEFACTS")
#: What shows how far a part of the input gives the answer away; of examples, spec, and scores of a
#: classifier, if there are any.
PARTIAL_INPUT: Final[Mapping[str, Callable[..., Section]]] = Parts("statistics", "partial_input")
#: So many characters are one bin of lengths.
BIN: Final = 5
_UNTRAINED: Final = "There is no train split to learn a guess from, or nothing to score it on."


def artefacts(examples: pa.Table, *, task: str, spec: TaskSpec) -> Section:
    """Return the section on the artefacts of a task's examples (EXAMPLES).

    Words are shown only where at least 5 examples have them, never with digits, and never a
    person's name.
    """
    parts = [part(examples, spec) for part in _parts(task)] if examples.num_rows else []
    return _section(task, [part for part in parts if part is not None])


def with_partial_input(section: Section, part: Section | None) -> Section:
    """Return a section on artefacts with one on what a part of the input gives away, as second."""
    if part is None:
        return section
    return _section(section.id.partition("-")[2], [*section.parts[:1], part, *section.parts[1:]])


def _section(task: str, parts: list[Section]) -> Section:
    return Section(
        id=f"artefacts-{task}",
        title="Artefacts",
        lead="How far one gets without solving the task: a model that scores little more has"
        " learned habits of annotators and sources, not the task. Guesses are learned on train."
        if parts
        else "There is nothing to measure: no example, or none that could be scored.",
        parts=parts,
    )


def _parts(task: str) -> Sequence[Part]:
    view = TASKS[task].view

    def observe(fields: Mapping[str, Any], label: Any) -> Observation:
        return Observation(
            view(label), sum(len(value) for value in fields.values() if type(value) is str)
        )

    guesses = partial(categories, observe=observe, text="text")
    return ARTEFACTS.get(task, [guesses] if TASKS[task].kind == "category" else [])


class Observation(NamedTuple):
    """What a guess may look at: the label, a length in characters, and another key."""

    label: str
    length: int
    key: Hashable = None


Guess = Callable[[Observation], str]


class Key(NamedTuple):
    """A further guess, by `Seen.key`: its name, and what the lead says of it.

    `f1` is the title of the micro F1 of all labels but `none`.
    """

    name: str
    lead: str
    f1: str
    none: str


def categories(
    examples: pa.Table,
    spec: TaskSpec,
    *,
    observe: Callable[[Mapping[str, Any], Any], Observation],
    text: str,
    key: Key | None = None,
) -> Section:
    """Return what guessing the label scores; `text` names what the lengths are of."""
    splits = schemas.group(
        (split, observe(fields, label))
        for split, fields, label in iter_rows(examples, "split", "fields", "label")
    )
    train = splits.get("train", [])
    rows = [
        [name, split, len(splits[split]), *_scores(splits[split], guess, key)]
        for name, guess in (_guesses(train, key) if train else ())
        for split in SPLITS[1:]
        if splits.get(split)
    ]
    return guess_section(
        spec.task,
        "The commonest label of train for every example; and the commonest label among the examples"
        f" of train whose {text} is about as long ({BIN} characters are one bin, the"
        " nearest that train has counts)." + (f" {key.lead}" if key else ""),
        [
            *(Column("accuracy", "share"), Column("macro F1", "share")),
            *([Column(key.f1, "share")] if key else []),
        ],
        rows,
    )


def _guesses(train: Sequence[Observation], key: Key | None) -> Iterator[tuple[str, Guess]]:
    always = commonest(Counter(example.label for example in train))
    yield "commonest label", lambda _one: always
    by_length = _by(train, lambda example: example.length // BIN)
    bins = sorted(by_length)
    yield "length", lambda example: by_length[nearest(bins, example.length // BIN)]
    if key:
        by_key = _by(train, lambda example: example.key)
        yield key.name, lambda example: by_key.get(example.key, always)


def _by(train: Sequence[Observation], key: Callable[[Observation], Any]) -> dict[Any, str]:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for example in train:
        counts[key(example)][example.label] += 1
    return {value: commonest(labels) for value, labels in counts.items()}


def _scores(observations: Sequence[Observation], guess: Guess, key: Key | None) -> list[Cell]:
    gold, guessed = (
        [example.label for example in observations],
        [guess(example) for example in observations],
    )
    right = sum(a == b for a, b in zip(gold, guessed, strict=True))
    scores = [right / len(gold), macro_f1(gold, guessed)]
    if key:
        scores.append(micro_f1(gold, guessed, {*gold, *guessed} - {key.none}))
    return [round(score, 6) for score in scores]


def nearest(bins: Sequence[int], wanted: int) -> int:
    """Return the bin nearest to the wanted one, of two as near the lower; bins ascend."""
    place = bisect_left(bins, wanted)
    return min(
        bins[max(0, place - 1) : place + 1], key=lambda length: (abs(length - wanted), length)
    )


def guess_section(
    task: str, lead: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]
) -> Section:
    """Return a section with what guesses score; `columns` are those of the scores."""
    name, title = f"artefacts-{task}-guesses", "What not reading scores"
    if not rows:
        return Section(id=name, title=title, lead=_UNTRAINED)
    whole = [Column("guess", "text"), Column("split", "text"), Column("examples"), *columns]
    return table_section(name, title, lead, whole, rows)


def table_section(
    name: str,
    title: str,
    lead: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    **more: Any,
) -> Section:
    """Return a section of one table of its title; `more` is passed to the Table."""
    return Section(name, title, lead, [Table(f"{name}-table", title, columns, rows, **more)])


def macro_f1(gold: Sequence[str], guessed: Sequence[str]) -> float:
    """Return the mean F1 of all labels that are in gold or were guessed."""
    labels = sorted({*gold, *guessed})
    return sum(micro_f1(gold, guessed, [label]) for label in labels) / len(labels)


def micro_f1(gold: Sequence[str], guessed: Sequence[str], labels: Collection[str]) -> float:
    """Return the F1 of some labels together; 0 where none of them is in gold or was guessed."""
    pairs = list(zip(gold, guessed, strict=True))
    right = sum(a == b and a in labels for a, b in pairs)
    return f1(right, *(sum(pair[side] in labels for pair in pairs) for side in (0, 1)))


def f1(right: int, wanted: int, guessed: int) -> float:
    """Return the F1 of `right` hits among `guessed` guesses for `wanted` answers."""
    return 2 * right / (wanted + guessed) if wanted + guessed else 0.0


def pearson(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None for fewer than two pairs and for a constant."""
    if len(left) < 2:
        return None
    a, b = ([x - sum(side) / len(side) for x in side] for side in (left, right))
    spread = sqrt(sum(x * x for x in a)) * sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / spread if spread > 1e-12 else None


def commonest(labels: Counter[str]) -> str:
    """Return the most frequent label, of equals the first by name."""
    return min(labels, key=lambda label: (-labels[label], label))
